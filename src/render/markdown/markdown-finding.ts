/** A cause as an item of a list. */
import type { Report } from '../../report/report.ts';
import { clauseOf, formatFinding } from '../finding-text.ts';
import { formatFurther } from '../seen-text.ts';
import type { Entry } from '../fold.ts';
import { partOrOwner } from '../part-text.ts';
import { drawnItems } from './markdown-explore.ts';
import { code, prose } from './markdown-text.ts';

const MAX_CASES = 4;
const MAX_EXCUSE_LENGTH = 1000;
const MAX_AFFECTED_LENGTH = 1000;

export function someCases(ids: readonly string[]): string {
  const shown = ids.slice(0, MAX_CASES).map((id) => code(id, 100));
  return `${shown.join(', ')}${ids.length > MAX_CASES ? ` and ${ids.length - MAX_CASES} more` : ''}`;
}

export function findingItem(report: Report, entry: Entry): string {
  const { expectation, cases } = entry;
  const words = formatFinding(report, entry);
  const source = partOrOwner(report, clauseOf(report, expectation));
  const further = formatFurther(entry);
  return [
    `- **${prose(words.requirement)}** ${code(expectation.clause)}, ${expectation.level}${source === undefined ? '' : `, ${prose(source)}`}`,
    ...given(words.scenario, (text) => `scenario: ${prose(text)}`),
    ...given(
      words.expected,
      (text) =>
        `expected ${code(text, Infinity)}, got ${code(words.actual ?? '', Infinity)}${further && `, ${further}`}`,
    ),
    ...given(words.also, (text) => `also ${code(text, Infinity)}`),
    ...given(words.seen, (text) => prose(`seen in ${text}`)),
    ...given(words.shared, (text) => prose(`only with ${text}`)),
    ...given(words.sent, (text) => `sent: ${code(text, Infinity)}`),
    ...given(words.answer, (text) => `answer: ${code(text, Infinity)}`),
    ...given(words.hurts, (text) => prose(`who is hurt: ${text}`)),
    ...given(words.affected, (text) => prose(`affected: ${text}`, MAX_AFFECTED_LENGTH)),
    `in ${someCases(cases)}${words.request === undefined ? '' : `: ${code(words.request, Infinity)}`}`,
    ...drawnItems(words),
    ...given(words.client, (text) => `client: ${code(text, Infinity)}`),
    ...given(words.upstream, (text) => `upstream: ${code(text, Infinity)}`),
    ...given(words.waiver ?? words.baseline, (text) => prose(text, MAX_EXCUSE_LENGTH)),
    ...given(words.repeat, (text) => `repeat: ${code(text, Infinity)}${words.tries ? `. ${words.tries}` : ''}`),
    ...given(words.needs, (text) => prose(`needs ${text}`)),
    ...given(words.unrepeated, (text) => prose(`repeat: ${text}`)),
  ].join('\n  - ');
}

/** A line, if there is a text for it. */
export function given(text: string | undefined, format: (text: string) => string): readonly string[] {
  return text === undefined ? [] : [format(text)];
}
