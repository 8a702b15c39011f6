/** Writes and prints the report of a check, and makes sure that no secret is in it. */
import { relative } from 'node:path';
import type { Scanner } from '../../exchange/secrets/scanner.ts';
import type { FormatName } from '../../settings/format-names.ts';
import type { Report } from '../../report/report.ts';
import type { CommandIo, Screen } from '../command-io.ts';
import type { Inputs } from '../settings/read-settings.ts';
import { keepJudged } from './keep-judged.ts';
import { shownDetail, show, writeFiles, type Written } from './deliver.ts';
import { reportToDeliver } from './report-to-deliver.ts';
import { announceAgent, type Outputs } from './outputs.ts';
import { refuseLeaks } from './secret-guard.ts';
import { tellGithub } from './tell-github.ts';

interface Delivery {
  readonly outputs: Outputs;
  readonly inputs: Inputs;
  readonly io: CommandIo;
  readonly scanner: Scanner;
  /** Other files of the same run, which are also searched for secrets. */
  readonly written?: readonly string[];
  readonly recordingDigest?: string | undefined;
}

export async function deliverReport(report: Report, delivery: Delivery): Promise<void> {
  const { outputs, inputs, io, scanner, written: others = [] } = delivery;
  const kept = reportToDeliver(report, inputs, delivery.recordingDigest);
  const before = keepJudged(kept, outputs);
  const written = writeFiles(kept, outputs, io.cwd);
  const withheld = [...tellGithub(kept, outputs, io, scanner), ...print(kept, written, delivery)];
  if (before !== undefined && !inputs.merged.get('quiet')) {
    io.stderr.write(`This run judged next to nothing. The report before it is kept in ${relative(io.cwd, before)}\n`);
  }
  // At the very end, every file is searched on disk.
  await refuseLeaks([...outputs.files.map(({ path }) => path), ...others], scanner, withheld);
  if (written.problem) throw written.problem;
}

/**
 * If a format is written to stdout, the terminal report goes to stderr. Not beside output for agents: they read both, and
 * the terminal report mixes the target's text with ours. Returns the outputs that contain a secret.
 */
function print(
  report: Report,
  { files: written, page, fullReport }: Written,
  { outputs, inputs: { merged }, io: { stdout, stderr }, scanner }: Delivery,
): readonly string[] {
  const { stdout: asked } = outputs;
  announceAgent(outputs, { stdout });
  const detail = shownDetail(merged);
  const shows = (format: FormatName, screen: Screen) =>
    show(report, { format, detail, written, page, fullReport }, screen, scanner);
  return [
    ...(asked === undefined || shows(asked, stdout) ? [] : [`the ${asked} report on stdout`]),
    ...(asked === 'terminal' || asked === 'agent' || shows('terminal', asked === undefined ? stdout : stderr)
      ? []
      : ['the terminal report']),
  ];
}
