/** On GitHub's runners a report also becomes annotations and a part of the job's summary, without being asked for. */
import { appendFileSync } from 'node:fs';
import { render } from '../../render/index.ts';
import type { Report } from '../../report/report.ts';
import type { Outputs } from './outputs.ts';
import type { SecretGuard } from './secret-guard.ts';
import type { Surroundings } from '../surroundings.ts';

type Needed = Pick<Surroundings, 'env' | 'stdout' | 'stderr'>;

/** What a guard held back. */
export function tellGithub(
  report: Report,
  outputs: Outputs,
  { env, stdout, stderr }: Needed,
  guard?: Pick<SecretGuard, 'leaks'>,
): readonly string[] {
  const withheld: string[] = [];
  // The runner reads both streams; stdout may belong to another format.
  if (env['GITHUB_ACTIONS'] === 'true' && outputs.stdout !== 'github') {
    const annotations = render(report, 'github');
    if (guard?.leaks(annotations, 'github')) withheld.push('the annotations');
    else (outputs.stdout === undefined ? stdout : stderr).write(annotations);
  }
  const summary = env['GITHUB_STEP_SUMMARY'] ?? '';
  if (summary === '') return withheld;
  const text = render(report, 'markdown');
  if (guard?.leaks(text, 'markdown')) return [...withheld, 'the job summary'];
  try {
    // Other commands of the same step may have written to it before.
    appendFileSync(summary, `${text}\n`);
  } catch (error) {
    stderr.write(`The job summary could not be written (${(error as NodeJS.ErrnoException).code}): ${summary}\n`);
  }
  return withheld;
}
