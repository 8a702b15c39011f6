/** Serves one scenario on a port of its own, and keeps what the client sent and what it was answered. */
import { randomInt } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Answer, Rule } from '../gateway/answer.ts';
import type { Call } from '../gateway/call.ts';
import { letPass } from '../gateway/change.ts';
import { type Modifier, startGateway } from '../gateway/index.ts';
import { isObject, itemsOf } from '../gateway/json.ts';
import { refusal } from '../gateway/refusals.ts';
import { ReceivedCall } from './received-call.ts';
import type { CallMode, PlayableScenario } from './scenario.ts';

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
}

export interface RunningScenario {
  readonly baseUrl: string;
  /** In order of arrival. */
  readonly calls: readonly ReceivedCall[];
  /** All calls, kept or not. */
  readonly callCount: number;
  /** What a client that understands returns; for a list, one id per line in the order of the list. */
  readonly text: string;
  close(): Promise<void>;
}

export async function startScenario(scenario: PlayableScenario, options: ServerOptions): Promise<RunningScenario> {
  const word = makeWord();
  const calls: ReceivedCall[] = [];
  let callCount = 0;
  let listed: string | undefined;
  const timers = new Set<NodeJS.Timeout>();
  const isOpenAtEnd = scenario.expect === 'either';
  const holdMs = isOpenAtEnd ? HOLD_AFTER_DONE : options.stallMs;

  const watch = (call: Call, request: IncomingMessage) => {
    callCount += 1;
    if (callCount > MAX_CALLS) request.socket.destroy();
    const isFirst = callCount === 1;
    const received = new ReceivedCall(call, request, options);
    if (calls.length < MAX_KEPT) calls.push(received);
    let isHeld = false;
    return {
      answers(answer: Answer): void {
        received.answers(answer);
        isHeld = answer.kind === 'silence' || (answer.kind === 'reply' && answer.ending === 'held');
        listed = idsIn(answer, call) ?? listed;
      },
      wrote: () => received.wrote(),
      ended(left: boolean): void {
        received.ended(left);
        if (!isHeld || left) return;
        const { socket } = request;
        const timer = setTimeout(
          () => {
            received.gaveUp();
            socket.destroy();
          },
          isFirst || isOpenAtEnd ? holdMs : holdMs * LATER_STALL,
        );
        timers.add(timer);
        socket.once('close', () => {
          if (timers.delete(timer)) clearTimeout(timer);
        });
      },
    };
  };
  const gateway = await startGateway({ modifiers: modifiersOf(scenario, word, options.key), watch, eventGapMs: 1 });
  const tokens = tokensOf(scenario, word);
  return {
    baseUrl: gateway.baseUrl,
    calls,
    get callCount() {
      return callCount;
    },
    get text() {
      return scenario.mode === 'models' ? (listed ?? '') : tokens.join('');
    },
    async close() {
      for (const timer of timers) clearTimeout(timer);
      await gateway.close();
    },
  };
}

/** Whatever is wrong with a request is judged, and the client still gets its answer. */
const KEPT_RULES: readonly Rule[] = ['path', 'method', 'body-size'];

function modifiersOf(scenario: PlayableScenario, word: string, key: string): readonly Modifier[] {
  const { status, mode } = scenario;
  return [
    {
      title: 'Every request is accepted, and the reply has the word in it',
      keys: { full: key },
      authorize: () => 'full',
      refusal: (reason) => (KEPT_RULES.includes(reason.rule) ? reason : letPass(reason.rule)(reason)),
      models: () => modelsWith(word),
      reply: (reply) => ({ ...reply, pieces: tokensOf(scenario, word), finishReason: 'stop' }),
    },
    ...(status === undefined ? [] : [refuseAll(status, mode)]),
    ...scenario.modifiers,
  ];
}

const CODES: Readonly<Record<number, string>> = {
  401: 'invalid_api_key',
  402: 'quota_exhausted',
  403: 'model_not_allowed',
  429: 'rate_limit_exceeded',
};

function refuseAll(status: number, mode: CallMode): Modifier {
  const reason = refusal('invented', status, CODES[status] ?? 'internal_error', `The call was refused with ${status}.`);
  const headers = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  return {
    title: `Every call is refused with ${status}`,
    refuse: (call) => (call.endpoint === endpointOf(mode) ? { ...reason, headers } : undefined),
  };
}

export function endpointOf(mode: CallMode): Call['endpoint'] {
  return mode === 'models' ? 'models' : 'chat';
}

const USUAL_TOKENS = ['The', ' word', ' is', ' ${word}', '.'];

function tokensOf({ tokens = USUAL_TOKENS }: PlayableScenario, word: string): readonly string[] {
  return tokens.map((token) => token.replaceAll('${word}', word));
}

function modelsWith(word: string) {
  return [SCENARIO_MODEL, 'sea-large', `sea-${word}`].map((id) => ({ id, object: 'model', owned_by: 'reference' }));
}

/** The ids that were sent in answer to a request for the list. */
function idsIn(answer: Answer, { endpoint }: Call): string | undefined {
  if (endpoint !== 'models' || answer.kind !== 'reply' || answer.status !== 200) return undefined;
  const list = 'json' in answer.body ? answer.body.json : parsePieces(answer);
  if (!isObject(list)) return undefined;
  return itemsOf(list['data'])
    .flatMap((model) => (isObject(model) && typeof model['id'] === 'string' ? [model['id']] : []))
    .join('\n');
}

function parsePieces({ body }: Extract<Answer, { kind: 'reply' }>): unknown {
  if ('json' in body) return body.json;
  try {
    return JSON.parse(body.pieces.map(({ bytes }) => String(Buffer.from(bytes))).join(''));
  } catch {
    return undefined;
  }
}

const CONSONANTS = 'bdfghklmnprstvz';
const VOWELS = 'aeiou';

/** Eight letters that nobody can guess. */
function makeWord(): string {
  const pick = (letters: string) => letters.charAt(randomInt(letters.length));
  return Array.from({ length: 4 }, () => pick(CONSONANTS) + pick(VOWELS)).join('');
}
