/** On GitHub's runners a report is also shown as annotations and in the job summary, without a flag. */
import { appendFileSync } from 'node:fs';
import type { Scanner } from '../../exchange/secrets/scanner.ts';
import { render } from '../../render/index.ts';
import type { Report } from '../../report/report.ts';
import { pageOf } from './deliver.ts';
import type { Outputs } from './outputs.ts';
import type { CommandIo } from '../command-io.ts';

type Needed = Pick<CommandIo, 'env' | 'stdout' | 'stderr'>;

/** Returns the names of outputs that contain a secret, and were therefore not shown. */
export function tellGithub(
  report: Report,
  outputs: Outputs,
  { env, stdout, stderr }: Needed,
  scanner?: Scanner,
): readonly string[] {
  const withheld: string[] = [];
  // The runner reads both streams; stdout may belong to another format. An agent also reads both, and annotations mix the
  // target's text with ours.
  if (env['GITHUB_ACTIONS'] === 'true' && outputs.stdout !== 'github' && outputs.stdout !== 'agent') {
    const annotations = render(report, 'github');
    if (scanner?.findsIn(annotations)) withheld.push('the annotations');
    else (outputs.stdout === undefined ? stdout : stderr).write(annotations);
  }
  const summary = env['GITHUB_STEP_SUMMARY'] ?? '';
  if (summary === '') return withheld;
  const text = render(report, 'markdown', { page: pageOf(outputs.files) });
  if (scanner?.findsIn(text)) return [...withheld, 'the job summary'];
  try {
    // Appended: other commands of the same step may have written to it before.
    appendFileSync(summary, `${text}\n`);
  } catch (error) {
    stderr.write(`Cannot write the job summary ${summary} (${(error as NodeJS.ErrnoException).code}).\n`);
  }
  return withheld;
}
