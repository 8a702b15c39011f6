/** When a step is sent, and which of its outcomes are final. */

import type { Ask, Case } from '../suite/case.ts';
import { tokenLimitOf } from './cost.ts';
import type { Bound, RequestTemplate, SoughtAnswer, TraitsOfChecks, Wave } from './plan.ts';

/** `answer` unless the case edits a control. With an exhausted or limited key, any outcome counts. */
export function seeksOf(testCase: Case, ask: Ask, template: RequestTemplate, checks: TraitsOfChecks): SoughtAnswer {
  if (template.key === 'exhausted' || template.key === 'limited' || template.endpoint === 'other') return 'any';
  if (ask.control === undefined) return 'answer';
  const sought = testCase.expect.map(({ check }) => checks[check]?.seeks);
  if (sought.includes('unauthorized')) return 'unauthorized';
  return sought.includes('refusal') ? 'refusal' : 'either';
}

/** Whether a completion is a finding, even if the control was not answered. */
export function isAnswerWrong({ expect }: Case, checks: TraitsOfChecks): boolean {
  return expect.some(({ check }) => checks[check]?.isBrokenByAnswer ?? false);
}

/** Whether nothing is judged but that a valid request is answered, so that the rest of the answer does not matter. */
export function isAnswerEnough({ ask, expect }: Case, checks: TraitsOfChecks): boolean {
  return ask?.control === undefined && expect.every(({ check }) => checks[check]?.isIndependentOfEdits);
}

export function waveOf(ask: Ask, template: RequestTemplate): Wave {
  if (ask.closing || ask.confirms !== undefined) return 'closing';
  if (ask.parallel) return 'parallel';
  if (template.key === 'restricted') return 'positive';
  if (template.key !== 'full') return 'credential';
  if (ask.control === undefined) return 'positive';
  if (ask.filler === 'large' || ask.filler === 'larger') return 'large';
  if (boundOf(template, { ask }) === 'time') return 'max-tokens';
  return ask.edits.some(({ kind }) => kind === 'raw' || kind === 'remove') ? 'malformed' : 'edit';
}

/** The case that a request belongs to, if it is not a base request. */
export interface Purpose {
  readonly ask?: Ask;
  readonly isAnswerEnough?: boolean;
}

export function boundOf(
  { endpoint, mode, body }: RequestTemplate,
  { ask, isAnswerEnough: isEnough }: Purpose = {},
): Bound {
  // A body that is not JSON is refused before the model matters.
  if (endpoint !== 'chat' || body?.kind !== 'json') return 'max-tokens';
  // The last edit is the case's own; the others belong to the case that is its control.
  const edit = ask?.control === undefined ? undefined : ask.edits.at(-1);
  const isEdited = edit && 'pointer' in edit && edit.pointer === '/max_tokens';
  const limit = tokenLimitOf(body);
  if (isEdited || limit === 'invalid') return mode === 'stream' ? 'first-text' : 'time';
  if (limit !== 'none') return 'max-tokens';
  return mode === 'stream' && isEnough ? 'first-text' : 'nothing';
}
