/** When a must clause was judged: the one meaning behind the name of the outcome and every number of judged clauses. */
import type { Level } from '../contract/contract.ts';
import type { VerdictName } from '../verdict/verdict.ts';
import { groupBy, worstVerdict } from './counts.ts';

interface Judgement {
  readonly clause: string;
  readonly level: Level;
  readonly verdict: VerdictName;
}

/** Asked, with evidence that decides it or that the contract leaves open. */
const DECIDED: readonly (VerdictName | undefined)[] = ['pass', 'fail', 'observed'];

/**
 * The ids of clauses that were judged as a must: broken, or no case that asked for it was inconclusive. An expectation at a
 * lower level neither judges a must nor leaves it open.
 */
export function judgedMusts(judgements: readonly Judgement[]): ReadonlySet<string> {
  const must = judgements.filter(({ level }) => level === 'must');
  const judged = [...groupBy(must, ({ clause }) => clause)].filter(([, own]) =>
    DECIDED.includes(worstVerdict(own.map(({ verdict }) => verdict))),
  );
  return new Set(judged.map(([clause]) => clause));
}
