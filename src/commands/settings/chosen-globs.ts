/** What `--only` and `--skip` name, looked up among the built-in cases of gateways. */
import { contractOf, UNCHANGED } from '../../contract/profile/apply-profile.ts';
import { checkGlobs, type Globs } from '../../subjects/check-globs.ts';
import { loadRunSuites } from '../../suite/load-suites.ts';
import type { Merged } from './merge-settings.ts';

export function globsOf(merged: Merged): Globs {
  return {
    only: merged.get('only') ?? [],
    skip: merged.get('skip') ?? [],
    originOf: (name, index) => merged.origin(name, index) ?? { label: `--${name}` },
  };
}

/** Refuses names of cases that do not exist, as far as that is known without suites and a profile of one's own. */
export function checkBuiltInGlobs(merged: Merged): void {
  const isOwn = merged.get('profile') !== undefined || (merged.get('suite') ?? []).length > 0;
  const globs = globsOf(merged);
  if (isOwn || globs.only.length + globs.skip.length === 0) return;
  const cases = loadRunSuites([], contractOf(UNCHANGED)).flatMap((suite) => suite.cases);
  checkGlobs(globs, cases, 'gateway');
}
