/** The options of a reception, and its result. */
import type { AnswerWait } from './answer-wait.ts';
import type { Bound, Mode } from '../../plan/plan.ts';
import type { Settings } from '../../settings.ts';
import type { Answer, Body, Failure } from '../exchange.ts';
import type { ByteAllowance } from './collector.ts';
import type { WireTap } from './wire-tap.ts';

export interface ReceivedAnswer extends Omit<Answer, 'body'>, Omit<Body, 'maxDepth'> {
  readonly statusText: string;
}

export type ReceivedHead = Pick<ReceivedAnswer, 'status' | 'statusText' | 'httpVersion' | 'headers' | 'headersAt'>;

export type Received =
  | { readonly kind: 'answer'; readonly sentAt: number; readonly answer: ReceivedAnswer }
  | { readonly kind: 'none'; readonly sentAt: number; readonly failure: Failure };

export interface ReceptionOptions {
  readonly tap: WireTap;
  readonly mode: Mode;
  /** Default: the target ends the reply. */
  readonly bound?: Bound;
  readonly limits: Settings['limits'];
  readonly timeouts: Settings['timeouts'];
  readonly signal: AbortSignal | undefined;
  readonly room: ByteAllowance;
  readonly readsAfter?: number;
  readonly onEvents?: (events: number) => void;
  /** For a progress line. */
  readonly wait?: AnswerWait | undefined;
}
