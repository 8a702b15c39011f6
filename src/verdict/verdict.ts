/** What was found, and what it means. Everything here is plain data: renderers write the sentences. */
import type { Kind, Level } from '../contract/contract.ts';
import type { Actual } from './actual.ts';
import type { Expected } from './expected.ts';
import type { ObservedValue } from './observation.ts';
import type { Reason } from './reason.ts';

export const VERDICTS = ['fail', 'inconclusive', 'warn', 'pass', 'observed', 'skipped'] as const;
/** In this order, the worst first. */
export type VerdictName = (typeof VERDICTS)[number];

/** One mismatch between what a clause asks for and what came. */
export interface Finding {
  /** The kind of mismatch, such as `type`, `absent`, `status`, `completion`. Part of the fingerprint. */
  readonly mismatch: string;
  /** The exchange that shows it, and which of its attempts. */
  readonly exchange: string;
  readonly attempt: number;
  /** Place in the body, where there is one. In a stream the first token is the number of the event. */
  readonly pointer?: string;
  readonly expected: Expected;
  /** Type of what stood there; part of the fingerprint, unlike its value. */
  readonly actualType: string;
  readonly actual: Actual;
  /** In how many further places of the same exchanges the same mismatch stands. */
  readonly more: number;
}

export interface Observation {
  readonly name: string;
  readonly value: ObservedValue;
}

/** What a check says. The level of the clause decides what becomes of it. */
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
