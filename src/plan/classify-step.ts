/** When a step is sent, and which of its outcomes are final. */
import type { Ask, Case } from '../suite/case.ts';
import type { RequestTemplate, Seeks, Wave } from './plan.ts';

/** `answer` unless the case edits a control. With an exhausted or limited key, any outcome counts. */
export function seeksOf(testCase: Case, ask: Ask, template: RequestTemplate): Seeks {
  if (template.key === 'exhausted' || template.key === 'limited' || template.endpoint === 'other') return 'any';
  if (ask.control === undefined) return 'answer';
  const checks = testCase.expect.map(({ check }) => check);
  if (checks.includes('unauthorized')) return 'unauthorized';
  return checks.includes('refused') ? 'refusal' : 'either';
}

/** Whether a completion is a finding, even if the control was not answered. */
export function isAnswerWrong({ expect }: Case): boolean {
  return expect.some(({ check }) => check === 'refused' || check === 'unknown-model');
}

export function waveOf(ask: Ask, template: RequestTemplate): Wave {
  if (ask.closing || ask.confirms !== undefined) return 'closing';
  if (template.key === 'restricted') return 'positive';
  if (template.key !== 'full') return 'credential';
  if (ask.control === undefined) return 'positive';
  return ask.edits.some(({ kind }) => kind === 'raw' || kind === 'remove') ? 'malformed' : 'edit';
}
