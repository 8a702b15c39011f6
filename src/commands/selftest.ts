/** `wirecheck selftest [NAME…]` */
import { resolve } from 'node:path';
import { loadContract } from '../contract/load-contract.ts';
import { didYouMean } from '../text/suggestion.ts';
import type { TrialResult } from '../selftest/compare.ts';
import { killMatrix, summary } from '../selftest/kill-matrix.ts';
import { listSubjects, runSelftest } from '../selftest/run-selftest.ts';
import { loadSuites } from '../suite/load-suites.ts';
import { UsageError } from '../usage-error.ts';
import type { CommandIo } from './command-io.ts';
import { obstacleTo, writeWhole } from './files/write-files.ts';

export interface SelftestFlags {
  /** Empty: all. */
  readonly names: readonly string[];
  readonly matrix?: string;
}

export async function selftestCommand(
  { names, matrix }: SelftestFlags,
  { cwd, stdout, stderr }: CommandIo,
): Promise<number> {
  const known = listSubjects().map(({ id }) => id as string);
  const stranger = names.find((name) => !known.includes(name));
  if (stranger !== undefined) {
    throw new UsageError(
      `Unknown fault or variant "${stranger}".${didYouMean(stranger, known) || ' `wirecheck list faults` and `wirecheck list variants` list them.'}`,
    );
  }
  const path = matrix === undefined ? undefined : resolve(cwd, matrix);
  const obstacle = path === undefined ? undefined : obstacleTo(path);
  if (obstacle !== undefined) {
    throw new UsageError(`Cannot write ${matrix} (${obstacle}): choose another file with --matrix.`);
  }
  let done = 0;
  const total = names.length > 0 ? names.length : known.length;
  const results = await runSelftest({
    names,
    onResult(result) {
      done += 1;
      if (stderr.live) stderr.write(`\r${done} of ${total} `);
      stdout.write(problemsOf(result));
    },
  });
  if (stderr.live) stderr.write('\r');
  if (path !== undefined) {
    const cases = loadSuites([], loadContract()).flatMap((suite) => suite.cases.map(({ id }) => id));
    writeWhole(path, killMatrix({ results, cases }));
  }
  stdout.write(`${summary(results)}\n`);
  return results.every(({ problems }) => problems.length === 0) ? 0 : 1;
}

function problemsOf({ subject, problems }: TrialResult): string {
  return problems.length === 0 ? '' : `${subject.kind} ${subject.id}\n${problems.map((one) => `  ${one}\n`).join('')}`;
}
