/** `wirecheck judge FILE…` */
import { firstExit } from '../exit-codes.ts';
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { COMMAND } from '../contract/package-files.ts';
import { argument } from '../text/shell-text.ts';
import { digestRecording } from '../recording/recording-file.ts';
import { type JudgeOptions } from '../run/judge-recording.ts';
import { inert } from '../text/layout.ts';
import { listSuiteFiles } from '../render/verification-text.ts';
import type { Report } from '../report/report.ts';
import { usageError } from '../usage-error.ts';
import { announceFiles, show, writeFiles, reportToDeliver } from './files/deliver.ts';
import { prepareFiles, inputOf } from './files/prepare-files.ts';
import { loadRecorded, suiteFilesIn } from './files/read-recorded.ts';
import { refuseOtherSide } from './files/user-files.ts';
import { type Merged, mergeSettings } from './settings/merge-settings.ts';
import { announceAgent, inFolder, readOutputs, shownDetail } from './files/outputs.ts';
import { chooseProfile } from './settings/read-settings.ts';
import { JUDGE_SETTINGS } from './settings/command-settings.ts';
import type { CommandIo, Call } from './command-row.ts';
import { writeUndisturbed } from './check-subject.ts';

/** Each recording says whose it is. */
const ANY_SIDE = { subject: undefined, suites: [] };

/** Variables and the config file are for runs, so only flags count here. */
export async function judgeCommand({ words: files, flags, io }: Call): Promise<number> {
  const { cwd, stdout } = io;
  const merged = withoutDefaultOut(mergeSettings(JUDGE_SETTINGS, { flags }));
  const outputs = readOutputs(merged, io);
  if (files.length > 1 && (merged.get('reporter') ?? []).length > 0) {
    throw usageError.CONFLICT(
      '--reporter takes one recording only: judge one at a time, or use --out DIR for several.',
    );
  }
  if (outputs.files.length > 0) refuseSharedFolders(files);
  const places = files.map((file) => (files.length > 1 ? inFolder(outputs, folderOf(file)) : outputs));
  const alsoRead = files.map((file) => inputOf(`The recording ${inert(file, 300)}`, file, cwd));
  const excuses = prepareFiles({ inputs: { merged, io }, outputs: places, alsoRead, excusable: ANY_SIDE });
  const existing = places.flatMap((place) => place.files).find(({ path }) => existsSync(path));
  if (existing && !merged.get('force'))
    throw usageError.FILE_EXISTS(`${existing.path} already exists: choose another folder or file, or add --force.`);
  // Without the flag, a recording is judged as strictly as its run was.
  const strict = merged.origin('strict') && merged.get('strict');
  const profile = chooseProfile(merged, cwd);
  const exits: number[] = [];
  const { stdout: format = 'terminal' } = outputs;
  // These formats name the files themselves.
  const isTold = format === 'terminal' || format === 'agent';
  announceAgent(outputs, io);
  for (const [index, file] of files.entries()) {
    const report = await judgeFile(file, io, {
      excuses,
      ...(strict !== undefined && { strict }),
      ...(profile && { profile }),
    });
    const kept = reportToDeliver(report, { merged }, await digestRecording(resolve(cwd, file)));
    writeUndisturbed(io, () => {
      const written = writeFiles(kept, places[index] ?? outputs, cwd);
      if (written.problem) throw written.problem;
      if (!isTold && !merged.get('quiet')) announceFiles(written.written, io.stderr);
      if (files.length > 1) stdout.write(`${index > 0 ? '\n' : ''}${file}\n`);
      show(kept, { ...written, format, detail: shownDetail(merged) }, stdout);
    });
    exits.push(report.outcome.exit);
  }
  return firstExit(exits);
}

async function judgeFile(file: string, { cwd, stderr }: CommandIo, options: JudgeOptions): Promise<Report> {
  const recorded = await loadRecorded(file, cwd);
  if (recorded.kind === 'report') {
    throw usageError.FILE_INVALID(
      `${file} is a report, not a recording: show it with \`${COMMAND} render ${argument(file)}\`.`,
    );
  }
  const opened = await recorded.open();
  for (const line of listSuiteFiles(suiteFilesIn(opened))) stderr.write(`${line}\n`);
  const { baseline } = options.excuses ?? {};
  if (baseline) refuseOtherSide(baseline.report, `--baseline ${inert(baseline.file, 300)}`, opened.subject);
  return recorded.judge(opened, options);
}

/** The default folder is for runs: judging a recording must not overwrite the report of a run. */
function withoutDefaultOut(merged: Merged): Merged {
  return {
    origin: merged.origin,
    get: (name) => (name === 'out' && merged.origin('out') === undefined ? undefined : merged.get(name)),
  };
}

function folderOf(file: string): string {
  return basename(file).replace(/(?:\.ndjson|\.jsonl|\.har)?(?:\.gz)?$/, '');
}

function refuseSharedFolders(files: readonly string[]): void {
  const seen = new Map<string, string>();
  for (const file of files) {
    const name = folderOf(file);
    const twin = seen.get(name);
    if (twin !== undefined) {
      throw usageError.CONFLICT(
        `The reports on ${inert(twin, 300)} and ${inert(file, 300)} would both go to the folder ${inert(name, 300)}: judge them one at a time, each with its own --out.`,
      );
    }
    seen.set(name, file);
  }
}
