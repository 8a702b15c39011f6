/** `wirecheck compare OLD NEW` */
import { observeRecording, observeReport } from '../subjects/recorded-runs.ts';
import type { JudgeOptions } from '../run/judge-recording.ts';
import { COMPARISON_FORMAT_NAMES, renderComparison } from '../render/comparison/comparison.ts';
import { inert } from '../text/layout.ts';
import { withoutUndefined } from '../json.ts';
import { compareRuns } from '../report/comparison/compare.ts';
import { FAIL_ON } from '../report/comparison/comparison.ts';
import type { ObservedRun } from '../report/comparison/observed-run.ts';
import { inputOf, loadWaivers } from './files/prepare-files.ts';
import { loadRecorded } from './files/load-recorded.ts';
import { readChoice, mergeSettings } from './settings/merge-settings.ts';
import { chooseProfile } from './settings/read-settings.ts';
import { readReporters, detectAgent, announceAgent } from './files/outputs.ts';
import { deliverFormats, prepareFormats } from './files/deliver.ts';
import { writeUndisturbed } from './check-subject.ts';
import type { Call, OwnOptions } from './command-row.ts';

export async function compareCommand({ args, options: flags, io }: Call): Promise<number> {
  const [oldFile = '', newFile = ''] = args;
  const { cwd } = io;
  const failOn = readChoice('--fail-on', flags.failOn, FAIL_ON);
  const outputs = readReporters(flags.reporter ?? [], { names: COMPARISON_FORMAT_NAMES, cwd, of: 'a comparison' });
  const read = [oldFile, newFile].map((file) => inputOf(inert(file, 300), file, cwd));
  if (flags.waivers !== undefined) {
    read.push(inputOf(`The waiver file ${inert(flags.waivers, 300)}`, flags.waivers, cwd));
  }
  prepareFormats(outputs, read, { what: 'comparison', flags: '--reporter' });
  const waivers = flags.waivers === undefined ? undefined : loadWaivers(flags.waivers, cwd);
  const options = chooseJudging(flags, cwd);
  const [older, newer] = [await observe(oldFile, cwd, options), await observe(newFile, cwd, options)];
  const comparison = compareRuns(older, newer, { failOn, ...(waivers && { waivers }) });
  const { colour, columns: width } = io.stdout;
  const agentSign = outputs.length === 0 ? detectAgent(io) : undefined;
  announceAgent({ agentSign }, io);
  writeUndisturbed(io, () =>
    deliverFormats(
      outputs,
      (format) => renderComparison(comparison, format),
      (format = agentSign === undefined ? 'terminal' : 'agent') =>
        renderComparison(comparison, format, { colour, ...(width !== undefined && { width }) }),
      io,
    ),
  );
  return comparison.exit;
}

/** Recordings are judged again; a report stays judged as it was. */
function chooseJudging({ profile, profileDigest }: OwnOptions, cwd: string): JudgeOptions {
  const flags = withoutUndefined({ profile, 'profile-digest': profileDigest });
  const merged = mergeSettings(['profile', 'profile-digest'], { flags, env: {}, config: undefined });
  const chosen = chooseProfile(merged, cwd);
  return chosen ? { profile: chosen } : {};
}

async function observe(file: string, cwd: string, options: JudgeOptions): Promise<ObservedRun> {
  const recorded = await loadRecorded(file, cwd);
  if (recorded.kind === 'report') return observeReport(recorded.report, file);
  return observeRecording(recorded.open, file, (run) => recorded.judge(run, options));
}
