/** How many answers it takes to see a rare fault, and which answers count together. */
import type { Json } from '../json.ts';
import { type Case, type Edit, isSelection } from '../suite/case.ts';
import type { TraitsOfChecks } from './check-traits.ts';
import type { Plan } from './plan.ts';

/** The chance of missing a fault that shows in one answer of N. */
const MISSED = 0.05;

/** 1 for 1/1, 8 for 1/3, 29 for 1/10. */
export function countAnswersNeeded(oneIn: number): number {
  return oneIn <= 1 ? 1 : Math.ceil(Math.log(MISSED) / Math.log(1 - 1 / oneIn));
}

/** The smallest share of faulty answers of which one would have been seen, with 95 % confidence. */
export function smallestRate(answers: number): number {
  return 1 - MISSED ** (1 / answers);
}

/** All answers of a run count together. */
export const EVERY_ANSWER = 'every answer';

/** Names the kind of request by which a case judges a clause; undefined where it judges the run as a whole. */
export type NameEdit = (testCase: Case, clause: string) => string | undefined;

export function makeEditNames({ cases }: Pick<Plan, 'cases'>, checks: TraitsOfChecks): NameEdit {
  const overall = new Set(
    cases.filter(({ over }) => over.some(isSelection)).flatMap(({ expect }) => expect.map(({ clause }) => clause)),
  );
  return (testCase, clause) => {
    const { ask, over, id } = testCase;
    if (!ask) return over.length === 0 ? undefined : EVERY_ANSWER;
    if (ask.repeat) return undefined;
    const own = testCase.expect.filter((expectation) => expectation.clause === clause);
    if (own.some(({ check }) => checks[check]?.judgesEachRefusal)) return `${id.replace(/\[.*$/, '')} ${ask.control}`;
    // An error is judged as an error, whatever was asked.
    if (overall.has(clause) || clause.startsWith('errors.')) return EVERY_ANSWER;
    const side = clause.startsWith('limits.') && ask.control !== undefined ? sideOf(ask.edits.at(-1)) : undefined;
    if (side !== undefined) return `${ask.control} ${side}`;
    return JSON.stringify([ask.base.name, ask.edits]);
  };
}

/** On which side of its limit an edit lies. Every lower limit of part 8 is 0 or 1, so zero and less is below. */
function sideOf(edit: Edit | undefined): string | undefined {
  if (edit?.kind !== 'set' && edit?.kind !== 'rawNumber') return undefined;
  const value: Json = edit.kind === 'set' ? edit.value : Number(edit.text);
  if (typeof value !== 'number') return undefined;
  return `${edit.pointer} ${value <= 0 ? 'below' : 'above'}`;
}
