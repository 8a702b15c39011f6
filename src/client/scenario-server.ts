/** Serves one scenario on a port of its own, and keeps what the client sent and what it was answered. */
import type { IncomingMessage } from 'node:http';
import type { Call } from '../gateway/call.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { makeExchangeId } from '../exchange/identity.ts';
import { lastAnswer } from '../exchange/reading/answered.ts';
import { type Modifier, type Promises, startGateway } from '../gateway/index.ts';
import { isObject, type Json, memberOf, parseJson } from '../json.ts';
import { ReceivedCall } from '../scripted/received-call.ts';
import { ACCEPT_ALL, namedModifiers, scriptModifiers } from '../scripted/reply-script.ts';
import { makeScenarioWord } from '../text/scenario-word.ts';
import { receivedRequest } from './received-request.ts';
import { endpointOf, type PlayableScenario } from './scenario.ts';

/** The model that clients are told to call. */
export const SCENARIO_MODEL = 'sea-small';

/** Calls of one scenario that are kept. Later ones are answered and counted. */
const MAX_KEPT = 40;
/** A client in an endless loop is cut off. */
const MAX_CALLS = 500;
/** How long a connection stays open after `[DONE]`, in milliseconds. */
const HOLD_AFTER_DONE = 1_000;
/** A stall that the client has sat through and retries is held for this part of the time, so that retries come to an end. */
const LATER_STALL = 0.2;

export interface ServerOptions {
  readonly key: string;
  /** How long an answer that stalls is held before the connection closes, in milliseconds. */
  readonly stallMs: number;
  /** When the run began, by `performance.now()`. */
  readonly began: number;
  /** Removes secrets from what the client sent. */
  readonly clean: (text: string) => string;
  /** What the answers have by a profile. Requests are judged later, so none is refused. */
  readonly promises?: Promises | undefined;
}

export interface RunningScenario {
  readonly baseUrl: string;
  /** The calls so far that are kept, in order of arrival. */
  exchanges(): readonly Exchange[];
  /** All calls, kept or not. */
  readonly callCount: number;
  /** What a client that understands returns; for a list, one id per line in the order of the list. */
  readonly text: string;
  close(): Promise<void>;
}

export async function startScenario(scenario: PlayableScenario, options: ServerOptions): Promise<RunningScenario> {
  const word = makeScenarioWord();
  const calls: ReceivedCall[] = [];
  let callCount = 0;
  const timers = new Set<NodeJS.Timeout>();
  const isOpenAtEnd = scenario.outlook === 'either';
  const holdMs = isOpenAtEnd ? HOLD_AFTER_DONE : options.stallMs;

  const release = (call: ReceivedCall): void => {
    const timer = setTimeout(() => call.release(), call === calls[0] || isOpenAtEnd ? holdMs : holdMs * LATER_STALL);
    timers.add(timer);
  };
  const watch = (call: Call, request: IncomingMessage): ReceivedCall => {
    callCount += 1;
    const { socket, httpVersion } = request;
    if (callCount > MAX_CALLS) socket.destroy();
    const turn = { step: scenario.id, number: callCount };
    const facts = { ...turn, id: makeExchangeId(turn), side: 'client', socket, httpVersion, onHeld: release } as const;
    const received = new ReceivedCall({ ...receivedRequest(call, request, options), ...facts });
    if (calls.length < MAX_KEPT) calls.push(received);
    return received;
  };
  const exchanges = () => calls.map((call) => call.toExchange(options.began));
  const tokens = tokensOf(scenario, word);
  const { promises } = options;
  const gateway = await startGateway({
    modifiers: modifiersFor(scenario, tokens, word),
    ...(promises && { promises }),
    watch,
    eventGapMs: 1,
  });
  return {
    baseUrl: gateway.baseUrl,
    exchanges,
    get callCount() {
      return callCount;
    },
    get text() {
      return scenario.mode === 'models' ? listedIds(exchanges()) : tokens.join('');
    },
    async close() {
      for (const timer of timers) clearTimeout(timer);
      await gateway.close();
    },
  };
}

/** What the reference gateway does in a scenario. `tokens`: those of its reply. */
export function modifiersFor(scenario: PlayableScenario, tokens: readonly string[], word: string): readonly Modifier[] {
  const { status, mode } = scenario;
  return [
    ACCEPT_ALL,
    { title: 'A model of the list has the word in its name', models: () => modelsWith(word) },
    ...scriptModifiers({
      tokens,
      finish: 'stop',
      endpoint: endpointOf(mode),
      ...(status !== undefined && { status }),
      modifiers: namedModifiers(scenario),
    }),
  ];
}

const USUAL_TOKENS = ['The', ' word', ' is', ' ${word}', '.'];

export function tokensOf({ tokens = USUAL_TOKENS }: PlayableScenario, word: string): readonly string[] {
  return tokens.map((token) => token.replaceAll('${word}', word));
}

function modelsWith(word: string) {
  return [SCENARIO_MODEL, 'sea-large', `sea-${word}`].map((id) => ({ id, object: 'model', owned_by: 'reference' }));
}

/** The ids that were sent last in answer to a request for the list. */
function listedIds(exchanges: readonly Exchange[]): string {
  const lists = exchanges.flatMap((exchange) => {
    const answer = exchange.request.endpoint === 'models' ? lastAnswer(exchange) : undefined;
    return answer?.status === 200 ? [parseJson(Buffer.from(answer.body.bytes).toString())] : [];
  });
  const data = memberOf(lists.findLast(isObject), 'data');
  const ids = Array.isArray(data) ? data.map((model: Json) => memberOf(model, 'id')) : [];
  return ids.filter((id) => typeof id === 'string').join('\n');
}
