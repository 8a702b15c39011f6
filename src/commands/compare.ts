/** `wirecheck compare OLD NEW` */
import { observeRecording } from '../subjects/recorded-runs.ts';
import type { JudgeOptions } from '../run/judge-recording.ts';
import {
  COMPARISON_FORMAT_NAMES,
  type ComparisonFormatName,
  renderComparison,
} from '../render/comparison/comparison.ts';
import { inert } from '../text/layout.ts';
import { compareRuns } from '../report/comparison/compare.ts';
import { FAIL_ON } from '../report/comparison/comparison.ts';
import { type ObservedRun, observeReport } from '../report/comparison/observed-run.ts';
import { inputOf, loadWaivers } from './files/prepare-files.ts';
import { loadRecorded } from './files/read-recorded.ts';
import { readChoice, mergeSettings } from './settings/merge-settings.ts';
import { chooseProfile } from './settings/read-settings.ts';
import { readReporters } from './files/outputs.ts';
import { deliverFormats, prepareFormats } from './files/deliver.ts';
import { writeUndisturbed } from './check-subject.ts';
import type { Call } from './command-row.ts';

export async function compareCommand({ args, options: own, flags, io }: Call): Promise<number> {
  const [oldFile = '', newFile = ''] = args;
  const { cwd } = io;
  const failOn = readChoice('--fail-on', own.failOn, FAIL_ON);
  const outputs = readReporters(own.reporter ?? [], {
    names: COMPARISON_FORMAT_NAMES,
    cwd,
    whose: ' for a comparison',
  });
  const read = [oldFile, newFile].map((file) => inputOf(inert(file, 300), file, cwd));
  const { waivers: file } = own;
  if (file !== undefined) read.push(inputOf(`The waiver file ${inert(file, 300)}`, file, cwd));
  prepareFormats(outputs, read, 'comparison', '--reporter');
  const waivers = file === undefined ? undefined : loadWaivers(file, cwd);
  // Recordings are judged again; a report stays judged as it was.
  const profile = chooseProfile(mergeSettings(['profile', 'profile-digest'], { flags }), cwd);
  const options = profile ? { profile } : {};
  const [older, newer] = [await observe(oldFile, cwd, options), await observe(newFile, cwd, options)];
  const comparison = compareRuns(older, newer, { failOn, ...(waivers && { waivers }) });
  const render = (format: ComparisonFormatName, look = {}): string => renderComparison(comparison, format, look);
  writeUndisturbed(io, () => deliverFormats(outputs, render, outputs.length > 0, io));
  return comparison.exit;
}

async function observe(file: string, cwd: string, options: JudgeOptions): Promise<ObservedRun> {
  const recorded = await loadRecorded(file, cwd);
  if (recorded.kind === 'report') return observeReport(recorded.report, file);
  return observeRecording(recorded.open, file, (run) => recorded.judge(run, options));
}
