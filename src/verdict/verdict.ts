/** Findings and verdicts. Plain data: renderers write the sentences. */
import type { Kind, Level } from '../contract/contract.ts';
import type { Quote } from '../text/quote.ts';
import type { Actual } from './actual.ts';
import type { ActualType } from './actual-type.ts';
import type { Expected } from './expected.ts';
import type { Mismatch } from './mismatch.ts';
import type { Observation } from './observation.ts';
import type { AnswerStatus } from '../exchange/answer-status.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Endpoint, Mode } from '../plan/plan.ts';
import type { Reason } from './reason.ts';
import type { Count, Integer } from '../scalars.ts';

export const VERDICTS = ['fail', 'inconclusive', 'warn', 'pass', 'observed', 'skipped'] as const;
/** Worst first. */
export type VerdictName = (typeof VERDICTS)[number];

/** One mismatch between a clause and an answer. */
export interface Finding {
  /** Part of the fingerprint. */
  readonly mismatch: Mismatch;
  /** The exchange that shows it, and which of its attempts. */
  readonly exchange: string;
  readonly attempt: Count;
  /** JSON pointer into the body. In a stream, the first token is the index of the event. */
  readonly pointer?: string;
  readonly expected: Expected;
  /** Part of the fingerprint, unlike the value. */
  readonly actualType: ActualType;
  readonly actual: Actual;
  /**
   * For the body of an error, or a header that answers of any status need: the status of the answer. Part of the
   * fingerprint, so each status is a finding of its own.
   */
  readonly status?: Integer;
  /** What the answer says, if the body is that of an error. */
  readonly answer?: AnswerStatus;
  /** The places in which a drawn request differs from one that passes, as JSON pointers. Part of the fingerprint. */
  readonly trigger?: readonly string[];
  /** Number of further places with the same mismatch. */
  readonly more: Count;
  /** Number of further answers that these places are in. Default: 0. */
  readonly moreAnswers?: Count;
}

/** A trait of answers. `value` is quoted from the target. */
export interface Shared {
  readonly trait: SharedTrait;
  readonly value: Quote;
}

export type SharedTrait = 'connection' | 'x-served-by' | 'server' | 'via' | 'system_fingerprint' | 'model';

/** The exchanges that a check judged, by what it found. */
export interface Answers {
  readonly kept: readonly Exchange[];
  readonly broken: readonly Exchange[];
}

/** Answers to one kind of request, with the same status. */
export interface AnswerKind {
  readonly endpoint: Endpoint;
  readonly mode: Mode;
  readonly status: Integer;
}

export interface CountedAnswers {
  readonly judged: Count;
  readonly broken: Count;
  /** The same counts for each status with a wrong body, if some bodies of errors are wrong. */
  readonly statuses?: readonly { readonly status: Integer; readonly judged: Count; readonly broken: Count }[];
}

/** The level of the clause turns this into a verdict. */
export type CheckResult =
  /** `answers`: absent if every exchange that the check looked at counts. */
  | { readonly kind: 'holds'; readonly flaky?: boolean; readonly answers?: Answers }
  | { readonly kind: 'broken'; readonly findings: readonly Finding[]; readonly answers?: Answers }
  | { readonly kind: 'inconclusive'; readonly reason: Reason }
  | { readonly kind: 'skipped'; readonly reason: Reason }
  | { readonly kind: 'observed'; readonly observations: readonly Observation[] };

/** Nothing was judged. */
export type NotJudged = Extract<CheckResult, { readonly kind: 'inconclusive' | 'skipped' }>;

/** The verdict on one expectation: one case, one clause. */
export interface Verdict {
  readonly case: string;
  readonly clause: string;
  readonly kind: Kind;
  readonly level: Level;
  readonly check: string;
  readonly verdict: VerdictName;
  /** Why it is inconclusive or skipped. */
  readonly reason?: Reason;
  /** It held, but only after a retry. */
  readonly flaky: boolean;
  readonly findings: readonly (Finding & { readonly fingerprint: string })[];
  readonly observations: readonly Observation[];
  /** Exchanges that the check looked at, at most three. */
  readonly exchanges: readonly string[];
  /** How many answers were judged, and how many of them broke the clause. Absent for a verdict on the run as a whole. */
  readonly answers?: CountedAnswers;
  /** Kinds of different requests, of which some answers kept the clause and some broke it. */
  readonly mixed?: readonly AnswerKind[];
  /** The same request sometimes broke the clause and sometimes kept it. */
  readonly intermittent?: true;
  /** What all answers that broke it have in common, and none that kept it. */
  readonly shared?: readonly Shared[];
}
