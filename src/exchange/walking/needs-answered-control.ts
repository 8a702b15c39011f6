/** Tells which requests show nothing if the control is refused. */
import { BRIEF_STEP, type Step } from '../../plan/plan.ts';

export function needsAnsweredControl(step: Step): boolean {
  return step.needsControl === true || step.when?.kind === 'unanswered' || isVariation(step);
}

/**
 * A valid request that differs little from the control is refused like it, which shows nothing new. The one for a single
 * token and the one without a limit differ in what a control is often refused for.
 */
function isVariation({ id, wave, template, seeks, sampled, bound }: Step): boolean {
  if (wave !== 'positive' || template.mode !== 'plain' || sampled !== undefined) return false;
  return seeks === 'answer' && id !== BRIEF_STEP && bound !== 'nothing';
}
