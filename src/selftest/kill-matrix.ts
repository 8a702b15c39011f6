/** Writes a page that shows which case finds which fault, to read and to compare with the previous one. */
import type { TrialResult } from './compare.ts';
import { summarizeTrials } from './summarize-trials.ts';

export interface KillMatrixInput {
  readonly results: readonly Pick<TrialResult, 'subject' | 'problems' | 'foundBy'>[];
  /** Every case of the suites, in order. */
  readonly cases: readonly string[];
}

export function killMatrix({ results, cases }: KillMatrixInput): string {
  const faults = results.filter(({ subject }) => subject.kind === 'fault');
  const variants = results.filter(({ subject }) => subject.kind === 'variant');
  return `${[
    '# Kill matrix',
    '',
    'Written by `wirecheck selftest`: which built-in fault is found by which case, and that no variant is.',
    '',
    `${summarizeTrials(results)}.`,
    '',
    '## Faults',
    '',
    '| fault | clauses found broken | cases that found it |',
    '|---|---|---|',
    ...faults.map(faultRow),
    '',
    '## Cases',
    '',
    'How many faults each case finds. A case without one only observes, or judges together with others.',
    '',
    '| case | faults |',
    '|---|---|',
    ...cases.map((id) => `| ${id} | ${faults.filter(({ foundBy }) => Object.hasOwn(foundBy, id)).length} |`),
    '',
    '## Variants left alone',
    '',
    ...variants.map(({ subject, problems }) => `- ${subject.id}${problems.length === 0 ? '' : ' (NOT LEFT ALONE)'}`),
  ].join('\n')}\n`;
}

/** A fault in every error body is found by every case that provokes an error, so the list is cut. */
const MAX_CASES = 4;

function faultRow({ subject, foundBy, problems }: KillMatrixInput['results'][number]): string {
  const cases = Object.keys(foundBy);
  const clauses = [...new Set(Object.values(foundBy).flat())].toSorted((a, b) => a.localeCompare(b));
  const shown = cases.slice(0, MAX_CASES).join(', ');
  const rest = cases.length > MAX_CASES ? ` and ${cases.length - MAX_CASES} more` : '';
  return `| ${subject.id}${problems.length === 0 ? '' : ' (NOT CAUGHT)'} | ${clauses.join(', ')} | ${shown}${rest} |`;
}
