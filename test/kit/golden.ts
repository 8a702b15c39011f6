/**
 * The committed verdicts on faults, variants and recordings of real servers, and the means to compare a run with them.
 * `npm run selftest -- --write` writes the file; a commit that changes it says why.
 */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { runSelftest } from '../../selftest/run-selftest.ts';
import type { TestSubject } from '../../selftest/test-subjects.ts';

export const GOLDEN: ReadonlyMap<string, string> = new Map(
  readFileSync(new URL('../golden-verdicts.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => [line.slice(0, line.indexOf(':')), line]),
);

/** Of how many subjects one is also judged with --strict and from its recording. The self-test does that with all. */
const JUDGED_TWICE = 12;

/**
 * Runs subjects, in memory where their answers need no socket. Each gives its committed verdicts, breaks exactly its
 * clauses, and shows every kind of mismatch that stock clients were measured on.
 */
export async function expectGolden(names: readonly string[]): Promise<void> {
  const results = await runSelftest({
    names,
    inMemory: true,
    judgesTwice: ({ id }) => names.indexOf(id) % JUDGED_TWICE === 0,
    accepts: ({ subject, verdicts, problems }) => problems.length === 0 && verdicts === goldenLine(subject),
  });
  expect(results).toHaveLength(names.length);
  for (const { subject, verdicts, problems } of results) {
    expect.soft(verdicts, `${subject.id}; if intended: npm run selftest -- --write`).toBe(goldenLine(subject));
    expect.soft(problems, subject.id).toEqual([]);
  }
}

function goldenLine({ kind, id }: TestSubject): string | undefined {
  return GOLDEN.get(`${kind} ${id}`);
}
