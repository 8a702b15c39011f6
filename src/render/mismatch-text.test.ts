import { expect, it } from 'vitest';
import { quoteText } from '../text/quote.ts';
import type { FindingReport } from '../report/report.ts';
import { broken } from '../../test/kit/sample-reports.ts';
import { formatExpectedAt, formatFinding, formatTypedActual } from './finding-text.ts';
import { foldFindings } from './fold.ts';

const shown = (sent: string, got: string): readonly string[] => {
  const finding = {
    pointer: '/messages/0/content',
    expected: { kind: 'client-text', text: quoteText(sent), from: 0 },
    actual: { kind: 'text', text: quoteText(got) },
    actualType: 'text',
  } as unknown as FindingReport;
  return [formatExpectedAt(finding), formatTypedActual(finding)];
};

it.each([
  ['composed and combining letters', ['a\u0308', 'ä'], [String.raw`"a\u0308"`, String.raw`\u00e4`]],
  [
    'such letters in texts that were cut',
    [`a\u0308${'x'.repeat(8)}`, `ä${'x'.repeat(9)}`],
    [String.raw`"a\u0308xx`, String.raw`\u00e4xx`],
  ],
  ['wide letters', ['Ａ', 'A'], [String.raw`"\uff21"`, 'A']],
  ['but not other letters', ['ä ש', 'o ש'], ['"ä ש"', 'o ש']],
] as const)('Texts that look alike show their code points: %s', (_what, [sent, got], starts) => {
  const texts = shown(sent, got);
  expect(texts.map((text, index) => text.slice(0, starts[index]?.length))).toEqual([...starts]);
});

it.each([
  [{ mismatch: 'finish-reason', expected: { kind: 'upstream-value' } }, 'no finish_reason'],
  [{ mismatch: 'absent', expected: { kind: 'given-key' } }, 'no Authorization header'],
  [{ expected: { kind: 'event-stream' }, actualType: 'nothing' }, 'a stream without any event'],
  [{ expected: { kind: 'present' }, pointer: '/id' }, 'no such field'],
])('What is absent has a name: %j', (parts, text) => {
  expect(formatTypedActual({ ...parts, actual: { kind: 'absent' } } as unknown as FindingReport)).toBe(text);
});

it.each([
  [['object'], '{"error": {…}}'],
  [['string'], undefined],
])('An entry says which whole shape passes, if %j is expected', (types, passes) => {
  const report = broken();
  const clauses = report.clauses.map((each) => ({ ...each, explanation: { reading: 'r', passes: '{"error": {…}}' } }));
  const [entry] = foldFindings(report);
  const finding = { ...entry?.finding, expected: { kind: 'type', types } } as unknown as FindingReport;
  expect(entry && formatFinding({ ...report, clauses }, { ...entry, finding }).passes).toBe(passes);
});
