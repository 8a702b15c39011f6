/** What the checks of load look at: counts and findings, not answers. */
import type { LoadBudget, LoadRecovery, LoadStage } from '../report/load-report.ts';
import type { AnyCase } from '../suite/case.ts';
import type { CheckOf } from '../verdict/check.ts';
import type { Finding } from '../verdict/verdict.ts';
import type { Tallies } from './tally.ts';

export interface LoadEvidence {
  readonly tallies: Tallies;
  readonly stages: readonly LoadStage[];
  /** The scripted upstream is behind the gateway. */
  readonly hasUpstream: boolean;
  /** Nothing between the checker and the target can break a connection. */
  readonly isLocal: boolean;
  readonly hasOtherKey: boolean;
  readonly areKeysBlocked: boolean;
  /** Valid calls were refused since the unknown keys were, which says nothing about them (rule 35). */
  readonly isShutOut: boolean;
  readonly recovery: LoadRecovery;
  /** The last control, if it was not answered. */
  readonly recoveryFinding?: Finding;
  readonly budgets: readonly LoadBudget[];
  /** By status. */
  readonly rejections: ReadonlyMap<number, number>;
  /** Calls that were closed before an answer, and answered on another try. */
  readonly secondTries: number;
  /** The exchange that findings about the run as a whole name. */
  readonly anyExchange: string;
}

/** A case, with all that was gathered. */
export interface LoadCaseEvidence {
  readonly case: AnyCase;
  readonly run: LoadEvidence;
}

/** What decides how many answers break a clause. With an upstream of ours, `isLocal` does not matter. */
export type Surroundings = Pick<LoadEvidence, 'hasUpstream'> & Partial<Pick<LoadEvidence, 'isLocal'>>;

/** Whether answers, such as those of one stage, are enough to break a clause. */
export type Enough = (
  answers: { readonly judged: number; readonly broken: number },
  surroundings: Surroundings,
) => boolean;

export type LoadCheck = CheckOf<[run: LoadEvidence]> & {
  /** The tally that it judges, and the rule by which it does. */
  readonly tally?: keyof Tallies;
  readonly enough?: Enough;
};
