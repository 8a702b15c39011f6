/** `wirecheck run BASE_URL`, and what it shares with `wirecheck demo`: run, write the files, print the report. */
import { resolve } from 'node:path';
import { clearReadings } from '../exchange/reading/body-memo.ts';
import { createScanner, type Scanner } from '../exchange/secrets/scanner.ts';
import { createRecorder } from '../recording/write-recording.ts';
import { type Progress, run } from '../run/run.ts';
import type { Keys, Settings } from '../settings.ts';
import { UsageError } from '../usage-error.ts';
import { deliverReport } from './files/deliver-report.ts';
import { filesRead, refuseOverwrites, reportsOf } from './files/refuse-overwrites.ts';
import { checkOutputs, checkRecording, readOutputs } from './files/outputs.ts';
import { readExcuses } from './settings/read-excuses.ts';
import { requireBaseUrl } from './settings/base-url.ts';
import { readSelected } from './choose-cases.ts';
import type { Flags } from './settings/merge-settings.ts';
import { requireKeys } from './settings/read-keys.ts';
import { RUN_SETTINGS } from './settings/command-settings.ts';
import { type Inputs, readInputs } from './settings/read-settings.ts';
import { refuseOpenSecrets, withoutSecrets } from './files/secret-guard.ts';
import { watchRun } from './watch-run.ts';
import type { CommandIo } from './command-io.ts';

export async function runCommand(argument: string | undefined, flags: Flags, io: CommandIo): Promise<number> {
  const inputs = readInputs(RUN_SETTINGS, flags, io);
  const targets = inputs.merged.get('targets');
  if (targets !== undefined) {
    if (argument !== undefined)
      throw new UsageError('--targets already lists the base URLs: remove the BASE_URL argument.');
    const { checkTargets } = await import('./targets/check-targets.ts');
    return checkTargets(targets, flags, inputs, io);
  }
  if (inputs.merged.get('shard') !== undefined) {
    throw new UsageError('--shard chooses among several targets: name their file with --targets.');
  }
  const baseUrl = requireBaseUrl(argument, inputs.env, inputs.config);
  const keys = requireKeys(inputs.merged, inputs.env, inputs.cwd);
  return checkTarget(readSelected(inputs, baseUrl), keys, inputs, io);
}

export async function checkTarget(settings: Settings, keys: Keys, inputs: Inputs, io: CommandIo): Promise<number> {
  const scanner = createScanner(settings, keys);
  try {
    refuseOpenSecrets(scanner, settings);
    return await check(settings, keys, { inputs, io, scanner });
  } catch (error) {
    throw withoutSecrets(error, scanner);
  }
}

const REQUESTS = {
  unit: 'requests',
  advance: ({ requests, requestsExpected }: Progress) => ({ done: requests, total: requestsExpected }),
};

interface CheckContext {
  readonly inputs: Inputs;
  readonly io: CommandIo;
  readonly scanner: Scanner;
}

async function check(settings: Settings, keys: Keys, { inputs, io, scanner }: CheckContext): Promise<number> {
  const outputs = readOutputs(inputs.merged, io.cwd);
  const recording = inputs.merged.get('record');
  const recordingPath = recording === undefined ? undefined : resolve(io.cwd, recording);
  refuseOverwrites(filesRead(inputs), [
    ...reportsOf(outputs, '--out or --reporter'),
    ...(recordingPath === undefined ? [] : [{ name: 'the recording', path: recordingPath, flags: '--record' }]),
  ]);
  const excuses = readExcuses(inputs, settings.suites);
  checkOutputs(outputs);
  const recorder =
    recordingPath === undefined ? undefined : createRecorder(recordingPath, inputs.merged.get('force') ?? false);
  if (recordingPath !== undefined) checkRecording(recordingPath);
  const quiet = inputs.merged.get('quiet') ?? false;
  for (const notice of inputs.notices) io.stderr.write(`${notice}\n`);

  const more = { excuses, ...(recorder && { recorder }) };
  const report = await watchRun(io, quiet, REQUESTS, (hooks) => run(settings, keys, { ...hooks, ...more }));
  // The report has all that is needed of the bodies.
  clearReadings();
  const written = recordingPath === undefined ? [] : [recordingPath];
  await deliverReport(report, { outputs, inputs, io, scanner, written });
  if (recorder?.problem !== undefined) {
    throw new UsageError(`${recording} is incomplete (${recorder.problem}). The part that was written can be judged.`);
  }
  return report.outcome.exit;
}
