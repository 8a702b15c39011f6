/** Adapts today's plan to an older recording: cases that the recorded run did not send are skipped, not inconclusive. */
import { createHash } from 'node:crypto';
import type { Cost, Omission, OmissionReason, Plan, Step } from '../plan/plan.ts';
import { isSelection } from '../suite/case.ts';
import type { RecordingStart } from './recording.ts';

export const NOT_RECORDED: OmissionReason = { kind: 'not-recorded' };

/** Omits the cases whose steps the recorded run did not send in the same form. */
export function omitAbsent(plan: Plan, { steps: recorded }: Pick<RecordingStart, 'steps'>): Plan {
  const hashes = new Map(plan.steps.map((step) => [step.id, [hashStep(step), hashStep(step, FORMER_PROMPTS)]]));
  const isSent = (step: string): boolean => hashes.get(step)?.includes(recorded[step] ?? '') ?? false;
  return addOmissions(plan, (steps) => !steps.every(isSent));
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

/** Step id → hash of what it sends. */
export function hashSteps({ steps }: Plan): Readonly<Record<string, string>> {
  return Object.fromEntries(steps.map((step) => [step.id, hashStep(step)]));
}

function hashStep({ template, seeks, control, sampled, repeat }: Step, prompts: typeof FORMER_PROMPTS = []): string {
  const now = JSON.stringify([template, seeks, control, sampled, repeat]);
  const sent = prompts.reduce((text, [prompt, before]) => text.replaceAll(prompt, () => before), now);
  return createHash('sha256').update(sent).digest('hex').slice(0, 12);
}
