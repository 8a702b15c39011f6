/** Tells which requests are sent only once: a retry would prove nothing, since what they change was refused for good. */
import { LIST_STEP, type Step } from '../../plan/plan.ts';
import { isExtraKey } from '../../suite/case.ts';
import type { Exchange } from '../exchange.ts';
import { lastAnswer, wasAnswered } from '../reading/answered.ts';
import { readModelList } from './choose-model.ts';
import { sentControls } from './sent-controls.ts';

/** Whether the chat request that this step changes was refused for good, so that a refusal of the step proves nothing. */
export function hasRefusedControl(step: Step, exchanges: readonly Exchange[]): boolean {
  const { wave, template } = step;
  if (template.endpoint !== 'chat' || wave === 'control' || isExtraKey(template.key)) return false;
  const sent = sentControls(step, exchanges);
  return sent.some(isRefusedForGood) && !sent.some(wasAnswered);
}

/**
 * Whether there is nothing that this step changes: the list fails with a 5xx or, for a chat request, gave no model to call.
 * `model`: the one that the run calls.
 */
export function hasNoBasis(
  { wave, template }: Step,
  exchanges: readonly Exchange[],
  model: string | undefined,
): boolean {
  if (wave === 'list' || wave === 'control' || isExtraKey(template.key)) return false;
  const lists = exchanges.filter(({ step }) => step === LIST_STEP);
  if (template.endpoint === 'models') return lists.some(hasFailed) && !lists.some(wasAnswered);
  return model === undefined && lists.some(isNotOfRate) && lists.every(isUnreadable);
}

function hasFailed(list: Exchange): boolean {
  return (lastAnswer(list)?.status ?? 0) >= 500;
}

function isUnreadable(list: Exchange): boolean {
  return readModelList(list).kind === 'unreadable';
}

/** Refused after all attempts, and not because of the rate. */
function isRefusedForGood(exchange: Exchange): boolean {
  return (lastAnswer(exchange)?.status ?? 0) >= 400 && isNotOfRate(exchange);
}

/** A refusal because of the rate goes away with time. */
function isNotOfRate(exchange: Exchange): boolean {
  const status = lastAnswer(exchange)?.status;
  return status !== 408 && status !== 429;
}
