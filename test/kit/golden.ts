/**
 * The committed verdicts on faults, variants and recordings of real servers, and the means to compare a run with them.
 * `npm run golden` writes the file; a commit that changes it says why.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openRecording } from '../../src/recording/read-recording.ts';
import { createRecorder } from '../../src/recording/write-recording.ts';
import { loadStockClients } from '../../src/contract/stock-clients.ts';
import type { Report } from '../../src/report/report.ts';
import { judgeRecording } from '../../src/run/judge-recording.ts';
import type { Subject } from '../../src/selftest/compare.ts';
import { listSubjects, runSelftest } from '../../src/selftest/run-selftest.ts';
import { temporaryFolder } from './recording.ts';

export const GOLDEN: ReadonlyMap<string, string> = new Map(
  readFileSync(new URL('../golden-verdicts.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => [line.slice(0, line.indexOf(':')), line]),
);

/**
 * Runs a share of the faults or variants for real. Each gives its committed verdicts, breaks exactly its clauses, and
 * gives the same report once more from its recording, in which every kind of mismatch is found that stock clients were
 * measured on. Shares run side by side.
 */
export async function expectGolden(kind: Subject['kind'], share: number, shares: number): Promise<void> {
  const subjects = listSubjects().filter((subject) => subject.kind === kind);
  const own = subjects.filter((_subject, place) => place % shares === share);
  const folder = temporaryFolder();
  const fileOf = ({ id }: Subject): string => join(folder, `${id}.ndjson`);
  const results = await runSelftest({
    names: own.map(({ id }) => id),
    accepts: ({ subject, verdicts, problems }) => problems.length === 0 && verdicts === goldenLine(subject),
    record: (subject) => createRecorder(fileOf(subject), true),
    onRecorded: async (subject, live) => {
      expectSameReport(await recordedReport(fileOf(subject)), live, subject.id);
      expectMeasuredKinds(live, subject.id);
    },
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

async function recordedReport(file: string): Promise<Report> {
  return judgeRecording(await openRecording(file, file));
}

/** As text first, since comparing reports member by member takes longer than making them. */
function expectSameReport(recorded: Report, live: Report, name: string): void {
  if (JSON.stringify(recorded) !== JSON.stringify(live)) expect.soft(recorded, name).toEqual(live);
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
