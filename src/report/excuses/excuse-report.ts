/** The part of a report that is about waivers and a baseline. */
import type { CaseClause, WaiverEntry } from './waivers.ts';
import type { Count, Day, PositiveInteger, Timestamp } from '../../scalars.ts';

/** Why something broken does not count for the exit code. `known`: the baseline has it too. */
export const EXCUSES = ['waived', 'known'] as const;
export type Excuse = (typeof EXCUSES)[number];

/**
 * A finding against the baseline. `new-case`: the suites of the baseline had no such case, or it looked at less;
 * `not-asked`: the baseline could not tell, or the case was not chosen for it; `waiver-expired`: the baseline has it, but
 * a waiver set a deadline for it that is over. All but `known` count.
 */
export const SINCE_BASELINE = ['known', 'new', 'new-case', 'not-asked', 'waiver-expired'] as const;
export type SinceBaseline = (typeof SINCE_BASELINE)[number];

/**
 * `unused`: everything that it names was asked and passed, or it names nothing; `undecided`: nothing that it names failed, but not all of it passed;
 * `expired`: its last day is over; `pending`: the day of the removal is still to come.
 */
export const WAIVER_STATES = ['in-use', 'unused', 'undecided', 'expired', 'pending'] as const;
export type WaiverState = (typeof WAIVER_STATES)[number];

export interface WaiverReport extends WaiverEntry {
  readonly line: PositiveInteger;
  readonly state: WaiverState;
  /** Findings that it excuses, or would excuse if it were in effect. */
  readonly findings: Count;
  /** No case of that name judges the clause. */
  readonly matchesNothing?: true;
}

export interface WaiversReport {
  readonly file: string;
  /** The day for which expiry was decided. */
  readonly today: Day;
  readonly failOnUnused: boolean;
  readonly entries: readonly WaiverReport[];
}

/** A finding of the baseline that this run does not have. */
export interface OlderFinding extends CaseClause {
  readonly fingerprint: string;
}

export interface BaselineReport {
  readonly file: string;
  readonly baseUrl: string;
  readonly startedAt: Timestamp;
  /** Whether the contract and the built-in suites are unchanged. */
  readonly sameContract: boolean;
  readonly fixed: readonly OlderFinding[];
  /** Deselected, skipped, inconclusive or flaky in this run. */
  readonly notJudged: readonly OlderFinding[];
}
