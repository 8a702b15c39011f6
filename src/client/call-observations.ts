/** What the contract leaves open in the calls of a client: recorded, never judged. */
import type { Exchange } from '../exchange/exchange.ts';
import { isObject, parseJson } from '../json.ts';
import { quoteText } from '../text/quote.ts';
import { fieldItem, type Observation, type ObservedItem, seenValues } from '../verdict/observation.ts';
import { observed } from '../verdict/finding.ts';
import type { PlayedScenario } from '../exchange/client-traffic.ts';
import { isAsked } from './asked-calls.ts';
import { isPlayable, type PlayableScenario } from './scenario.ts';
import type { ClientRun, ScenarioCheck } from './scenario-check.ts';

/** A scenario, and what the client did in it. */
interface ScenarioCalls {
  readonly scenario: PlayableScenario;
  readonly played: PlayedScenario;
}

type CallObserver = (played: readonly ScenarioCalls[]) => readonly Observation[];

export const CALL_OBSERVATIONS = {
  'unknown-fields': onPlayed('Fields of requests that the contract does not have.', (played) => [
    { name: 'unknown-fields', value: seenValues(callsOf(played).flatMap(unknownFields)) },
  ]),
  headers: onPlayed('Headers of requests.', (played) => [
    { name: 'headers', value: seenValues(callsOf(played).flatMap(headerNames)) },
  ]),
  'other-endpoints': onPlayed('Calls that the client was not asked to make.', (played) => [
    { name: 'other-calls', value: seenValues(played.flatMap(otherCalls)) },
  ]),
  retries: onPlayed('How often a client calls again after a failure.', observeRetries),
  'retry-after': onPlayed('How long a client waits if it is asked to.', observeRetryAfter),
};

function onPlayed(summary: string, observe: CallObserver): ScenarioCheck {
  return { summary, execute: (_evidence, run) => observed(observe(playedScenarios(run))) };
}

function playedScenarios({ traffic, scenarios }: ClientRun): readonly ScenarioCalls[] {
  const byId = new Map(scenarios.filter(isPlayable).map((scenario) => [scenario.id, scenario]));
  return traffic.played.flatMap((played) => {
    const scenario = byId.get(played.scenario);
    return scenario ? [{ played, scenario }] : [];
  });
}

function callsOf(played: readonly ScenarioCalls[]): readonly Exchange[] {
  return played.flatMap(({ played: { exchanges } }) => exchanges);
}

const REQUEST_FIELDS = ['model', 'messages', 'max_tokens', 'temperature', 'top_p', 'stream'];
const MESSAGE_FIELDS = ['role', 'content'];

function unknownFields({ request }: Exchange): readonly ObservedItem[] {
  const parsed = parseJson(request.body);
  const body = isObject(parsed) ? parsed : {};
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

/** Without the key, whatever its form. */
function headerNames({ request }: Exchange): readonly ObservedItem[] {
  const names = request.headers.map(([name]) => name.toLowerCase());
  return names.filter((name) => name !== 'authorization').map((name) => quoteText(name));
}

function otherCalls({ played, scenario }: ScenarioCalls): readonly ObservedItem[] {
  return played.exchanges
    .filter(({ request }) => !isAsked(request, scenario.mode))
    .map(({ request }) => quoteText(`${request.method} ${request.path.split('?')[0] ?? ''}`));
}

/** One line per status. */
function observeRetries(played: readonly ScenarioCalls[]): readonly Observation[] {
  return played
    .filter(({ scenario }) => scenario.outlook === 'failure' && scenario.status !== undefined)
    .map(({ scenario, played: { callCount } }) => ({
      name: 'calls-after',
      of: String(scenario.status),
      value: callCount,
    }));
}

function observeRetryAfter(played: readonly ScenarioCalls[]): readonly Observation[] {
  return played
    .filter(({ scenario }) => scenario.behaviours.includes('retry-after'))
    .map(({ played: own }) => ({
      name: 'retry-after-time',
      value: secondsBetween(own),
    }));
}

function secondsBetween({ exchanges }: PlayedScenario): number | 'none' {
  const [first, second] = exchanges.map(({ attempts }) => attempts[0]?.sentAt);
  return first === undefined || second === undefined ? 'none' : Math.round((second - first) / 100) / 10;
}
