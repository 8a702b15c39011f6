/** What is done with a subject of the self-test, what comes of it, and how many are tried side by side. */
import type { Report } from '../src/report/report.ts';
import type { TestSubject } from './test-subjects.ts';

export interface TrialOptions {
  /** A gateway gets sockets only where an answer needs one. Several times as fast, and the same verdicts. */
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
  needsQuiet?(subject: TestSubject): boolean;
  /** `patience`: factor for its timeouts. */
  tryOut(subject: TestSubject, patience: number, options: TrialOptions): Promise<Judged>;
}

export interface Judged {
  readonly plain: Report;
  /** The same exchanges, judged with --strict. */
  readonly strict?: Report;
  /** How the report of its recording differs. */
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

export interface TryOptions<Subject, Result> {
  /** Subjects at a time. */
  readonly parallel: number;
  /** `patience`: factor for its timeouts. */
  readonly tryOut: (subject: Subject, patience: number) => Promise<Result>;
  readonly accepts: (result: Result) => boolean;
  /** Tried alone from the start. */
  readonly needsQuiet?: (subject: Subject) => boolean;
  /** Called for each subject, once its result is final. */
  readonly onResult?: ((result: Result) => void) | undefined;
}

/** Factor for the timeouts of a subject that is tried alone. */
const PATIENCE = 5;

/** The results have the order of the subjects. */
export async function trySubjects<Subject, Result>(
  subjects: readonly Subject[],
  { parallel, tryOut, accepts, needsQuiet, onResult }: TryOptions<Subject, Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const alone: [number, Subject][] = [];
  const settle = (place: number, result: Result): void => {
    results[place] = result;
    onResult?.(result);
  };
  const queue = [...subjects.entries()];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [place, subject] = next;
      const result = needsQuiet?.(subject) ? undefined : await tryOut(subject, 1);
      if (result !== undefined && accepts(result)) settle(place, result);
      else alone.push(next);
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  for (const [place, subject] of alone) settle(place, await tryOut(subject, PATIENCE));
  return results;
}
