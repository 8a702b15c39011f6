/** What a report says of an exploration, beyond its verdicts. */
import type { Count, PositiveInteger } from '../scalars.ts';

/** A place in which the failing request differs from the passing one, as JSON texts. Absent on the side that lacks it. */
export interface DrawnDifference {
  /** JSON pointer into the body. Of a sequence, it begins with the place of the request, from 1. */
  readonly pointer: string;
  readonly failing?: string;
  readonly passing?: string;
}

/** A finding, and the smallest request that shows it. */
export interface ExploredFinding {
  readonly fingerprints: readonly string[];
  /** The value of `--path`: the number of the draw and the choices that made it smaller. */
  readonly path: string;
  /** Requests on one connection; 1 if it is not a sequence. */
  readonly length: PositiveInteger;
  /** The exchange that shows it. */
  readonly exchange: string;
  /** False if the budget ran out first, or if a smaller request did not show it every time. */
  readonly isShrunk: boolean;
  /** Requests that were sent to shrink it. */
  readonly requests: Count;
  /** Draws that show it. */
  readonly draws: PositiveInteger;
  /** How often the request was asked, and how often it failed, if the very same one also passes. */
  readonly intermittent?: { readonly failed: PositiveInteger; readonly asked: PositiveInteger };
  /** It got no answer in time, or the connection was closed instead: no verdict, and so no fingerprint. */
  readonly silence?: 'timeout' | 'closed';
  /** The exchange of the nearest request that passes. */
  readonly neighbour?: string;
  readonly difference: readonly DrawnDifference[];
  /** What else it needs: without any of it, the request passes. */
  readonly beside?: readonly DrawnDifference[];
  /** Violations of several clauses fail alike: an exchange of each other clause. */
  readonly alike?: readonly string[];
}

/** What kept a draw that failed from being asked again: a budget, the time for requests without an answer, or the end of the run. */
export type AskingLimit = 'completions' | 'requests' | 'silence' | 'run';

export interface ExploreReport {
  /** Those that were sent, at least in part. */
  readonly draws: Count;
  readonly sequences: Count;
  /** Drawn requests that were not sent, since a budget or the time ran out. Absent if all were. */
  readonly unsent?: PositiveInteger;
  /** Requests that were sent, by what the contract says of them. */
  readonly kinds: Readonly<Record<'valid' | 'tolerant' | 'invalid' | 'open', Count>>;
  /** Pairs of fields that were drawn together, with the number of different pairs of values. */
  readonly pairs: readonly { readonly fields: readonly [string, string]; readonly values: PositiveInteger }[];
  /** Pairs of fields that were not. */
  readonly missing: readonly (readonly [string, string])[];
  readonly findings: readonly ExploredFinding[];
  /** Draws that failed once and passed when they were asked again. */
  readonly flaky: readonly PositiveInteger[];
  /** Draws that failed, and could not be asked again. */
  readonly unconfirmed: readonly PositiveInteger[];
  /** Why they could not. Absent if there are none. */
  readonly askingLimit?: AskingLimit;
}
