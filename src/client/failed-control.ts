/** Why a client is not judged: it cannot be started, or fails the plain control. */
import type { Ending } from '../exchange/ending.ts';
import { quoteText } from '../text/quote.ts';
import type { Client } from './client.ts';
import { firstWords, outcomeOfScenario } from './outcome.ts';
import type { PlayedScenario } from './play.ts';
import type { ReceivedCall } from './received-call.ts';

type FailedControl = Extract<Ending, { kind: 'client-failed-control' }>;

/** Characters of its output. */
const MAX_QUOTE = 300;
const MAX_CALLS = 5;

/** Undefined if the client passes the plain control. `earlier`: what it called before, as `formatCall` has it. */
export function endingOfControl(
  control: PlayedScenario,
  { command, isDriver }: Client,
  earlier: readonly string[],
): Ending | undefined {
  const { answer, baseUrl } = control;
  if (answer.kind === 'not-started') {
    return { kind: 'client-not-started', command: command.join(' '), code: answer.code };
  }
  if (outcomeOfScenario(control, undefined).result === 'pass') return undefined;
  const how = howItFailed(control, isDriver);
  const { exit, signal } = answer.kind === 'failed' ? answer : {};
  const calls = [...earlier, ...control.calls.map(({ received }) => formatCall(received, baseUrl))];
  return {
    kind: 'client-failed-control',
    how,
    seconds: Math.round(answer.time / 1000),
    said: quoteText(answer.said, MAX_QUOTE),
    ...(how === 'wrong-text' && { reply: quoteText(control.text, MAX_QUOTE) }),
    complaint: quoteText(firstWords(answer.complaint), MAX_QUOTE),
    ...(exit !== undefined && { exit }),
    ...(signal !== undefined && { signal }),
    calls: [...new Set(calls)].slice(0, MAX_CALLS),
  };
}

/** `POST /chat/completions`, or `POST /chat/completions (streamed)`. */
export function formatCall(received: ReceivedCall, baseUrl: string): string {
  const { method, path, mode } = received.toExchange('', new URL(baseUrl).pathname).request;
  return `${method} ${path}${mode === 'stream' ? ' (streamed)' : ''}`;
}

function howItFailed({ answer, askedCount }: PlayedScenario, isDriver: boolean): FailedControl['how'] {
  if (answer.kind === 'unsupported' || answer.kind === 'flooded') return answer.kind;
  if (answer.kind === 'timed-out') return 'no-result';
  // The process of a driver has ended, which is no answer to a scenario.
  const hasEnded = answer.kind === 'failed' && (answer.exit !== undefined || answer.signal !== undefined);
  if (answer.kind === 'again' || (isDriver && hasEnded)) return 'ended';
  if (askedCount === 0) return 'no-request';
  if (answer.kind === 'failed') return 'failed';
  return answer.said === '' ? 'no-text' : 'wrong-text';
}
