/** Writes a page that shows what finds which fault, to read and to compare with the previous one. */
import type { Subject } from '../src/contract/contract.ts';
import { loadContract } from '../src/contract/read-contract.ts';
import { loadSuites } from '../src/suite/read-suites.ts';
import { summarizeTrials } from './compare.ts';
import type { TestKind } from './test-subjects.ts';
import type { TrialResult } from './trial.ts';

type Shown = Pick<TrialResult, 'subject' | 'problems' | 'foundBy'>;

export function killMatrix(results: readonly Shown[]): string {
  const of = (...kinds: readonly TestKind[]) => results.filter(({ subject }) => kinds.includes(subject.kind));
  const faults = of('fault');
  const cases = loadSuites([], loadContract()).flatMap((suite) => suite.cases.map(({ id }) => id));
  return `${[
    '# Kill matrix',
    '',
    'Written by `npm run selftest`: which built-in fault is found by which case, and that no variant is.',
    '',
    `${summarizeTrials(of('fault', 'variant'))}.`,
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
    ...leftAlone('Variants', of('variant')),
    '',
    ...clauseTable('client', 'Clients', of('faulty client', 'odd client')),
    '',
    ...leftAlone('Odd clients', of('odd client')),
    '',
    ...clauseTable('relay', 'Relays', of('faulty relay', 'legal relay')),
    '',
    ...leftAlone('Legal relays', of('legal relay')),
    ...underLoad(of('faulty under load', 'honest under load')),
  ].join('\n')}\n`;
}

/** Nothing, if none was tried: they take long, so the committed page goes without. */
function underLoad(results: readonly Shown[]): readonly string[] {
  if (results.length === 0) return [];
  const honest = results.filter(({ subject }) => subject.kind === 'honest under load');
  return ['', ...clauseTable('load', 'Under load', results), '', ...leftAlone('Honest targets under load', honest)];
}

/** A fault in every error body is found by every case that provokes an error, so the list is cut. */
const MAX_CASES = 4;

function faultRow({ subject, foundBy, problems }: Shown): string {
  const cases = Object.keys(foundBy);
  const clauses = [...new Set(Object.values(foundBy).flat())].toSorted((a, b) => a.localeCompare(b));
  const shown = cases.slice(0, MAX_CASES).join(', ');
  const rest = cases.length > MAX_CASES ? ` and ${cases.length - MAX_CASES} more` : '';
  return `| ${subject.id}${problems.length === 0 ? '' : ' (NOT CAUGHT)'} | ${clauses.join(', ')} | ${shown}${rest} |`;
}

/** The clauses of a side that can be broken. */
export function breakableClauses(side: Subject): readonly string[] {
  const { clauses } = loadContract(side);
  return clauses.filter(({ level }) => level === 'must' || level === 'should').map(({ id }) => id);
}

function clauseTable(side: Subject, title: string, results: readonly Shown[]): readonly string[] {
  const faulty = results
    .filter(({ subject }) => subject.breaks)
    .map(({ subject, foundBy }) => ({ id: subject.id, found: Object.values(foundBy).flat() }));
  // A relay may also break clauses of a gateway's own contract.
  const clauses = new Set([...breakableClauses(side), ...faulty.flatMap(({ found }) => found).toSorted()]);
  const brokenIn = (clause: string) => faulty.flatMap(({ id, found }) => (found.includes(clause) ? id : [])).join(', ');
  return [
    `## ${title}`,
    '',
    `${summarizeTrials(results)}.`,
    '',
    '| clause | found broken in |',
    '|---|---|',
    ...Array.from(clauses, (clause) => `| ${clause} | ${brokenIn(clause)} |`),
  ];
}

function leftAlone(title: string, results: readonly Shown[]): readonly string[] {
  const lines = results.map(({ subject, problems }) => `- ${subject.id}${problems[0] ? ' (NOT LEFT ALONE)' : ''}`);
  return [`## ${title} left alone`, '', ...lines];
}
