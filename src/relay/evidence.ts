/** What was gathered at both ends, ready to be judged. */
import type { Ending } from '../exchange/ending.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Notice } from '../exchange/notice.ts';
import type { Cost } from '../plan/plan.ts';
import type { KeyUse } from '../suite/case.ts';
import type { FrontReading } from './judge/front-reading.ts';
import type { RelayCase } from './relay-case.ts';
import type { Stranger } from './upstream/upstream.ts';
import type { UpstreamCall } from './upstream/upstream-call.ts';

/** One call of the client, and the upstream calls that it led to. */
export interface Asked {
  readonly id: string;
  readonly key: KeyUse;
  readonly front: Exchange;
  /** When it was sent, by `performance.now()`. */
  readonly sentAt: number;
  readonly reading: FrontReading;
  /** In the order of arrival. */
  readonly calls: readonly UpstreamCall[];
  /** When the client stopped waiting or left, by `performance.now()`. */
  readonly leftAt?: number;
}

export interface CaseEvidence {
  readonly case: RelayCase;
  /** Empty if it could not be asked. */
  readonly asked: readonly Asked[];
  /** Whether the same kind of call was answered before the case and after it. */
  readonly control: 'answered' | 'unanswered';
}

export interface Gathered {
  readonly cases: readonly CaseEvidence[];
  /** All calls of the client, controls included. */
  readonly asked: readonly Asked[];
  /** All exchanges at the front, in the order of sending. */
  readonly front: readonly Exchange[];
  readonly calls: readonly UpstreamCall[];
  readonly strangers: { readonly count: number; readonly first: readonly Stranger[] };
  /** Requests of the gateway that were too large or too many for the upstream. */
  readonly overflow: number;
  readonly ending: Ending;
  readonly model?: string;
  readonly used: Cost;
  readonly notices: readonly Notice[];
  /** A credential of the gateway arrived that is long enough to be found. */
  readonly knowsUpstreamKey: boolean;
  /** Start of the run: wall clock, and by `performance.now()`. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly began: number;
}
