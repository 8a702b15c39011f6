/** Serves one scenario on a port of its own, and keeps what the client sent and what it was answered. */
import type { IncomingMessage } from 'node:http';
import type { Call } from '../../gateway/call.ts';
import type { Exchange, Header } from '../../exchange/exchange.ts';
import { makeExchangeId } from '../../exchange/identity.ts';
import { lastAnswer } from '../../exchange/reading/answered.ts';
import type { Modifier, Promises } from '../../gateway/index.ts';
import { isObject, type Json, memberOf, parseJson } from '../../json.ts';
import { rawHeaders, type ReceivedRequest } from '../../scripted/received-call.ts';
import { ACCEPT_ALL, scriptModifiers } from '../../scripted/reply-script.ts';
import { startScriptedServer } from '../../scripted/scripted-server.ts';
import type { KeyUse } from '../../suite/case.ts';
import { makeScenarioWord } from '../../text/scenario-word.ts';
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
  /** The key that the client was given. */
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

export async function startScenario(scenario: PlayableScenario, options: ServerOptions) {
  const word = makeScenarioWord();
  let callCount = 0;
  const isOpenAtEnd = scenario.expectedResult === 'either';
  const holdMs = isOpenAtEnd ? HOLD_AFTER_DONE : options.stallMs;
  const tokens = tokensOf(scenario, word);
  const server = await startScriptedServer({
    modifiers: modifiersFor(scenario, tokens, word),
    ...(options.promises && { promises: options.promises }),
    eventGapMs: 1,
    identify: (_call, { socket }) => {
      callCount += 1;
      if (callCount > MAX_CALLS) return void socket.destroy();
      const turn = { step: scenario.id, number: callCount };
      return { ...turn, id: makeExchangeId(turn), side: 'client' };
    },
    receive: (call, request) => receivedRequest(call, request, options),
    onHeld: (call) => {
      const isFirst = call === server.calls[0];
      setTimeout(() => call.release(), isFirst || isOpenAtEnd ? holdMs : holdMs * LATER_STALL).unref();
    },
  });
  const baseUrl = server.url;
  return {
    baseUrl,
    /** Ends it. What it saw: the calls that are kept, in order of arrival, and the text that a client which understands returns. */
    async close() {
      await server.close();
      const exchanges = server.calls.slice(0, MAX_KEPT).map((call) => call.toExchange(options.began));
      const text = scenario.mode === 'models' ? listedIds(exchanges) : tokens.join('');
      return { baseUrl, exchanges, text, callCount };
    },
  };
}

/** What the reference gateway does in a scenario. `tokens`: those of its reply. */
export function modifiersFor(scenario: PlayableScenario, tokens: readonly string[], word: string): readonly Modifier[] {
  return [
    ACCEPT_ALL,
    {
      models: () =>
        [SCENARIO_MODEL, 'sea-large', `sea-${word}`].map((id) => ({ id, object: 'model', owned_by: 'reference' })),
    },
    ...scriptModifiers({ ...scenario, tokens, finish: 'stop', endpoint: endpointOf(scenario.mode) }),
  ];
}

const USUAL_TOKENS = ['The', ' word', ' is', ' ${word}', '.'];

export function tokensOf({ tokens = USUAL_TOKENS }: PlayableScenario, word: string): readonly string[] {
  return tokens.map((token) => token.replaceAll('${word}', word));
}

/** The ids that were sent last in answer to a request for the list, one in a line. */
function listedIds(exchanges: readonly Exchange[]): string {
  const lists = exchanges.flatMap((exchange) => {
    const answer = exchange.request.endpoint === 'models' ? lastAnswer(exchange) : undefined;
    return answer?.status === 200 ? [parseJson(Buffer.from(answer.body.bytes).toString())] : [];
  });
  const data = memberOf(lists.findLast(isObject), 'data');
  const ids = Array.isArray(data) ? data.map((model: Json) => memberOf(model, 'id')) : [];
  return ids.filter((id) => typeof id === 'string').join('\n');
}

/** Characters of a body. No client sends as much in answer to a short question. */
const MAX_BODY = 1024 * 1024;

/** The request as evidence: bounded, and without the key. */
function receivedRequest(call: Call, request: IncomingMessage, { key, clean }: ServerOptions): ReceivedRequest {
  const { endpoint, streamed, method, text = '', tooLarge } = call;
  const use = keyUseOf(call, key);
  const isTooLarge = tooLarge || text.length > MAX_BODY;
  const path = request.url ?? '/';
  return {
    request: {
      endpoint,
      mode: streamed ? 'stream' : 'plain',
      method,
      path: clean(path.startsWith(BASE_PATH) ? path.slice(BASE_PATH.length) : path),
      headers: headersOf(request, use).map(([name, value]) => [clean(name), clean(value)]),
      ...(text !== '' && !isTooLarge && { body: clean(text) }),
      ...(isTooLarge ? { unread: 'too-large' as const } : call.text === undefined && { unread: 'not-utf8' as const }),
      key: use,
    },
    secretsSeen: [],
  };
}

const BASE_PATH = '/v1';

/** The key is left out. The scheme of a credential in a wrong form is enough: the rest may be a key. */
function headersOf(request: IncomingMessage, use: KeyUse): readonly Header[] {
  return rawHeaders(request).flatMap(([name, value]): readonly Header[] => {
    if (name.toLowerCase() !== 'authorization') return [[name, value]];
    const [scheme = ''] = value.split(' ');
    return use === 'full' ? [] : [[name, value.includes(' ') ? `${scheme} …` : '…']];
  });
}

/** How the client sent the key that it was given. */
function keyUseOf({ headers, bearer, query }: Call, key: string): KeyUse {
  if (bearer === key) return 'full';
  const { authorization } = headers;
  if (authorization === key) return 'bare';
  if (authorization?.startsWith('Basic ')) return 'basic';
  if (authorization !== undefined) return bearer === undefined ? 'token' : 'unknown';
  if (headers['x-api-key'] !== undefined) return 'x-api-key';
  return [...query.values()].includes(key) ? 'query' : 'none';
}
