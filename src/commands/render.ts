/** `wirecheck render REPORT`, and the conversions: a recording to HAR, the failures of a report to the draft of a profile. */
import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { formatNotice } from '../exchange/notice.ts';
import type { RecordedRun } from '../recording/recording.ts';
import { FORMAT_NAMES } from '../settings/format-names.ts';
import { inert, inertJson } from '../text/layout.ts';
import { usageError } from '../usage-error.ts';
import { writeUndisturbed } from './check-subject.ts';
import type { CommandIo, Call } from './command-row.ts';
import { announceFiles, prepareFormats, reportToShow, show, writeFiles } from './files/deliver.ts';
import { loadRecorded } from './files/read-recorded.ts';
import { announceAgent, readOutputs, readReporters, REPORT_FILE, REPORT_PAGE, shownDetail } from './files/outputs.ts';
import { inputOf, prepareFiles } from './files/prepare-files.ts';
import { loadReport, writeWhole } from './files/user-files.ts';
import { RENDER_SETTINGS } from './settings/command-settings.ts';
import { mergeSettings } from './settings/merge-settings.ts';

/** Variables and the config file are for runs, so only flags count here. */
export async function renderCommand({ args: [named = ''], flags, io }: Call): Promise<void> {
  // A folder stands for the report in it.
  const isFolder = statSync(resolve(io.cwd, named), { throwIfNoEntry: false })?.isDirectory() ?? false;
  const file = isFolder ? join(named, REPORT_FILE) : named;
  const reporters = [flags['reporter'] ?? []].flat().filter((text) => text !== true);
  const names = reporters.map((text) => text.split('=')[0]?.trim());
  if (CONVERSION_NAMES.some((name) => names.includes(name))) return convert(file, reporters, io);
  const { cwd, stdout, stderr } = io;
  const merged = mergeSettings(RENDER_SETTINGS, { flags });
  const outputs = readOutputs(merged, io);
  const alsoRead = [inputOf(`The report ${inert(file, 300)}`, file, cwd)];
  prepareFiles({ inputs: { merged, io }, outputs: [outputs], flags: '--reporter', alsoRead });
  const report = reportToShow(loadReport(file, cwd), merged);
  return writeUndisturbed(io, () => {
    // A run writes its page beside the report.
    const hasPage = existsSync(resolve(cwd, dirname(file), REPORT_PAGE));
    const { problem, ...made } = writeFiles(report, outputs, cwd, hasPage ? REPORT_PAGE : undefined);
    announceFiles(made.written, stderr);
    if (problem) throw problem;
    const format = outputs.stdout ?? (outputs.files.length === 0 ? 'terminal' : undefined);
    if (format === undefined) return;
    announceAgent(outputs, io);
    show(report, { ...made, format, detail: shownDetail(merged), written: [], fullReport: file }, stdout);
  });
}

/** What a stored file becomes that is no report. */
const CONVERSIONS = {
  har: async (file: string, io: CommandIo): Promise<string> => {
    const { exportHar } = await import('../recording/har/har-export.ts');
    const run = await loadGatewayRun(file, io.cwd);
    const text = `${inertJson(JSON.stringify(await exportHar(run), null, 2))}\n`;
    for (const notice of run.notices()) io.stderr.write(`${formatNotice(notice)}\n`);
    return text;
  },
  profile: async (file: string, { cwd }: CommandIo): Promise<string> => {
    const { suggestProfile } = await import('./explain-profile.ts');
    return suggestProfile(loadReport(file, cwd));
  },
} satisfies Record<string, (file: string, io: CommandIo) => Promise<string>>;

export const CONVERSION_NAMES = Object.keys(CONVERSIONS) as readonly (keyof typeof CONVERSIONS)[];

async function convert(file: string, reporters: readonly string[], io: CommandIo): Promise<void> {
  const { cwd } = io;
  const [chosen, another] = readReporters(reporters, { names: [...CONVERSION_NAMES, ...FORMAT_NAMES], cwd });
  if (!chosen || another)
    throw usageError.CONFLICT(
      `--reporter ${CONVERSION_NAMES.join(' and ')} take no other beside them: render the others apart.`,
    );
  prepareFormats([chosen], [inputOf(inert(file, 300), file, cwd)], 'file', '--reporter');
  const name = CONVERSION_NAMES.find((each) => each === chosen.format) ?? 'har';
  const text = await CONVERSIONS[name](file, io);
  if (chosen.path === undefined) return io.stdout.write(text);
  writeWhole(chosen.path, text);
  io.stderr.write(`Wrote ${relative(cwd, chosen.path)}\n`);
}

async function loadGatewayRun(file: string, cwd: string): Promise<RecordedRun> {
  const recorded = await loadRecorded(file, cwd);
  if (recorded.kind === 'report')
    throw usageError.FILE_INVALID(
      `${file} is a report, which does not hold every body: export the recording of the run.`,
    );
  const opened = await recorded.open();
  if (opened.subject === 'gateway') return opened;
  throw usageError.FILE_INVALID(
    `${file} is the recording of a ${opened.subject}: only the recording of a gateway can become a HAR file.`,
  );
}
