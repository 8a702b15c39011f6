/** What is done with a subject of the self-test, and what comes of it. */
import type { Report } from '../src/report/report.ts';
import type { TestSubject } from './test-subjects.ts';

export interface TrialOptions {
  /** For gateways: sockets only where an answer needs one. Several times as fast, and the same verdicts. */
  readonly inMemory?: boolean;
  /** Gateways that are also judged with --strict, and once more from their recording; all by default. */
  readonly judgesTwice?: (subject: TestSubject) => boolean;
  /** Cases for a client or a relay that names none of its own, and for a relay none of those that take seconds; all by default. */
  readonly casesFor?: (subject: TestSubject) => readonly string[];
}

/** How the subjects of a side are tried. */
export interface TestSide {
  /** Number of subjects at a time. */
  readonly parallel: number;
  /** Tried alone from the start. */
  readonly needsQuiet?: (subject: TestSubject) => boolean;
  /** `patience`: factor for its timeouts. */
  readonly tryOut: (subject: TestSubject, patience: number, options: TrialOptions) => Promise<Judged>;
}

export interface Judged {
  readonly plain: Report;
  /** If the same exchanges were also judged with --strict. */
  readonly strict?: Report;
  /** Of its recording. */
  readonly problems?: readonly string[];
}

export interface TrialResult {
  readonly subject: TestSubject;
  /** Differences from what was expected; empty if all is well. */
  readonly problems: readonly string[];
  /** Case or scenario → clauses that it found broken. */
  readonly foundBy: Readonly<Record<string, readonly string[]>>;
  /** Every verdict without --strict, in one line. */
  readonly verdicts: string;
}
