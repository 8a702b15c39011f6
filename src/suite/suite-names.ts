/** The suites that come along, and whether there is one of a name. */
import { existsSync } from 'node:fs';
import { inert } from '../text/layout.ts';
import { didYouMean } from '../text/suggestion.ts';
import { usageError } from '../usage-error.ts';

/** The suites in the order in which they are read: a case may start from earlier ones. */
export const BUILT_IN_SUITES = [
  'models',
  'auth',
  'chat',
  'streaming',
  'parameters',
  'errors',
  'tolerance',
  'counts',
  'versioning',
] as const;

/** Cases that judge recordings of other tools. A run has cases of its own for the same clauses. */
export const RECORDED_SUITE = 'recorded';

export function isBuiltInSuite(name: string): boolean {
  return name === RECORDED_SUITE || (BUILT_IN_SUITES as readonly string[]).includes(name);
}

/** `name`: a built-in suite or the path of a file. `at`: the place that names it. */
export function requireSuite(name: string, at?: { readonly file: string; readonly line: number }): void {
  if (isBuiltInSuite(name)) return;
  const shown = inert(name, 300);
  if (!/\.ya?ml$/.test(name)) {
    const choice = ` Use one of ${BUILT_IN_SUITES.join(', ')}, or a .yaml file.`;
    const guess = didYouMean(name, BUILT_IN_SUITES) || choice;
    throw usageError.UNKNOWN_NAME(`Unknown suite "${shown}".${guess}`, at);
  }
  if (existsSync(name)) return;
  throw usageError.FILE_MISSING(`Cannot find the suite file ${shown}. Check the path.`, at);
}
