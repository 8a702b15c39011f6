/** When a must clause was judged: the one meaning behind the name of the outcome and every number of judged clauses. */
import type { Level } from '../contract/contract.ts';
import { didNotApply, type Reason } from '../verdict/reason.ts';
import type { VerdictName } from '../verdict/verdict.ts';
import { groupBy, worstVerdict } from './counts.ts';

interface Judgement {
  readonly clause: string;
  readonly level: Level;
  readonly verdict: VerdictName;
  readonly reason?: Reason;
}

/** Asked, with evidence that decides it or that the contract leaves open. */
const DECIDED: readonly (VerdictName | undefined)[] = ['pass', 'fail', 'observed'];

/**
 * The ids of clauses that were judged as a must: broken, or no case that asked for it was inconclusive, or lacks a recorded
 * request because the contract now asks for another. An expectation at a lower level neither judges a must nor leaves it open.
 */
export function judgedMusts(judgements: readonly Judgement[]): ReadonlySet<string> {
  const must = judgements.filter(({ level }) => level === 'must');
  const judged = [...groupBy(must, ({ clause }) => clause)].filter(([, own]) => {
    const worst = worstVerdict(own.map(({ verdict }) => verdict));
    return DECIDED.includes(worst) && (worst === 'fail' || !own.some(isAskedOtherwise));
  });
  return new Set(judged.map(([clause]) => clause));
}

/** The ids of must clauses that were asked for, and had no occasion in any answer. */
export function idleMusts(judgements: readonly Judgement[]): ReadonlySet<string> {
  const must = judgements.filter(({ level }) => level === 'must');
  const idle = [...groupBy(must, ({ clause }) => clause)].filter(
    ([, own]) => own.every(isNotApplicable) && own.some(({ reason }) => reason?.kind === 'no-occasion'),
  );
  return new Set(idle.map(([clause]) => clause));
}

/** There is nothing to do about it: the run gave no occasion, or another clause covers it. */
export function isNotApplicable({ verdict, reason }: Pick<Judgement, 'verdict' | 'reason'>): boolean {
  return verdict === 'skipped' && reason !== undefined && didNotApply(reason);
}

/** What the answers to other requests show is not what this contract asks for. */
export function isAskedOtherwise({ reason }: Pick<Judgement, 'reason'>): boolean {
  return reason?.kind === 'asked-otherwise';
}
