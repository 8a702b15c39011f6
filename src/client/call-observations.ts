/** What the contract leaves open in the calls of a client: recorded, never judged. */
import { isObject } from '../json.ts';
import { quoteText } from '../text/quote.ts';
import { fieldItem, type Observation, type ObservedItem, seenValues } from '../verdict/observation.ts';
import { observed } from '../verdict/finding.ts';
import type { CheckResult } from '../verdict/verdict.ts';
import type { CallCheckName } from './call-check-names.ts';
import { isAsked, type PlayedScenario } from './play.ts';
import type { JudgedCall } from './request-checks.ts';

type CallObserver = (played: readonly PlayedScenario[]) => readonly Observation[];

const OBSERVERS = {
  'unknown-fields': (played) => [{ name: 'unknown-fields', value: seenValues(callsOf(played).flatMap(unknownFields)) }],
  headers: (played) => [{ name: 'headers', value: seenValues(callsOf(played).flatMap(headerNames)) }],
  'other-endpoints': (played) => [{ name: 'other-calls', value: seenValues(played.flatMap(otherCalls)) }],
  retries: observeRetries,
  'retry-after': observeRetryAfter,
} satisfies Partial<Record<CallCheckName, CallObserver>>;

export type CallObservationName = keyof typeof OBSERVERS;

export function observeCalls(name: CallObservationName, played: readonly PlayedScenario[]): CheckResult {
  return observed(OBSERVERS[name](played));
}

export function isCallObservation(name: CallCheckName): name is CallObservationName {
  return Object.hasOwn(OBSERVERS, name);
}

function callsOf(played: readonly PlayedScenario[]): readonly JudgedCall[] {
  return played.flatMap(({ calls }) => calls);
}

const REQUEST_FIELDS = ['model', 'messages', 'max_tokens', 'temperature', 'top_p', 'stream'];
const MESSAGE_FIELDS = ['role', 'content'];

function unknownFields({ received }: JudgedCall): readonly ObservedItem[] {
  const { body } = received.call;
  const messages: readonly unknown[] = Array.isArray(body['messages']) ? body['messages'] : [];
  return [
    ...namesBeyond(body, REQUEST_FIELDS).map((name) => fieldItem('request ', name)),
    ...messages
      .filter(isObject)
      .flatMap((message) => namesBeyond(message, MESSAGE_FIELDS).map((name) => fieldItem('request /messages/*', name))),
  ];
}

function namesBeyond(value: object, known: readonly string[]): readonly string[] {
  return Object.keys(value).filter((name) => !known.includes(name));
}

function headerNames({ received }: JudgedCall): readonly ObservedItem[] {
  return received.headers.map(([name]) => quoteText(name.toLowerCase()));
}

function otherCalls({ calls, scenario }: PlayedScenario): readonly ObservedItem[] {
  return calls
    .filter(({ received }) => !isAsked(received, scenario.mode))
    .map(({ exchange: { request } }) => quoteText(`${request.method} ${request.path.split('?')[0] ?? ''}`));
}

/** One line per status. */
function observeRetries(played: readonly PlayedScenario[]): readonly Observation[] {
  return played
    .filter(({ scenario }) => scenario.expect === 'failure' && scenario.status !== undefined)
    .map(({ scenario, callCount }) => ({ name: 'calls-after', of: String(scenario.status), value: callCount }));
}

function observeRetryAfter(played: readonly PlayedScenario[]): readonly Observation[] {
  return played
    .filter(({ scenario }) => scenario.changes.includes('retry-after'))
    .map((playedScenario) => ({
      name: 'retry-after-time',
      value: secondsBetween(playedScenario),
    }));
}

function secondsBetween({ calls }: PlayedScenario): number | 'none' {
  const [first, second] = calls.map(({ received }) => received.receivedAt);
  return first === undefined || second === undefined ? 'none' : Math.round((second - first) / 100) / 10;
}
