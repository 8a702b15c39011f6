/** What `wirecheck verify` found out. Plain data; `schemas/files/verification.schema.json` is made from these types. */
import type { Subject } from '../../contract/contract.ts';
import type { Exit } from '../../exit-codes.ts';
import type { Count, Sha256 } from '../../scalars.ts';
import type { VerdictName } from '../../verdict/verdict.ts';
import type { Product, Report } from '../report.ts';

/**
 * `not-comparable`: another version of wirecheck made the report, or a suite file of the run has changed, and this one comes
 * to another result.
 */
export const VERIFICATION_RESULTS = ['verified', 'differs', 'not-comparable'] as const;
export type VerificationResult = (typeof VERIFICATION_RESULTS)[number];

/** Something in the report that the recording does not give, or damage in a file. */
export type ReportDifference =
  /** The report was changed after it was written, or the recording is not the one that it names. */
  | { readonly kind: 'report-digest' | 'recording-digest'; readonly stated: Sha256; readonly actual: Sha256 }
  /** The report lacks a digest that every report of a command has. */
  | { readonly kind: 'no-digest'; readonly member: '/reportDigest' | '/recordingDigest' }
  /** The recording cannot be judged. */
  | { readonly kind: 'unreadable'; readonly message: string }
  | { readonly kind: 'subject'; readonly reported: SubjectWord; readonly recorded: SubjectWord }
  /** Absent on the side that does not have the expectation. */
  | {
      readonly kind: 'verdict';
      readonly case: string;
      readonly clause: string;
      readonly reported?: VerdictName;
      readonly judged?: VerdictName;
    }
  /** The verdict is the same, and its findings are not. */
  | { readonly kind: 'findings'; readonly case: string; readonly clause: string }
  /** Any other member of the report. Values as JSON, shortened; absent on the side that has none. */
  | { readonly kind: 'member'; readonly pointer: string; readonly reported?: string; readonly judged?: string };

export type JudgingChange = 'strict' | 'profile';

export type SubjectWord = Subject | 'gateway';

/**
 * What `wirecheck verify --json` prints.
 *
 * @title a verification
 */
export interface Verification {
  readonly format: 'wirecheck-verification';
  readonly version: 1;
  readonly result: VerificationResult;
  readonly exit: Exit<'passed' | 'failed' | 'usage'>;
  /** The wirecheck that verified, and its edition of the tests. */
  readonly tool: Report['tool'];
  readonly edition: string;
  readonly editionDigest: Sha256;
  readonly report: {
    readonly file: string;
    /** The wirecheck that made it. */
    readonly tool: Report['tool'];
    readonly edition?: string;
    readonly editionDigest?: Sha256;
    readonly outcome: Report['outcome']['name'];
    /** The digest as it is now. */
    readonly digest: Sha256;
    /** As the report says. Absent in reports of 0.2.0 and of a library. */
    readonly stated?: Sha256;
  };
  readonly recording: {
    readonly file: string;
    readonly digest: Sha256;
    /** As the report says. Absent if it was made without a recording. */
    readonly stated?: Sha256;
    /** Suite files that the recording names. They were read from this disk. */
    readonly suites: readonly string[];
  };
  /**
   * `verdicts`: everything but the words of the cases and the digest of the contract, since a suite file of the run has
   * changed. `nothing`: another version of wirecheck made the report.
   */
  readonly compared: 'everything' | 'verdicts' | 'nothing';
  /** How the report was judged otherwise than its run, as `wirecheck judge` can: more strictly, or by another profile. */
  readonly otherwise: readonly JudgingChange[];
  readonly differences: readonly ReportDifference[];
  /** Differences that are not listed. Beyond 10,000 members, the count stops. */
  readonly more: Count;
  /** Members of the report that no recording can show, by their pointers. */
  readonly notRecorded: readonly string[];
  /** With `--submission`. */
  readonly submission?: Submission;
}

/** Whether the result may stand in a table of results. */
export interface Submission {
  /** Why it does not count: none if it does. */
  readonly reasons: readonly SubmissionReason[];
  /** Its row. Absent if it does not count. */
  readonly row?: SubmissionRow;
}

export interface SubmissionReason {
  readonly kind:
    | 'not-verified'
    | 'other-wirecheck'
    | 'no-digests'
    | 'draft'
    | 'changed-tests'
    | 'old-edition'
    | 'other-check'
    | 'profile'
    | 'suites'
    | 'smaller'
    | 'interrupted'
    | 'not-judged'
    | 'waivers'
    | 'baseline'
    | 'unnamed';
  /** Settings that decide which requests are sent, or flags that are missing. */
  readonly names?: readonly string[];
}

export interface SubmissionRow extends Required<Product> {
  readonly edition: string;
  /** The must clauses that are broken. */
  readonly broken: readonly string[];
  /** Clauses that were challenged, and so break nothing. */
  readonly challenged: readonly string[];
  readonly judged: Count;
  readonly of: Count;
  /** The day of the run (UTC). */
  readonly date: string;
  /** What `--note` says: the settings of the product. */
  readonly note: string;
}
