/** Whether a prompt that was meant to be longer than the context was. */
import type { Exchange } from '../../exchange/exchange.ts';
import { memberOf } from '../../json.ts';
import type { CheckInput } from '../check.ts';
import type { OfKind, Reason } from '../reason.ts';
import { jsonOf } from './answers.ts';
import { answerOutcome } from './outcome.ts';

/**
 * The reason not to judge a prompt that was answered with fewer tokens than `--context-tokens` counted. A stream may not
 * count them: then the plain answer to the same prompt does, which is its control.
 */
export function contextNotReached(
  exchange: Exchange,
  { control, run: { settings } }: Pick<CheckInput, 'control' | 'run'>,
): OfKind<Reason, 'context-not-reached'> | undefined {
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
