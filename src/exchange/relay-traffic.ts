/** What was gathered at both ends: plain data, so that it can be stored and judged again. */
import type { Cost } from '../plan/plan.ts';
import type { Count, Duration } from '../scalars.ts';
import type { Settings } from '../settings.ts';
import type { Ending } from './ending.ts';
import type { Exchange } from './exchange.ts';
import type { Notice } from './notice.ts';

/** A request at the upstream that belongs to no question. */
export interface OtherRequest {
  readonly method: string;
  /** Redacted. */
  readonly path: string;
  /** How often it came. Absent in older recordings, which list it as often. */
  readonly count?: Count;
}

/** Their number, and the first few that differ. */
export interface OtherRequests {
  readonly count: number;
  readonly first: readonly OtherRequest[];
  /** When the first hundreds to chat arrived, in milliseconds since the run began. Absent in older recordings. */
  readonly chatsAt?: readonly Duration[];
}

export interface AskedCase {
  readonly case: string;
  /** Ids of the exchanges at the front; empty if it could not be asked. */
  readonly asked: readonly string[];
  /** Whether the same kind of call was answered before the case and after it. */
  readonly control: 'answered' | 'unanswered';
  /** The last control, if the gateway did not answer it within `--recovery` after the failure of this case. */
  readonly unrecovered?: string;
}

export interface RelayTraffic {
  readonly cases: readonly AskedCase[];
  /** All calls of the client, controls included, in the order of sending. */
  readonly front: readonly Exchange[];
  /** All calls at the upstream, in the order of arrival. */
  readonly upstream: readonly Exchange[];
  readonly otherRequests: OtherRequests;
  /** Requests of the gateway that were too large or too many for the upstream. */
  readonly overflow: number;
  readonly ending: Ending;
  readonly model?: string;
  readonly used: Cost;
  readonly notices: readonly Notice[];
  /** A credential of the gateway arrived that is long enough to be found. */
  readonly knowsUpstreamKey: boolean;
  /** Wall clock, milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/** A relay that was checked: how it was asked, and what came of it. */
export interface CheckedRelay {
  readonly settings: Settings;
  readonly hasSecondKey: boolean;
  readonly upstreamUrl: string;
  readonly traffic: RelayTraffic;
}
