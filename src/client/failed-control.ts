/** Why a client is not judged: it cannot be started, or fails the plain control. */
import type { Ending } from '../exchange/ending.ts';
import { firstWords } from '../text/error-message.ts';
import { quoteText } from '../text/quote.ts';
import type { Client, PlayedScenario } from '../exchange/client-traffic.ts';
import type { SentRequest } from '../exchange/exchange.ts';
import { askedCalls } from './asked-calls.ts';
import { outcomeOfScenario } from './outcome.ts';
import type { PlayableScenario } from './scenario.ts';

type FailedControl = Extract<Ending, { kind: 'client-failed-control' }>;

/** Characters of its output. */
const MAX_QUOTE = 300;
const MAX_CALLS = 5;

/** Undefined if the client passes the plain control. `earlier`: what it called before, as `formatCall` has it. */
export function endingOfControl(
  control: PlayedScenario,
  scenario: PlayableScenario,
  { command, isDriver }: Client,
  earlier: readonly string[],
): Ending | undefined {
  const { answer } = control;
  if (answer.kind === 'not-started') {
    return { kind: 'client-not-started', command: command.join(' '), code: answer.code };
  }
  if (outcomeOfScenario(control, scenario).result === 'pass') return undefined;
  const how = howItFailed(control, scenario, isDriver);
  const { exit, signal } = answer.kind === 'failed' ? answer : {};
  const calls = [...earlier, ...control.exchanges.map(({ request }) => formatCall(request))];
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
    ...(!isDriver && answer.kind === 'returned' && answer.said === '' && calls.length === 0 && { mayBeDriver: true }),
  };
}

/** `POST /chat/completions`, or `POST /chat/completions (streamed)`. */
export function formatCall({ method, path, mode }: SentRequest): string {
  return `${method} ${path}${mode === 'stream' ? ' (streamed)' : ''}`;
}

function howItFailed(control: PlayedScenario, { mode }: PlayableScenario, isDriver: boolean): FailedControl['how'] {
  const { answer } = control;
  if (answer.kind === 'unsupported' || answer.kind === 'flooded') return answer.kind;
  if (answer.kind === 'timed-out') return 'no-result';
  // The process of a driver has ended, which is no answer to a scenario.
  const hasEnded = answer.kind === 'failed' && (answer.exit !== undefined || answer.signal !== undefined);
  if (answer.kind === 'again' || (isDriver && hasEnded)) return 'ended';
  if (askedCalls(control, mode).length === 0) return 'no-request';
  if (answer.kind === 'failed') return 'failed';
  return answer.said === '' ? 'no-text' : 'wrong-text';
}
