/** `wirecheck selftest [NAME…]` */
import { EXIT } from '../exit-codes.ts';
import { resolve } from 'node:path';
import { didYouMean } from '../text/suggestion.ts';
import { killMatrix } from '../selftest/kill-matrix.ts';
import { runSelftest } from '../selftest/run-selftest.ts';
import type { TrialResult } from '../selftest/trial.ts';
import { formatProblems, summarizeTrials } from '../selftest/summarize-trials.ts';
import { listSubjects } from '../selftest/test-subjects.ts';
import { UsageError } from '../usage-error.ts';
import type { CommandIo } from './command-io.ts';
import { formatJson } from './format-json.ts';
import { requireWritable, writeWhole } from './files/write-files.ts';
import { watchTrials } from './watch-trials.ts';

export interface SelftestFlags {
  /** Empty: all. */
  readonly names: readonly string[];
  readonly json: boolean;
  readonly matrix?: string;
}

export async function selftestCommand({ names, json, matrix }: SelftestFlags, io: CommandIo): Promise<number> {
  const known = listSubjects().map(({ id }) => id);
  const stranger = names.find((name) => !known.includes(name));
  if (stranger !== undefined) {
    throw new UsageError(
      `Unknown fault, variant, client, relay or target under load "${stranger}".${didYouMean(stranger, known) || ' `wirecheck list` with faults, variants, test-clients, test-relays or test-load has them.'}`,
      { code: 'UNKNOWN_NAME' },
    );
  }
  const path = matrix === undefined ? undefined : resolve(io.cwd, matrix);
  if (path !== undefined) requireWritable(path, 'choose another file with --matrix.', matrix);
  const chosen = known.filter((id) => names.length === 0 || names.includes(id));
  const results = await watchTrials(io, chosen.length, json ? () => '' : formatProblems, (onResult) =>
    runSelftest({ names: chosen, onResult }),
  );
  if (path !== undefined) writeWhole(path, killMatrix(results));
  io.stdout.write(json ? formatJson(results.map(describeTrial)) : `${summarizeTrials(results)}\n`);
  return results.every(({ problems }) => problems.length === 0) ? EXIT.passed : EXIT.failed;
}

function describeTrial({ subject: { id, kind, breaks = [] }, problems, foundBy }: TrialResult) {
  return { id, kind, breaks, problems, foundBy };
}
