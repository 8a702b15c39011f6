/** Controls: a refusal proves something only if the control, the unedited request, is answered. */

import { retryAfter } from '../../exchange/channel/retry.ts';
import { explainsStatus } from '../../exchange/ending.ts';
import type { Answer, Exchange } from '../../exchange/exchange.ts';
import { requestNameOf } from '../../exchange/identity.ts';
import { lastAnswer, wasAnswered } from '../../exchange/reading/answered.ts';
import { readEvents, streamEnd } from '../../exchange/reading/event-stream.ts';
import { memberOf } from '../../json.ts';
import { STEPS } from '../../plan/known-steps.ts';
import type { CheckInput, RunView } from '../check.ts';
import type { BrokenOff, Reason } from '../reason.ts';
import { jsonOf } from './answers.ts';
import { answerOutcome } from './outcome.ts';

export function isControlAnswered(exchange: Exchange | undefined): boolean {
  return exchange !== undefined && wasAnswered(exchange);
}

/** A case that names no control has the plain chat request as its control. */
export function controlFor({ control, run }: CheckInput): Exchange | undefined {
  return control ?? run.exchange(STEPS.control);
}

export function controlAnswered(input: CheckInput): boolean {
  return isControlAnswered(controlFor(input));
}

/** The reason not to judge a refusal: its control was not answered. */
export function noControl(control: Exchange | undefined): Reason {
  return { kind: 'control-unanswered', ...brokenOff(control) };
}

export function noControlFor(input: CheckInput): Reason {
  return noControl(controlFor(input));
}

/** The reason not to judge what builds on this exchange, which was not answered. */
export function noBasis(exchange: Exchange | undefined): Extract<Reason, { kind: 'basis-unanswered' }> {
  return { kind: 'basis-unanswered', ...brokenOff(exchange) };
}

/** An answer that began is told from none. */
function brokenOff(exchange: Exchange | undefined): { readonly brokenOff?: BrokenOff } {
  const answer = exchange && lastAnswer(exchange);
  if (!exchange || answer?.status !== 200) return {};
  if (exchange.request.mode !== 'stream') return answer.body.end.kind === 'cut' ? { brokenOff: { end: 'cut' } } : {};
  const end = streamEnd(answer);
  if (end !== 'cut' && end !== 'stalled') return {};
  return { brokenOff: { end, events: readEvents(answer.body).events.length } };
}

/**
 * The reason not to judge an answer by its status: Retry-After exceeds the user's limit, so that the request was not retried,
 * or the end of the run explains it.
 */
export function explainedByRun(answer: Answer, { traffic: { ending }, settings }: RunView): Reason | undefined {
  if ((retryAfter(answer) ?? 0) > settings.maxRetryWait) return { kind: 'wait-too-long' };
  return explainsStatus(ending, answer.status) ? { kind: 'run-ended', ending } : undefined;
}

/** The reason not to judge a body that broke off: the target died meanwhile, and this request may have been the cause. */
export function cutByEnd({ traffic: { ending } }: RunView, exchange: Exchange): Reason | undefined {
  if (ending.kind !== 'stopped-answering') return undefined;
  const names = [exchange.step, requestNameOf(exchange)];
  return ending.suspects.some((suspect) => names.includes(suspect)) ? { kind: 'run-ended', ending } : undefined;
}

// Whether a prompt that was meant to be longer than the context was.

/**
 * The reason not to judge a prompt that was answered with fewer tokens than `--context-tokens` counted. A stream may not
 * count them: then the plain answer to the same prompt does, which is its control.
 */
export function contextNotReached(
  exchange: Exchange,
  { control, run: { settings } }: Pick<CheckInput, 'control' | 'run'>,
): Extract<Reason, { kind: 'context-not-reached' }> | undefined {
  if (!isLongPrompt(exchange) || answerOutcome(exchange).kind !== 'answered') return undefined;
  const context = settings.contextTokens ?? 0;
  const counts = [exchange, ...(control && isLongPrompt(control) ? [control] : [])].map(promptTokensOf);
  const tokens = counts.find((each) => each !== undefined);
  return tokens !== undefined && tokens < context ? { kind: 'context-not-reached', tokens, context } : undefined;
}

function isLongPrompt({ request: { filler } }: Exchange): boolean {
  return filler?.kind === 'words';
}

function promptTokensOf(exchange: Exchange): number | undefined {
  const outcome = answerOutcome(exchange);
  const usage = outcome.kind === 'answered' ? memberOf(jsonOf(outcome.answer), 'usage') : undefined;
  const tokens = memberOf(usage, 'prompt_tokens');
  return typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens >= 0 ? tokens : undefined;
}
