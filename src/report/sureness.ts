/** How sure the verdict on each clause is: how many answers it rests on, and how rare a fault these would have shown. */

import { countAnswersNeeded, EVERY_ANSWER, makeEditNames, smallestRate } from '../plan/add-samples.ts';
import type { Plan, TraitsOfChecks } from '../plan/plan.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { ClauseReport, Sureness } from './report.ts';

interface Group {
  /** Answers that a case got for its own request, and those that a case found among all answers. */
  own: number;
  looked: number;
}

/** How sure each clause is, by its id. A clause about the run as a whole has no entry. */
export function surenessOf(
  { cases }: Pick<Plan, 'cases'>,
  verdicts: readonly Verdict[],
  checks: TraitsOfChecks,
): ReadonlyMap<string, Sureness> {
  const byId = new Map(cases.map((testCase) => [testCase.id, testCase]));
  const nameEdit = makeEditNames({ cases }, checks);
  const clauses = new Map<string, Map<string, Group>>();
  for (const { case: id, clause, answers } of verdicts) {
    const testCase = byId.get(id);
    const edit = testCase && nameEdit(testCase, clause);
    if (!testCase || edit === undefined || answers === undefined) continue;
    const groups = clauses.get(clause) ?? new Map<string, Group>();
    clauses.set(clause, groups);
    const group = groups.get(edit) ?? { own: 0, looked: 0 };
    groups.set(edit, group);
    group[edit === EVERY_ANSWER && testCase.over.length > 0 ? 'looked' : 'own'] += answers.judged;
  }
  return new Map([...clauses].map(([clause, groups]) => [clause, measure([...groups.values()])]));
}

/** Answers that a case looked at are those of the others once more. */
function measure(groups: readonly Group[]): Sureness {
  const counts = groups.map(({ own, looked }) => Math.max(own, looked));
  const fewest = Math.min(...counts);
  return {
    answers: counts.reduce((sum, each) => sum + each, 0),
    edits: counts.length,
    fewest,
    rate: Math.round(smallestRate(fewest) * 1000) / 1000,
  };
}

/** The clauses that were kept, but with too few answers to see a fault in one of N. */
export function clausesShortOf(oneIn: number, clauses: readonly ClauseReport[], strict: boolean): readonly string[] {
  const needed = countAnswersNeeded(oneIn);
  return clauses
    .filter(({ level, verdict }) => verdict === 'pass' && (level === 'must' || (strict && level === 'should')))
    .filter(({ sureness }) => sureness !== undefined && sureness.fewest < needed)
    .map(({ id }) => id);
}

/** N of the rarest fault, in one of N answers, that this many would have shown. A single one shows only constant faults. */
export function rarestSeen(answers: number): number {
  let oneIn = 1;
  while (countAnswersNeeded(oneIn + 1) <= answers) oneIn += 1;
  return oneIn;
}
