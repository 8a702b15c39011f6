/** A run under load as it happens: every call, every stage, and how it ended. Plain data, so that it can be recorded. */
import type { Count, Duration, PositiveInteger } from '../scalars.ts';
import type { Settings } from '../settings.ts';
import type { Exchange } from './exchange.ts';
import type { UpstreamName } from './identity.ts';
import type { Traffic } from './traffic.ts';

/** The calls whose shares `--mix` sets. */
export const MIX_KINDS = ['plain', 'stream', 'list', 'refusal'] as const;
export type MixKind = (typeof MIX_KINDS)[number];

/** `refusal`: a value out of range. `unknown-key`: one at a time, at most 20 a stage. `slow-reader`: reads nothing for a while. */
export const LOAD_KINDS = [...MIX_KINDS, 'unknown-key', 'slow-reader'] as const;
export type LoadKind = (typeof LOAD_KINDS)[number];

// The lengths of replies. `paced`: the scripted upstream pauses in the middle.
export type ReplyProfileName = 'short' | 'medium' | 'long' | 'limited' | 'huge' | 'paced';

// `burst`: after a pause in which nothing is sent; `failover`: while one of two upstreams fails; `halving`: looks for the
// smallest load that shows a fault.
export type LoadPhase = 'ramp' | 'burst' | 'failover' | 'halving' | 'during';

/** What every answer that shows a fault has in common, and too few of the others. */
export const ONLY_WITH = [
  'after-disconnect',
  'open-stream',
  'slow-reader',
  'after-idle',
  'new-connection',
  'kept-connection',
] as const;
export type OnlyWith = (typeof ONLY_WITH)[number];

/** A stage without what is counted of its answers. */
export interface StageFacts {
  readonly phase: LoadPhase;
  /** Calls in flight that were asked for. */
  readonly inFlight: PositiveInteger;
  /** Calls that really were in flight: on average, and at most. */
  readonly reached: { readonly mean: number; readonly most: Count };
  /** Milliseconds since the run began. */
  readonly startedAt: Duration;
  readonly duration: Duration;
  /** Of two upstreams, the one that failed. */
  readonly failing?: UpstreamName;
  /** The checker itself while the stage ran. */
  readonly generator: {
    /** The 99th percentile of the delay of its event loop. */
    readonly delay: Duration;
    /** CPU seconds per second; 1 is one core. */
    readonly cpu: number;
    /** Resident memory in bytes at the end. */
    readonly memory: Count;
    /** Milliseconds in which no call was started because too many answers waited for judging. */
    readonly heldBack: Duration;
    /** It was too busy for times and pieces to count. */
    readonly isBusy: boolean;
    /** Share of all cores of the machine that was in use, by whatever; absent if the system does not tell. */
    readonly machine?: number;
    /** So much of the machine was in use that times and pieces do not count. */
    readonly isMachineBusy?: true;
  };
}

/** Whether the times of a stage tell something about the target (rule 36). */
export function areTimesSure({ isBusy, isMachineBusy }: StageFacts['generator']): boolean {
  return !isBusy && isMachineBusy !== true;
}

/** After the load, one call at a time. `last`: what the last control got. */
export type LoadRecovery =
  /** `took`: of the call that was answered; `before`: of the same call before the load. Absent in older recordings. */
  | { readonly kind: 'recovered'; readonly after: Duration; readonly took?: Duration; readonly before?: Duration }
  | { readonly kind: 'not-recovered'; readonly after: Duration; readonly last: RecoveryAnswer }
  /** It still rejects: that proves nothing. */
  | {
      readonly kind: 'rejecting';
      readonly after: Duration;
      readonly last: RecoveryAnswer;
      readonly retryAfter?: Duration;
    }
  | { readonly kind: 'not-asked' };

export interface RecoveryAnswer {
  /** Absent without an answer. */
  readonly status?: Count;
  /** Why there was none: `refused`, `closed`, `timeout` and so on. */
  readonly failure?: string;
}

/** The command of `--during`, and how it ended. */
export interface LoadDuring {
  readonly command: readonly string[];
  readonly duration: Duration;
  readonly end:
    | { readonly kind: 'exited'; readonly code: number }
    | { readonly kind: 'signalled'; readonly signal: string }
    | { readonly kind: 'not-started'; readonly code: string }
    | { readonly kind: 'ended-by-us' };
}

/** A call that has ended. Times are those of one clock. */
export interface EndedCall {
  readonly kind: LoadKind;
  /** Index of its stage. */
  readonly stage: Count;
  /** When it ended. */
  readonly to: number;
  /** When the scripted upstream had sent its whole reply. */
  readonly upstreamDone?: number;
  /** What is judged of the requests that reached the scripted upstream, as bodies. Absent in older recordings. */
  readonly arrived?: readonly string[];
  /** A request of it reached a connection that the scripted upstream had closed as idle. */
  readonly metIdleClose?: true;
  /** The scripted upstream sent token counts. */
  readonly usageSent?: true;
  /** The scripted upstream paused in the middle of the stream. */
  readonly wasPaced?: true;
  /** Of two upstreams, those that were called for it until it ended, in order: the first thousand. */
  readonly called?: readonly UpstreamName[];
  /** Our client disconnected. */
  readonly hasLeft: boolean;
  /** What held when it was sent. */
  readonly traits: readonly OnlyWith[];
}

/** What happened, in this order. Judging depends on nothing else. `Kept`: the form of an exchange. */
export type LoadEvent<Kept = Exchange> =
  /** A call of a stage, with its answer. */
  | { readonly kind: 'call-ends'; readonly id: string; readonly call: EndedCall; readonly exchange: Kept }
  /** A list of a key, asked alone. */
  | { readonly kind: 'list'; readonly when: 'before' | 'after'; readonly exchange: Kept }
  | { readonly kind: 'call-begins'; readonly id: string; readonly profile: ReplyProfileName; readonly from: number }
  /** A call outside the stages, which is not judged. */
  | { readonly kind: 'call-dropped'; readonly id: string; readonly to: number }
  | { readonly kind: 'stage-begins'; readonly phase: LoadPhase }
  | { readonly kind: 'stage-ends'; readonly facts: StageFacts; readonly isInterrupted: boolean }
  | { readonly kind: 'lists-end' };

/** What is known only at the end. */
export interface LoadEnd extends Pick<Traffic, 'ending' | 'used' | 'notices' | 'endedAt'> {
  readonly recovery: LoadRecovery;
  /** The last control, if it was not answered. */
  readonly unrecovered?: Exchange;
  readonly model?: string;
  readonly areKeysBlocked: boolean;
  /** Valid calls were refused since the unknown keys were. */
  readonly isShutOut: boolean;
  readonly hasOtherKey: boolean;
  readonly during?: LoadDuring;
  /** Requests of `used` whose connection was refused, so that nothing was sent. Absent in older recordings. */
  readonly refused?: Count;
}

/** What is known before the first call. */
export interface LoadStart {
  readonly settings: Settings;
  /** What the words of this run are made with. */
  readonly salt: Count;
  readonly startedAt: number;
  /** The address of the scripted upstream, if it is behind the gateway. */
  readonly upstreamUrl?: string;
}
