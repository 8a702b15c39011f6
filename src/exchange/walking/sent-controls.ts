/** The controls of a step that were sent. */
import { BARE_CONTROL_STEP, CONTROL_STEP, type Step } from '../../plan/plan.ts';
import type { Exchange } from '../exchange.ts';
import { wasAnswered } from '../reading/answered.ts';

/** A step without a control of its own has the plain chat request. */
export function sentControls(
  { control = CONTROL_STEP }: Pick<Step, 'control'>,
  exchanges: readonly Exchange[],
): readonly Exchange[] {
  const steps = control === CONTROL_STEP ? [CONTROL_STEP, BARE_CONTROL_STEP] : [control];
  return exchanges.filter(({ step }) => steps.includes(step));
}

/**
 * The id of the control whose bytes a step repeats: one that changes nothing but the key, which then shows a cache in front
 * of the keys. `control`: its step.
 */
export function findRepeated(
  step: Step,
  control: Step | undefined,
  exchanges: readonly Exchange[],
): string | undefined {
  const { seeks, template } = step;
  const body = control?.template.body;
  if (seeks !== 'unauthorized' || !body || JSON.stringify(body) !== JSON.stringify(template.body)) return undefined;
  const sent = sentControls(step, exchanges);
  return (sent.find(wasAnswered) ?? sent[0])?.id;
}
