/** `wirecheck compare OLD NEW` */
import { relative } from 'node:path';
import { observeRecording, observeReport } from '../run/compare-runs.ts';
import { judgeForeign } from '../run/judge-recording.ts';
import { observeAnyRecording } from '../subjects/observe-any-recording.ts';
import {
  COMPARISON_FORMAT_NAMES,
  type ComparisonFormatName,
  renderComparison,
} from '../render/comparison/comparison.ts';
import { inert } from '../text/inert.ts';
import { compareRuns } from '../report/comparison/compare.ts';
import { type Comparison, FAIL_ON, type FailOn } from '../report/comparison/comparison.ts';
import type { ObservedRun } from '../report/comparison/observed-run.ts';
import { readWaivers, type Waivers } from '../report/excuses/waivers.ts';
import { UsageError } from '../usage-error.ts';
import { inputOf, refuseOverwrites } from './files/refuse-overwrites.ts';
import { loadRecorded } from './files/load-recorded.ts';
import { knownCases, readWaiverText } from './settings/read-excuses.ts';
import type { CommandIo } from './command-io.ts';
import { type ChosenFormat, readReporters } from './files/reporters.ts';
import { obstacleTo, writeWhole } from './files/write-files.ts';

export interface CompareFlags {
  readonly failOn?: string;
  readonly reporter?: readonly string[];
  readonly waivers?: string;
}

export async function compareCommand(
  oldFile: string,
  newFile: string,
  flags: CompareFlags,
  io: CommandIo,
): Promise<number> {
  const { cwd } = io;
  const failOn = readFailOn(flags.failOn);
  const outputs = readReporters(flags.reporter ?? [], { names: COMPARISON_FORMAT_NAMES, cwd, of: 'a comparison' });
  refuseOverwrites(
    [
      ...[oldFile, newFile].map((file) => inputOf(inert(file, 300), file, cwd)),
      ...(flags.waivers === undefined
        ? []
        : [inputOf(`The waiver file ${inert(flags.waivers, 300)}`, flags.waivers, cwd)]),
    ],
    outputs.flatMap(({ format, path }) =>
      path === undefined ? [] : [{ name: `the ${format} comparison`, path, flags: '--reporter' }],
    ),
  );
  for (const { path } of outputs) if (path !== undefined) checkOutput(path, cwd);
  const waivers = flags.waivers === undefined ? undefined : loadWaivers(flags.waivers, cwd);
  const [older, newer] = [await observe(oldFile, cwd), await observe(newFile, cwd)];
  const comparison = compareRuns(older, newer, { failOn, ...(waivers && { waivers }) });
  deliver(comparison, outputs, io);
  return comparison.exit;
}

async function observe(file: string, cwd: string): Promise<ObservedRun> {
  const recorded = await loadRecorded(file, cwd);
  switch (recorded.kind) {
    case 'report':
      return observeReport(recorded.report, file);
    case 'har':
      return observeRecording(() => recorded.open(), file, judgeForeign);
    case 'recording':
      return observeAnyRecording(() => recorded.open(), file);
  }
}

function readFailOn(text: string | undefined): FailOn {
  const failOn = text === undefined ? 'breaking' : FAIL_ON.find((kind) => kind === text);
  if (failOn === undefined) {
    throw new UsageError(
      `--fail-on is "${inert(text ?? '', 40)}": it must be ${FAIL_ON.slice(0, -1).join(', ')} or ${FAIL_ON.at(-1)}.`,
    );
  }
  return failOn;
}

function checkOutput(path: string, cwd: string): void {
  const obstacle = obstacleTo(path);
  if (obstacle !== undefined)
    throw new UsageError(`Cannot write ${relative(cwd, path)} (${obstacle}): choose another file.`);
}

function loadWaivers(file: string, cwd: string): Waivers {
  return readWaivers(readWaiverText(file, cwd), file, knownCases([]));
}

/** Stdout has the format that was asked for there, otherwise the comparison for people. */
function deliver(
  comparison: Comparison,
  outputs: readonly ChosenFormat<ComparisonFormatName>[],
  { cwd, stdout, stderr }: CommandIo,
): void {
  for (const { format, path } of outputs) {
    if (path === undefined) continue;
    writeWhole(path, renderComparison(comparison, format));
    stderr.write(`Wrote ${relative(cwd, path)}\n`);
  }
  const asked = outputs.find(({ path }) => path === undefined)?.format ?? 'terminal';
  const { colour, columns } = stdout;
  stdout.write(renderComparison(comparison, asked, { colour, ...(columns !== undefined && { width: columns }) }));
}
