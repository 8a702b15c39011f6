/** A plan of today for a recording of yesterday: what the recorded run did not plan to ask is skipped, never inconclusive. */
import type { Cost, Omission, Plan } from '../plan/plan.ts';
import { SELECTIONS } from '../suite/case.ts';
import type { RecordingStart } from './recording.ts';
import { stepHashes } from './step-hash.ts';

export const ABSENT = 'not in this recording';

/** Where the suites are those of the recorded run, every step is there and nothing changes. */
export function withoutAbsent(plan: Plan, { steps: recorded }: Pick<RecordingStart, 'steps'>): Plan {
  const hashes = stepHashes(plan);
  const isAbsent = (step: string): boolean => recorded[step] === undefined || recorded[step] !== hashes[step];
  return withOmissions(plan, (steps) => steps.some(isAbsent));
}

const NOTHING: Cost = { requests: 0, completions: 0, tokens: 0 };

/** Nothing was asked for: every case that asks is skipped, and no setting would have changed that. */
export function withoutAsking(plan: Plan): Plan {
  const { omissions, ...rest } = withOmissions(plan, () => true);
  const absent = omissions.map((omission): Omission => ({ ...omission, reason: ABSENT, needs: [] }));
  return { ...rest, omissions: absent, least: NOTHING, most: NOTHING };
}

function withOmissions(plan: Plan, areAbsent: (steps: readonly string[]) => boolean): Plan {
  const omitted = new Set(plan.omissions.map((omission) => omission.case));
  const absent = new Set<string>();
  for (const { id, ask } of plan.cases) {
    if (ask && !omitted.has(id) && areAbsent(plan.stepsOf[id] ?? [])) absent.add(id);
  }
  for (const { id, over } of plan.cases) {
    const cases = over.filter((name) => !(SELECTIONS as readonly string[]).includes(name));
    if (cases.some((name) => absent.has(name))) absent.add(id);
  }
  const omissions = [...absent].map((id): Omission => ({ case: id, reason: ABSENT, needs: [] }));
  return { ...plan, omissions: [...plan.omissions, ...omissions] };
}
