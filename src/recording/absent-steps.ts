/** Adapts today's plan to an older recording: cases that the recorded run did not send are skipped, not inconclusive. */
import { createHash } from 'node:crypto';
import type { Cost, Omission, OmissionReason, Plan, Step } from '../plan/plan.ts';
import { isSelection } from '../suite/case.ts';
import type { RecordingStart } from './recording.ts';

export const NOT_RECORDED: OmissionReason = { kind: 'not-recorded' };
const ASKED_OTHERWISE: OmissionReason = { kind: 'asked-otherwise' };

export interface AdaptedPlan {
  readonly plan: Plan;
  /** Cases that a newer request covers: their own requests may be recorded or not. With the reason if they are not. */
  readonly uncovered: ReadonlyMap<string, OmissionReason>;
}

/** Omits the cases whose steps the recorded run did not send in the same form. */
export function omitAbsent(plan: Plan, { steps: recorded }: Pick<RecordingStart, 'steps'>): AdaptedPlan {
  const hashes = new Map(
    plan.steps.map((step) => {
      // A key in the query was once sent as a request that may be refused or answered. The request is the same.
      const sought: Step = step.template.key === 'query' ? { ...step, seeks: 'either' } : step;
      return [step.id, [hashStep(step), hashStep(step, FORMER_PROMPTS), hashStep(sought)]];
    }),
  );
  const isSent = (step: string): boolean => hashes.get(step)?.includes(recorded[step] ?? '') ?? false;
  const uncovered = plan.cases.filter(({ id, ask }) => {
    const [own, ...others] = (plan.stepsOf[id] ?? []).toReversed();
    if (ask?.coveredBy === undefined || own === undefined || !isSent(own)) return false;
    return others.length > 0 && !others.every(isSent);
  });
  const alone = Object.fromEntries(uncovered.map(({ id }) => [id, (plan.stepsOf[id] ?? []).slice(-1)]));
  const adapted = addOmissions({ ...plan, stepsOf: { ...plan.stepsOf, ...alone } }, (steps) => !steps.every(isSent));
  return { plan: adapted, uncovered: new Map(Object.keys(alone).map((id) => [id, NOT_RECORDED])) };
}

/** Tells what is absent since this contract asks otherwise from what is absent by the run's own contract (`own`), too. */
export function markAskedOtherwise({ plan, uncovered }: AdaptedPlan, own: AdaptedPlan): AdaptedPlan {
  const absent = new Set(own.plan.omissions.filter(isNotRecorded).map((omission) => omission.case));
  const omissions = plan.omissions.map((omission) =>
    isNotRecorded(omission) && !absent.has(omission.case) ? { ...omission, reason: ASKED_OTHERWISE } : omission,
  );
  const isOld = (id: string): boolean => absent.has(id) || own.uncovered.has(id);
  const reasons = [...uncovered].map(([id, reason]) => [id, isOld(id) ? reason : ASKED_OTHERWISE] as const);
  return { plan: { ...plan, omissions }, uncovered: new Map(reasons) };
}

function isNotRecorded({ reason }: Omission): boolean {
  return reason.kind === NOT_RECORDED.kind;
}

/** Prompts and their earlier wording. Verdicts do not depend on it, so older recordings stay as good as new. */
const FORMER_PROMPTS: readonly (readonly [now: string, before: string])[] = [
  ['Say hello to ${word} in one short sentence.', 'Say hello in one short sentence. ${word}'],
  ['Answer with the single word ${word}.', 'Answer with the single word yes. ${word}'],
  [
    'Say ${word}, then count from one to forty in words, separated by spaces.',
    'Count from one to forty in words, separated by spaces. ${word}',
  ],
];

const NOTHING: Cost = { requests: 0, completions: 0, tokens: 0 };

/** Omits every case that sends something: no setting could have enabled it. */
export function omitSending(plan: Plan): Plan {
  const { omissions, ...rest } = addOmissions(plan, () => true);
  const absent = omissions.map((omission): Omission => ({ ...omission, reason: NOT_RECORDED }));
  return { ...rest, omissions: absent, least: NOTHING, most: NOTHING };
}

function addOmissions(plan: Plan, areAbsent: (steps: readonly string[]) => boolean): Plan {
  const omitted = new Set(plan.omissions.map((omission) => omission.case));
  const absent = new Set<string>();
  for (const { id, ask } of plan.cases) {
    if (ask && !omitted.has(id) && areAbsent(plan.stepsOf[id] ?? [])) absent.add(id);
  }
  for (const { id, over } of plan.cases) {
    const cases = over.filter((name) => !isSelection(name));
    if (cases.some((name) => absent.has(name))) absent.add(id);
  }
  const omissions = [...absent].map((id): Omission => ({ case: id, reason: NOT_RECORDED }));
  return { ...plan, omissions: [...plan.omissions, ...omissions] };
}

/** The hash of what a step sends. */
export function hashStep(step: Step, prompts: typeof FORMER_PROMPTS = []): string {
  const { template, seeks, control, sampled, repeat } = step;
  const now = JSON.stringify([template, seeks, control, sampled, repeat]);
  const sent = prompts.reduce((text, [prompt, before]) => text.replaceAll(prompt, () => before), now);
  return createHash('sha256').update(sent).digest('hex').slice(0, 12);
}
