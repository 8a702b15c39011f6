/** Tells whether a step of today sends what a step of the recorded run sent. */
import { createHash } from 'node:crypto';
import type { Plan, Step } from '../plan/plan.ts';

export function stepHash({ template, seeks, control, sampled, repeat }: Step): string {
  const sent = JSON.stringify([template, seeks, control, sampled, repeat]);
  return createHash('sha256').update(sent).digest('hex').slice(0, 12);
}

export function stepHashes({ steps }: Plan): Readonly<Record<string, string>> {
  return Object.fromEntries(steps.map((step) => [step.id, stepHash(step)]));
}
