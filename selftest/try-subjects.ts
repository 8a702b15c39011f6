/** Tries subjects side by side. A doubtful result is tried again, alone and with more patience: a busy machine is slow. */

export interface TryOptions<Subject, Result> {
  /** Subjects at a time. */
  readonly parallel: number;
  /** `patience`: factor for its timeouts. */
  readonly tryOut: (subject: Subject, patience: number) => Promise<Result>;
  readonly accepts: (result: Result) => boolean;
  /** Tried alone from the start. */
  readonly needsQuiet?: (subject: Subject) => boolean;
  /** For each subject, once its result is final. */
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
