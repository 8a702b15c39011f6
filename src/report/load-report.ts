/** What `wirecheck load` adds to a report: its stages with counts and times, and how the target held up. Plain data. */
import type { LoadEnd, LoadKind, MixKind, OnlyWith, StageFacts } from '../exchange/load-traffic.ts';
import type { Count, Duration, PositiveInteger } from '../scalars.ts';

export {
  areTimesSure,
  LOAD_KINDS,
  type LoadDuring,
  type LoadKind,
  type LoadPhase,
  type LoadRecovery,
  MIX_KINDS,
  type MixKind,
  ONLY_WITH,
  type OnlyWith,
} from '../exchange/load-traffic.ts';

/**
 * What became of a call; each has exactly one. `answered`: as asked, a due refusal included; `rejected`: 429 or 503 with
 * the error body; `failed`: a refusal, a 5xx or a closed connection that breaks no clause, such as while a command of the
 * user runs; `broken`: any other that failed, and an answer that breaks a clause; `unanswered`: no answer, or no text yet,
 * when a time limit or the end of its stage ended it; `left`: our client disconnected on purpose, or read so slowly that it
 * did not get the whole reply, and what it read breaks no clause; `limit`: ended by a limit of ours.
 */
export const LOAD_OUTCOMES = ['answered', 'rejected', 'failed', 'broken', 'unanswered', 'left', 'limit'] as const;
export type LoadOutcome = (typeof LOAD_OUTCOMES)[number];

/** Milliseconds from sending to the headers, to the first text of a stream, and to the end of the body. */
export const LOAD_TIMES = ['headers', 'first-text', 'end'] as const;
export type LoadTime = (typeof LOAD_TIMES)[number];

export const LOAD_QUANTILES = ['p50', 'p95', 'p99'] as const;
export type LoadQuantile = (typeof LOAD_QUANTILES)[number];

export type OutcomeCounts = Readonly<Record<LoadOutcome, Count>>;

/** Times of the answered calls of one stage. */
export interface LoadTimes extends Readonly<Record<LoadQuantile, Duration>> {
  readonly count: PositiveInteger;
  readonly max: Duration;
  /** Buckets that hold something, in order: the upper bound in milliseconds, and how many calls it took at most. */
  readonly histogram: readonly (readonly [atMost: number, calls: PositiveInteger])[];
}

export interface LoadKindReport {
  readonly kind: LoadKind;
  readonly outcomes: OutcomeCounts;
  /** Calls that were neither rejected nor ended by us. */
  readonly answers: Count;
  /** At least 30 answers. With fewer, the stage was not reached for this kind. */
  readonly isReached: boolean;
  /** A fault in one of this many answers would have been seen, with 95 % confidence. */
  readonly oneIn: PositiveInteger;
}

/** Why a stage says nothing. */
export const STAGE_DOUBTS = ['unanswered', 'interrupted', 'command-failed'] as const;
export type StageDoubt = (typeof STAGE_DOUBTS)[number];

export interface LoadStage extends StageFacts {
  readonly calls: Count;
  readonly outcomes: OutcomeCounts;
  /** The kinds in the order of `LOAD_KINDS`, without those that were not sent. */
  readonly kinds: readonly LoadKindReport[];
  /** Absent for a time that no call had. */
  readonly times: Readonly<Partial<Record<LoadTime, LoadTimes>>>;
  /** Calls that were still in flight long after the planned end of the stage, so that wirecheck ended them. */
  readonly givenUp?: PositiveInteger;
  /** Calls to either of two upstreams, and the most for one call. */
  readonly upstreams?: { readonly primary: Count; readonly fallback: Count; readonly most: Count };
  /** When broken calls were sent, the first 200: milliseconds since the run began. Absent in older reports. */
  readonly brokenAt?: readonly Duration[];
  /** When calls were sent that got the text of another one, and when the other one was: the first 200. */
  readonly mixedAt?: readonly (readonly [call: Duration, other: Duration])[];
  /** The stage is inconclusive. */
  readonly doubt?: StageDoubt;
}

/** Answers of one stage that a clause was judged by. */
export interface StageCount {
  /** Index in the list of stages. */
  readonly stage: Count;
  readonly judged: Count;
  readonly broken: Count;
}

/** Stages with so many in flight. */
interface LoadSeen {
  readonly inFlight: PositiveInteger;
  readonly judged: Count;
  readonly broken: PositiveInteger;
}

/** The smallest load that shows a fault by the rule of its clause: seen at one number in flight, not at a smaller one. */
export interface LoadThreshold {
  readonly seen: LoadSeen;
  readonly unseen?: Omit<LoadSeen, 'broken'>;
  /** Stages below `seen` that show it in too few answers to count, the largest load first. */
  readonly fewer?: readonly LoadSeen[];
}

/** How often an expectation was judged and broken, over all stages. */
export interface LoadCount {
  readonly case: string;
  readonly clause: string;
  readonly judged: Count;
  readonly broken: Count;
  /** Calls in flight of the lowest stage that shows it, by the rule of its clause if one does. */
  readonly firstAt?: PositiveInteger;
  /** Only stages with answers to judge. */
  readonly stages: readonly StageCount[];
  readonly threshold?: LoadThreshold;
  /** Seen only while one of two upstreams failed. */
  readonly whileFailing?: true;
  readonly onlyWith?: readonly OnlyWith[];
}

/** Why nothing is judged. */
export const LOAD_GAPS = [
  'alone-unanswered',
  'stage-inconclusive',
  'recovery-inconclusive',
  'keys-blocked',
  'command-failed',
  'ended',
] as const;
export type LoadGap = (typeof LOAD_GAPS)[number];

/** Stages of the ramp above the one that held: no kind of call had 30 answers. `raise`: the setting that ended them. */
export interface TooFewAnswers {
  readonly from: PositiveInteger;
  readonly to: PositiveInteger;
  readonly raise: 'max-completions' | 'max-requests' | 'duration';
}

/** The line at the end. `answers`: all that were judged. */
export type LoadVerdict =
  | {
      readonly kind: 'held';
      /** The highest stage that judged something. */
      readonly upTo: PositiveInteger;
      readonly answers: Count;
      /** Those that break a clause, but are too few to count. */
      readonly broken?: PositiveInteger;
      /** Why it went no higher: at this many in flight, this share was rejected as overloaded. */
      readonly rejected?: { readonly inFlight: PositiveInteger; readonly share: number };
      readonly tooFew?: TooFewAnswers;
    }
  | {
      readonly kind: 'broken';
      /** The lowest stage that shows it; 1 is an ordinary finding. */
      readonly from: PositiveInteger;
      /** How many answers were judged by the clause that most of them break, and how many break it. */
      readonly answers: Count;
      readonly broken: Count;
      /** Clauses that count and are broken; that one first. */
      readonly clauses: readonly string[];
    }
  | { readonly kind: 'not-judged'; readonly why: LoadGap; readonly inFlight?: PositiveInteger };

/** `--budget first-text.p50=800ms`, with `@16` for a stage. */
export interface LoadBudget {
  readonly time: LoadTime;
  readonly quantile: LoadQuantile;
  readonly most: Duration;
  /** Calls in flight of its stage; absent for all stages of the ramp together. */
  readonly inFlight?: PositiveInteger;
  readonly result:
    | { readonly kind: 'kept' | 'broken'; readonly actual: Duration; readonly answers: Count }
    /** Chance is not excluded. `needed`: how many answers would do. */
    | { readonly kind: 'not-judged'; readonly answers: Count; readonly needed: PositiveInteger };
}

/** What a command that repeats a load needs. */
export interface RepeatNeeds {
  /** The host that has to be allowed with `--allow-load`. Whoever repeats it has to type it out. */
  readonly permission?: string;
  /** Calls in flight of the stage that shows the fault, and how many seconds it takes to show it. */
  readonly inFlight?: PositiveInteger;
  readonly seconds?: Count;
  /** Seconds of the whole command. */
  readonly most?: Count;
}

export interface LoadReport extends Pick<LoadEnd, 'recovery' | 'during' | 'refused'> {
  /** The most calls in flight that were asked for. */
  readonly concurrency: PositiveInteger;
  readonly mix: Readonly<Record<MixKind, Count>>;
  /**
   * Share of the calls whose client disconnects.
   *
   * @minimum 0
   * @maximum 1
   */
  readonly disconnects: number;
  readonly slowReaders: Count;
  /** The stages in the order of running. */
  readonly stages: readonly LoadStage[];
  /** Judged answers of all stages. */
  readonly answers: Count;
  /** Those that break a clause. */
  readonly broken: Count;
  readonly counts: readonly LoadCount[];
  readonly budgets: readonly LoadBudget[];
  readonly verdict: LoadVerdict;
}
