import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The problems that GitHub's own parser finds in a workflow file, a line for each. A process, since it is slow to load. */
export function checkWorkflow(file: string): string {
  const script = fileURLToPath(new URL('check-workflow.mjs', import.meta.url));
  return execFileSync(process.execPath, [script, file], { encoding: 'utf8' });
}
