/** How many trials of each kind went as they should. */

export interface TrialSummary {
  readonly subject: { readonly kind: keyof typeof GOALS };
  readonly problems: readonly string[];
}

const GOALS = {
  fault: 'faults caught',
  variant: 'variants left alone',
  'faulty client': 'faulty clients caught',
  'odd client': 'odd clients left alone',
  'faulty relay': 'faulty relays caught',
  'legal relay': 'legal relays left alone',
} as const;

/** `faults caught 187/187 · variants left alone 61/61`. Kinds that were not tried are left out. */
export function summarizeTrials(results: readonly TrialSummary[]): string {
  return Object.entries(GOALS)
    .flatMap(([kind, goal]) => {
      const own = results.filter(({ subject }) => subject.kind === kind);
      const good = own.filter(({ problems }) => problems.length === 0);
      return own.length === 0 ? [] : [`${goal} ${good.length}/${own.length}`];
    })
    .join(' · ');
}
