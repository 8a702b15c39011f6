import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * The problems that GitHub's own parser finds in each of these workflow files, a line for each. One process for all, since
 * it is slow to load.
 */
export function checkWorkflows(...files: readonly string[]): readonly string[] {
  const script = fileURLToPath(new URL('check-workflow.mjs', import.meta.url));
  return JSON.parse(execFileSync(process.execPath, [script, ...files], { encoding: 'utf8' })) as readonly string[];
}
