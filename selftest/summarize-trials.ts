/** How many trials of each kind went as they should, and what went wrong in one. */
import { TEST_KINDS } from './test-subjects.ts';
import type { TrialResult } from './trial.ts';

/** `faults caught 187/187 · variants left alone 61/61`. Kinds that were not tried are left out. */
export function summarizeTrials(results: readonly Pick<TrialResult, 'subject' | 'problems'>[]): string {
  return Object.entries(TEST_KINDS)
    .flatMap(([kind, { goal }]) => {
      const own = results.filter(({ subject }) => subject.kind === kind);
      const good = own.filter(({ problems }) => problems.length === 0);
      return own.length === 0 ? [] : [`${goal} ${good.length}/${own.length}`];
    })
    .join(' · ');
}

/** Empty if there are none. */
export function formatProblems({ subject: { kind, id }, problems }: TrialResult): string {
  return problems.length === 0 ? '' : `${kind} ${id}\n${problems.map((problem) => `  ${problem}\n`).join('')}`;
}
