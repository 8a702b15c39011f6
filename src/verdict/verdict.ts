/** Findings and verdicts. Plain data: renderers write the sentences. */
import type { Kind, Level } from '../contract/contract.ts';
import type { Actual } from './actual.ts';
import type { Expected } from './expected.ts';
import type { ObservedValue } from './observation.ts';
import type { Reason } from './reason.ts';

export const VERDICTS = ['fail', 'inconclusive', 'warn', 'pass', 'observed', 'skipped'] as const;
/** Worst first. */
export type VerdictName = (typeof VERDICTS)[number];

/** One mismatch between a clause and an answer. */
export interface Finding {
  /** The kind of mismatch, such as `type`, `absent`, `status`, `completion`. Part of the fingerprint. */
  readonly mismatch: string;
  /** The exchange that shows it, and which of its attempts. */
  readonly exchange: string;
  readonly attempt: number;
  /** JSON pointer into the body. In a stream, the first token is the index of the event. */
  readonly pointer?: string;
  readonly expected: Expected;
  /** Part of the fingerprint, unlike the value. */
  readonly actualType: string;
  readonly actual: Actual;
  /** For the body of an error: the status of the answer. Part of the fingerprint, so each status is a finding of its own. */
  readonly status?: number;
  /** Number of further places with the same mismatch. */
  readonly more: number;
  /** Number of further answers that these places are in. Default: 0. */
  readonly moreAnswers?: number;
}

export interface Observation {
  readonly name: string;
  readonly value: ObservedValue;
}

/** The level of the clause turns this into a verdict. */
export type CheckResult =
  | { readonly kind: 'holds'; readonly flaky?: boolean }
  | { readonly kind: 'broken'; readonly findings: readonly Finding[] }
  | { readonly kind: 'inconclusive'; readonly reason: Reason }
  | { readonly kind: 'skipped'; readonly reason: Reason }
  | { readonly kind: 'observed'; readonly observations: readonly Observation[] };

/** The verdict on one expectation: one case, one clause. */
export interface Verdict {
  readonly case: string;
  readonly clause: string;
  readonly kind: Kind;
  readonly level: Level;
  readonly check: string;
  readonly verdict: VerdictName;
  /** For inconclusive and skipped. */
  readonly reason?: Reason;
  /** It held, but only after a retry. */
  readonly flaky: boolean;
  readonly findings: readonly (Finding & { readonly fingerprint: string })[];
  readonly observations: readonly Observation[];
  /** Exchanges that the check looked at, at most three. */
  readonly exchanges: readonly string[];
}
