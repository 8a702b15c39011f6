import { describe, expect, it } from 'vitest';
import { broken, expectation, finding, oneCase } from '../../test/kit/sample-reports.ts';
import { isPlayable, loadScenarios } from '../gather/client/scenario.ts';
import { tokensOf } from '../gather/client/scenario-server.ts';
import { withoutBodies } from '../report/without-bodies.ts';
import type { Report } from '../report/report.ts';
import { quoteText } from '../text/quote.ts';
import { makeScenarioWord, maskScenarioWord } from '../text/scenario-word.ts';
import type { Actual } from '../verdict/actual.ts';
import { foldFindings } from './fold.ts';
import { formatFurther } from './finding-text.ts';

type Result = 'breaks' | 'wrong-text' | 'hangs';
interface Played {
  readonly clause?: string;
  readonly result?: Result;
  readonly exit?: number;
  readonly said?: (word: string) => string;
  readonly complaint?: (word: string) => string;
}

const TYPES = { breaks: 'failed', 'wrong-text': 'returned', hangs: 'timed-out' } as const;

function played(id: string, { clause = 'a', result = 'breaks', exit, said, complaint }: Played) {
  const word = makeScenarioWord();
  const text = `The word is ${word}.`;
  const [saying, error] = [quoteText(said?.(word) ?? ''), quoteText(complaint?.(word) ?? '')];
  const ended = exit === undefined ? {} : { exit };
  const actual: Actual = {
    breaks: { kind: 'gave-up', ...ended, complaint: quoteText(error.quote?.split('\n')[0] ?? '') } as const,
    'wrong-text': { kind: 'returned', text: saying } as const,
    hangs: { kind: 'no-result', limit: 5_000, calls: 1 } as const,
  }[result];
  const expected = { kind: 'exact-text', text: quoteText(text) } as const;
  const found = finding({ mismatch: result, exchange: id, expected, actualType: TYPES[result], actual });
  return oneCase(id, [expectation(clause, { verdict: 'fail', findings: [found] })], {
    exchange: id,
    client: { result, text, said: saying, complaint: error, ...ended, time: 1, exchanges: [id] },
  });
}

const reportOn = (first: Played, other: Played): Report => ({
  ...broken({ cases: [played('client/one', first), played('client/other', other)], exchanges: [] }),
  subject: 'client',
});

const fails = (complaint: string): Played => ({ complaint: () => complaint });
const returns = (said: (word: string) => string): Played => ({ result: 'wrong-text', said });

describe('one fault in two scenarios is one cause', () => {
  it.each<[string, Played, Played]>([
    ['the same error', fails('unknown x_new'), fails('unknown x_new')],
    ['at another position', fails('no JSON at position 107'), fails('no JSON at position 98')],
    ['with the random word', { complaint: (word) => `odd ${word}` }, { complaint: (word) => `odd ${word}` }],
    ['the same damage', returns((word) => `The other ${word} other`), returns((word) => `The other ${word} other`)],
  ])('%s', (_, first, other) => {
    const report = reportOn(first, other);
    const [entry, ...more] = foldFindings(report);
    expect(more).toEqual([]);
    expect(entry?.cases).toEqual(['client/one', 'client/other']);
    expect(entry && formatFurther(entry)).toBe('and in 1 more scenario');
  });

  it('also without the texts, of which the lengths are left', () => {
    const causes = (first: Played, other: Played) => foldFindings(withoutBodies(reportOn(first, other))).length;
    expect(causes(fails('unknown x_new'), fails('unknown x_new'))).toBe(1);
    expect(causes(fails('unknown x_new'), fails('unknown x_newer'))).toBe(2);
  });
});

it.each<[string, Played, Played]>([
  ['clause', fails('x'), { ...fails('x'), clause: 'b' }],
  ['error', fails("KeyError: 'usage'"), fails("KeyError: 'choices'")],
  ['field, in a later line of the error', fails('1 error\nid'), fails('1 error\nmodel')],
  ['exit code', { ...fails('x'), exit: 1 }, { ...fails('x'), exit: 2 }],
  ['result', fails('x'), returns(() => 'x')],
  ['text', returns((word) => word), returns((word) => `The ${word}`)],
  ['unknown cause of a lost text', returns(() => ''), returns(() => '')],
  ['unknown cause of a hang', { result: 'hangs' }, { result: 'hangs' }],
  ['unknown cause of an error without words', fails(''), fails('')],
])('Scenarios with another %s have causes of their own', (_, first, other) => {
  expect(foldFindings(reportOn(first, other))).toHaveLength(2);
});

it('The random word is found in the text of every scenario, and nowhere else in it', () => {
  const word = makeScenarioWord();
  for (const scenario of loadScenarios().filter(isPlayable)) {
    const text = tokensOf(scenario, word).join('');
    expect(maskScenarioWord(text, text)).toBe(tokensOf(scenario, '${word}').join(''));
  }
});
