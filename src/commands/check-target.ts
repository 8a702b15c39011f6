/** What `run` and `demo` have in common: ask, write the files, print the report. */
import { resolve } from 'node:path';
import { forgetReadings } from '../exchange/reading/body-memo.ts';
import { createScanner, type Scanner } from '../exchange/secrets/scanner.ts';
import type { FormatName } from '../settings/settings-table.ts';
import type { Report } from '../report/report.ts';
import { createRecorder } from '../recording/write-recording.ts';
import { run, type RunHooks } from '../run/run.ts';
import type { Keys, Settings } from '../settings.ts';
import { UsageError } from '../usage-error.ts';
import { detailOf, show, writeFiles } from './files/deliver.ts';
import { filesRead, keepInputs, reportsOf } from './files/keep-inputs.ts';
import { checkOutputs, checkRecording, type Outputs, readOutputs } from './files/outputs.ts';
import { progressLine } from './progress.ts';
import { readExcuses } from './settings/read-excuses.ts';
import type { Inputs } from './settings/read-settings.ts';
import { leakError, refuseOpenSecrets, removeLeaks, withoutSecrets } from './files/secret-guard.ts';
import type { Screen, Surroundings } from './surroundings.ts';
import { tellGithub } from './files/tell-github.ts';
import { withoutBodies } from '../report/without-bodies.ts';

export async function checkTarget(
  settings: Settings,
  keys: Keys,
  inputs: Inputs,
  around: Surroundings,
): Promise<number> {
  const scanner = createScanner(settings, keys);
  try {
    refuseOpenSecrets(scanner, settings);
    return await check(settings, keys, inputs, around, scanner);
  } catch (error) {
    throw withoutSecrets(error, scanner);
  }
}

async function check(
  settings: Settings,
  keys: Keys,
  inputs: Inputs,
  around: Surroundings,
  scanner: Scanner,
): Promise<number> {
  const outputs = readOutputs(inputs.merged, around.cwd);
  const recording = inputs.merged.get('record');
  const recordingPath = recording === undefined ? undefined : resolve(around.cwd, recording);
  keepInputs(filesRead(inputs), [
    ...reportsOf(outputs, '--out or --reporter'),
    ...(recordingPath === undefined ? [] : [{ name: 'the recording', path: recordingPath, flags: '--record' }]),
  ]);
  const excuses = readExcuses(inputs, settings.suites);
  checkOutputs(outputs);
  const recorder =
    recordingPath === undefined ? undefined : createRecorder(recordingPath, inputs.merged.get('force') ?? false);
  if (recordingPath !== undefined) checkRecording(recordingPath);
  const { stderr } = around;
  const quiet = inputs.merged.get('quiet') ?? false;
  for (const notice of inputs.notices) stderr.write(`${notice}\n`);

  const report = await ask(settings, keys, { excuses, ...(recorder && { recorder }) }, quiet, around);
  // What was read of bodies is in the report as far as it is needed.
  forgetReadings();
  const kept = inputs.merged.get('no-bodies') ? withoutBodies(report) : report;
  const problem = writeFiles(kept, outputs, quiet ? undefined : stderr, around.cwd);
  const withheld = [...tellGithub(kept, outputs, around, scanner), ...print(kept, outputs, inputs, around, scanner)];
  // The last act: every file is searched as it stands on the disk.
  const written = [...outputs.files.map(({ path }) => path), ...(recordingPath === undefined ? [] : [recordingPath])];
  const leaks = [...(await removeLeaks(written, scanner)), ...withheld];
  if (leaks.length > 0) throw leakError(leaks);
  if (problem) throw problem;
  if (recorder?.problem !== undefined) {
    throw new UsageError(
      `${recording} could not be written to its end (${recorder.problem}): what it holds can be judged.`,
    );
  }
  return report.outcome.exit;
}

/** A format that was asked for on stdout has it for itself; the report for people then goes to stderr. What was held back. */
function print(
  report: Report,
  { stdout: asked }: Outputs,
  { merged }: Inputs,
  { stdout, stderr }: Surroundings,
  scanner: Scanner,
): readonly string[] {
  const detail = detailOf(merged);
  const shows = (format: FormatName, screen: Screen) => show(report, format, detail, screen, scanner);
  return [
    ...(asked === undefined || shows(asked, stdout) ? [] : [`the ${asked} report on stdout`]),
    ...(asked === 'terminal' || shows('terminal', asked === undefined ? stdout : stderr)
      ? []
      : ['the terminal report']),
  ];
}

async function ask(
  settings: Settings,
  keys: Keys,
  more: Pick<RunHooks, 'excuses' | 'recorder'>,
  quiet: boolean,
  { stderr, onInterrupt }: Surroundings,
): Promise<Report> {
  const stop = new AbortController();
  const line = progressLine(quiet ? { ...stderr, live: false } : stderr);
  const release = onInterrupt(() => {
    stop.abort();
    stderr.write('Interrupted: the report of what was done is being written. Once more ends at once.\n');
  });
  try {
    return await run(settings, keys, { onProgress: line.update, signal: stop.signal, ...more });
  } finally {
    line.end();
    release();
  }
}
