/** On GitHub's runners a report also becomes annotations and a part of the job's summary, without being asked for. */
import { appendFileSync } from 'node:fs';
import { render } from '../render/index.ts';
import type { Report } from '../report/report.ts';
import type { Outputs } from './outputs.ts';
import type { Surroundings } from './surroundings.ts';

type Needed = Pick<Surroundings, 'env' | 'stdout' | 'stderr'>;

export function tellGithub(report: Report, outputs: Outputs, { env, stdout, stderr }: Needed): void {
  // The runner reads both streams; stdout may belong to another format.
  if (env['GITHUB_ACTIONS'] === 'true' && outputs.stdout !== 'github') {
    (outputs.stdout === undefined ? stdout : stderr).write(render(report, 'github'));
  }
  const summary = env['GITHUB_STEP_SUMMARY'] ?? '';
  if (summary === '') return;
  try {
    // Other commands of the same step may have written to it before.
    appendFileSync(summary, `${render(report, 'markdown')}\n`);
  } catch (error) {
    stderr.write(`The job summary could not be written (${(error as NodeJS.ErrnoException).code}): ${summary}\n`);
  }
}
