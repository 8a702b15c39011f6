/** Writes and prints the report of a check, and makes sure that no secret is in it. */
import type { Scanner } from '../../exchange/secrets/scanner.ts';
import type { FormatName } from '../../settings/settings-table.ts';
import type { Report } from '../../report/report.ts';
import type { CommandIo, Screen } from '../command-io.ts';
import type { Inputs } from '../settings/read-settings.ts';
import { detailOf, show, writeFiles } from './deliver.ts';
import { keepReport } from './keep-report.ts';
import type { Outputs } from './outputs.ts';
import { leakError, removeLeaks } from './secret-guard.ts';
import { tellGithub } from './tell-github.ts';

/** `written`: other files of the same run, which are also searched for secrets. */
export async function deliverReport(
  report: Report,
  outputs: Outputs,
  inputs: Inputs,
  io: CommandIo,
  scanner: Scanner,
  written: readonly string[] = [],
): Promise<void> {
  const kept = keepReport(report, inputs.merged);
  const { files, problem } = writeFiles(kept, outputs, io.cwd);
  const withheld = [...tellGithub(kept, outputs, io, scanner), ...print(kept, outputs, files, inputs, io, scanner)];
  // At the very end, every file is searched on disk.
  const leaks = [...(await removeLeaks([...outputs.files.map(({ path }) => path), ...written], scanner)), ...withheld];
  if (leaks.length > 0) throw leakError(leaks);
  if (problem) throw problem;
}

/** If a format is written to stdout, the terminal report goes to stderr. Returns the outputs that contain a secret. */
function print(
  report: Report,
  { stdout: asked }: Outputs,
  written: readonly string[],
  { merged }: Inputs,
  { stdout, stderr }: CommandIo,
  scanner: Scanner,
): readonly string[] {
  const detail = detailOf(merged);
  const shows = (format: FormatName, screen: Screen) => show(report, { format, detail, written }, screen, scanner);
  return [
    ...(asked === undefined || shows(asked, stdout) ? [] : [`the ${asked} report on stdout`]),
    ...(asked === 'terminal' || shows('terminal', asked === undefined ? stdout : stderr)
      ? []
      : ['the terminal report']),
  ];
}
