/**
 * The committed verdicts on faults, variants and recordings of real servers, and the means to compare a run with them.
 * `npm run selftest -- --write` writes the file; a commit that changes it says why.
 */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { loadStockClients } from '../../src/contract/stock-clients.ts';
import type { Report } from '../../src/report/report.ts';
import type { Subject } from '../../src/selftest/compare.ts';
import { listSubjects, runSelftest } from '../../src/selftest/run-selftest.ts';

export const GOLDEN: ReadonlyMap<string, string> = new Map(
  readFileSync(new URL('../golden-verdicts.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => [line.slice(0, line.indexOf(':')), line]),
);

/** Subjects that are also judged with --strict and from their recording; the self-test does that with all of them. */
const SAMPLED = 12;

/**
 * Runs a share of the faults or variants, in memory where their answers need no socket. Each gives its committed verdicts,
 * breaks exactly its clauses, and shows every kind of mismatch that stock clients were measured on. Shares run side by side.
 */
export async function expectGolden(kind: Subject['kind'], share: number, shares: number): Promise<void> {
  const subjects = listSubjects().filter((subject) => subject.kind === kind);
  const own = subjects.filter((_subject, place) => place % shares === share);
  const results = await runSelftest({
    names: own.map(({ id }) => id),
    inMemory: true,
    judgesTwice: (subject) => own.indexOf(subject) % SAMPLED === 0,
    accepts: ({ subject, verdicts, problems }) => problems.length === 0 && verdicts === goldenLine(subject),
    onReport: (subject, report) => expectMeasuredKinds(report, subject.id),
  });
  expect(results).toHaveLength(own.length);
  for (const { subject, verdicts, problems } of results) {
    expect.soft(verdicts).toBe(goldenLine(subject));
    expect.soft(problems, subject.id).toEqual([]);
  }
}

function goldenLine({ kind, id }: Subject): string | undefined {
  return GOLDEN.get(`${kind} ${id}`);
}

/** Every kind that `schemas/clients.json` has for a fault is found in it; another name or place of it is out of date. */
function expectMeasuredKinds(live: Report, fault: string): void {
  const measured = loadStockClients().mismatches.filter(({ faults }) => faults.includes(fault));
  const kind = (each: object): object => {
    const { clause, call, mismatch, actual, pointer } = each as (typeof measured)[number];
    return { clause, call, mismatch, actual, pointer };
  };
  const found = (live.affected?.mismatches ?? []).map(kind);
  expect.soft(found, fault).toEqual(expect.arrayContaining(measured.map(kind)));
}
