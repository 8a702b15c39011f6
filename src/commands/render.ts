/** `wirecheck render REPORT` */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { announceFiles, shownDetail, show, writeFiles, reportToShow } from './files/deliver.ts';
import { inert } from '../text/inert.ts';
import { prepareFiles, inputOf } from './files/prepare-files.ts';
import { loadReport } from './files/read-files.ts';
import { type Flags, mergeSettings } from './settings/merge-settings.ts';
import { announceAgent, readOutputs, REPORT_PAGE } from './files/outputs.ts';
import { RENDER_SETTINGS } from './settings/command-settings.ts';
import type { CommandIo } from './command-io.ts';
import { writeUndisturbed } from './check-subject.ts';

/** Variables and the config file are for runs, so only flags count here. */
export function renderCommand(file: string, flags: Flags, io: CommandIo): number {
  const { cwd, stdout, stderr } = io;
  const merged = mergeSettings(RENDER_SETTINGS, { flags, env: {}, config: undefined });
  const outputs = readOutputs(merged, io);
  const alsoRead = [inputOf(`The report ${inert(file, 300)}`, file, cwd)];
  prepareFiles({ inputs: { merged, cwd }, io, outputs: [outputs], flags: '--reporter', alsoRead });
  const report = reportToShow(loadReport(file, cwd), merged);
  return writeUndisturbed(io, () => {
    const { files, page, problem } = writeFiles(report, outputs, cwd, pageBeside(file, cwd));
    announceFiles(files, stderr);
    if (problem) throw problem;
    const format = outputs.stdout ?? (outputs.files.length === 0 ? 'terminal' : undefined);
    if (format === undefined) return 0;
    announceAgent(outputs, io);
    show(report, { format, detail: shownDetail(merged), written: [], page, fullReport: file }, stdout);
    return 0;
  });
}

/** A run writes its page beside the report. */
function pageBeside(file: string, cwd: string): string | undefined {
  return existsSync(resolve(cwd, dirname(file), REPORT_PAGE)) ? REPORT_PAGE : undefined;
}
