/** What a run under load has when it ends. The answers are judged by then, and dropped. */
import type { Ending } from '../exchange/ending.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { LoadDuring, LoadRecovery, LoadStage } from '../report/load-report.ts';
import type { AnswerJudge } from './judge-answers.ts';

export interface GatheredLoad {
  readonly model?: string;
  readonly ending: Ending;
  readonly stages: readonly LoadStage[];
  readonly judge: AnswerJudge;
  readonly recovery: LoadRecovery;
  /** The last control, if it was not answered. */
  readonly unrecovered?: Exchange;
  readonly areKeysBlocked: boolean;
  /** Valid calls were refused since the unknown keys were. */
  readonly isShutOut: boolean;
  readonly hasOtherKey: boolean;
  readonly during?: LoadDuring;
}
