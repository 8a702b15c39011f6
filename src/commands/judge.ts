/** `wirecheck judge FILE…`: judges recordings again, offline. */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { judgeForeign, judgeRecording } from '../run/judge-recording.ts';
import { inert } from '../text/inert.ts';
import type { Excuses } from '../report/exemptions/excuse.ts';
import type { Report } from '../report/report.ts';
import { withoutBodies } from '../report/without-bodies.ts';
import { UsageError } from '../usage-error.ts';
import { detailOf, show, writeFiles } from './files/deliver.ts';
import { filesRead, inputOf, keepInputs, reportsOf } from './files/keep-inputs.ts';
import { loadRecorded } from './files/load-recorded.ts';
import { type Flags, type Merged, mergeSettings } from './settings/merge-settings.ts';
import { checkOutputs, type Outputs, readOutputs } from './files/outputs.ts';
import { readExcuses } from './settings/read-excuses.ts';
import { JUDGE_SETTINGS } from './settings/command-settings.ts';
import type { Surroundings } from './surroundings.ts';

/** When several hold, the first of these. */
const EXITS = [130, 1, 3, 0] as const;

/** Variables and the configuration file speak of runs, so only the flags count here. */
export async function judgeCommand(files: readonly string[], flags: Flags, around: Surroundings): Promise<number> {
  const { cwd, stderr, stdout } = around;
  const merged = onlyIfAsked(mergeSettings(JUDGE_SETTINGS, { flags, env: {}, config: undefined }));
  const outputs = readOutputs(merged, cwd);
  if (files.length > 1 && (merged.get('reporter') ?? []).length > 0) {
    throw new UsageError('--reporter makes one report: judge one recording at a time, or use --out DIR for several.');
  }
  if (outputs.files.length > 0) keepApart(files);
  const places = files.map((file) => (files.length > 1 ? inFolder(outputs, folderOf(file)) : outputs));
  keepInputs(
    [...files.map((file) => inputOf(`The recording ${inert(file, 300)}`, file, cwd)), ...filesRead({ merged, cwd })],
    places.flatMap((place) => reportsOf(place, '--out or --reporter')),
  );
  const excuses = readExcuses({ merged, cwd }, []);
  for (const place of places) keepFiles(place, merged.get('force') ?? false);
  const exits: number[] = [];
  for (const [index, file] of files.entries()) {
    const report = await judgeFile(file, cwd, excuses);
    const kept = merged.get('no-bodies') ? withoutBodies(report) : report;
    const problem = writeFiles(kept, places[index] ?? outputs, stderr, cwd);
    if (problem) throw problem;
    if (files.length > 1) stdout.write(`${index > 0 ? '\n' : ''}${file}\n`);
    show(kept, outputs.stdout ?? 'terminal', detailOf(merged), stdout);
    exits.push(report.outcome.exit);
  }
  return EXITS.find((exit) => exits.includes(exit)) ?? 0;
}

async function judgeFile(file: string, cwd: string, excuses: Excuses): Promise<Report> {
  const recorded = await loadRecorded(file, cwd);
  switch (recorded.kind) {
    case 'recording':
      return judgeRecording(await recorded.open(), { excuses });
    case 'har':
      return judgeForeign(await recorded.open(), { excuses });
    case 'report':
      throw new UsageError(`${file} is a report, which is judged already: see it with \`wirecheck render ${file}\`.`);
  }
}

/** The default folder is that of runs: a recording that is judged again must not replace the report of one. */
function onlyIfAsked(merged: Merged): Merged {
  return {
    origin: merged.origin,
    get: (name) => (name === 'out' && merged.origin('out') === undefined ? undefined : merged.get(name)),
  };
}

function folderOf(file: string): string {
  return basename(file).replace(/(?:\.ndjson|\.jsonl|\.har)?(?:\.gz)?$/, '');
}

function keepApart(files: readonly string[]): void {
  const seen = new Map<string, string>();
  for (const file of files) {
    const name = folderOf(file);
    const twin = seen.get(name);
    if (twin !== undefined) {
      throw new UsageError(
        `The reports on ${inert(twin, 300)} and ${inert(file, 300)} would both be written to the folder ${inert(name, 300)}: judge them one at a time, each with an --out of its own.`,
      );
    }
    seen.set(name, file);
  }
}

function inFolder({ files }: Outputs, name: string): Outputs {
  return { files: files.map(({ format, path }) => ({ format, path: join(path, '..', name, basename(path)) })) };
}

/** Nothing is overwritten unless somebody says so. */
function keepFiles(outputs: Outputs, force: boolean): void {
  const there = force ? undefined : outputs.files.find(({ path }) => existsSync(path));
  if (there) throw new UsageError(`${there.path} is there already: choose another place, or add --force.`);
  checkOutputs(outputs);
}
