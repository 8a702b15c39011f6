/** Relays that behave unusually and keep the contract. */
import { escapeLetters } from '../../src/gateway/change.ts';
import { type ClientCall, type FrontAnswer, type JsonMap, legalRelay, type LegalRelay } from './relay-modifier.ts';
import { choicesIn, textOf, withMessages, without } from './rewrite.ts';
import { errorAnswer, jsonAnswer } from './small-relay.ts';

const ownIds = new WeakMap<ClientCall, string>();

function retold(value: JsonMap, call: ClientCall): JsonMap {
  const id = ownIds.get(call) ?? `other-${Math.random()}`;
  ownIds.set(call, id);
  return { ...value, id, provider: 'x', created: 1 };
}

const question = ({ key, body }: ClientCall): string => `${key} ${JSON.stringify(body)}`;

/** Lets one call at a time through. */
async function takeTurn({ memory }: ClientCall): Promise<() => void> {
  const last = memory.get('turn') as Promise<void> | undefined;
  let end = (): void => undefined;
  memory.set('turn', new Promise<void>((resolve) => (end = resolve)));
  await last;
  return end;
}

/** Counts calls in flight. */
function takePlace({ memory }: ClientCall): Promise<() => void> {
  const count = (by: number): void => void memory.set('calls', callsIn(memory) + by);
  count(1);
  return Promise.resolve(() => count(-1));
}

function callsIn(memory: Map<string, unknown>): number {
  return (memory.get('calls') as number | undefined) ?? 0;
}

/** A request without a model stays without. */
const withModel =
  (rename: (model: string) => string) =>
  (body: JsonMap): JsonMap =>
    typeof body['model'] === 'string' ? { ...body, model: rename(body['model']) } : body;

function withRole(message: unknown): unknown {
  return typeof message === 'object' && message !== null ? { role: '', ...message } : message;
}

function writeOtherwise(value: JsonMap): string {
  return escapeLetters(JSON.stringify(Object.fromEntries(Object.entries(value).toReversed()), undefined, 2));
}

export const LEGAL_RELAYS = {
  'relay-careful': legalRelay('The relay does everything as it should', {}),
  'relay-adds-fields': legalRelay('Answers get fields, headers and other ids', {
    reply: retold,
    chunk: (chunk, call) => retold(chunk, call),
    answerHeaders: (usual) => ({ ...usual, 'X-Served-By': 'relay', 'X-Request-Id': '17' }),
    requestHeaders: (usual) => ({ ...usual, 'X-Request-Id': '17', 'User-Agent': 'relay/1.0', Via: '1.1 relay' }),
  }),
  'relay-adds-request-fields': legalRelay('Requests get fields of the relay, and always ask for token counts', {
    request: (body) => ({
      ...body,
      user: 'tenant-7',
      metadata: { trace: 17 },
      ...(body['stream'] === true && { stream_options: { include_usage: true } }),
    }),
  }),
  'relay-sends-parts': legalRelay('Messages are text parts, and the limit is max_completion_tokens', {
    request: ({ max_tokens: limit, ...body }) => ({
      ...withMessages((messages) =>
        messages.map((message) => ({ ...message, content: [{ type: 'text', text: message.content }] })),
      )(body),
      ...(limit !== undefined && { max_completion_tokens: limit }),
    }),
  }),
  'relay-lowers-token-limits': legalRelay('Every request has a token limit of at most 64', {
    request: (body) => ({ ...body, max_tokens: Math.min(64, Number(body['max_tokens'] ?? 64)) }),
  }),
  'relay-maps-models': legalRelay('The model has a different name upstream', {
    request: withModel(() => 'inner-model'),
    reply: (reply) => ({ ...reply, model: 'small-relay' }),
    chunk: (chunk) => ({ ...chunk, model: 'small-relay' }),
  }),
  'relay-maps-each-model': legalRelay('Each model has a different name upstream', {
    models: ['small=inner-small', 'large'],
    only: ['plain', 'forward-*'],
    request: withModel((model) => `inner-${model}`),
  }),
  'relay-maps-models-to-one': legalRelay('Two models are the same upstream, as the user says', {
    models: ['small=inner-model', 'large=inner-model'],
    only: ['plain', 'forward-*'],
    request: withModel(() => 'inner-model'),
  }),
  // As a program does whose messages always have both members.
  'relay-writes-empty-roles': legalRelay('A message without a role arrives with an empty one', {
    request: (body) => ({
      ...body,
      ...(Array.isArray(body['messages']) && { messages: body['messages'].map(withRole) }),
    }),
  }),
  'relay-drops-unknown-fields': legalRelay('Unknown fields do not pass in either direction', {
    request: without('x_wirecheck', 'seed', 'stop', 'user'),
    reply: without('x_unknown', 'service_tier'),
    chunk: without('x_unknown', 'x_padding'),
  }),
  'relay-retries-once': legalRelay('A failed call is made once more before output', { attempts: 2 }),
  'relay-retries-with-pauses': legalRelay('A failed call is made twice more, after pauses', {
    attempts: 3,
    retryPause: 150,
  }),
  'relay-slow': legalRelay('Every answer comes 300 ms later', { delay: 300 }),
  'relay-works-on': legalRelay('The upstream call goes on after the client has left', { ignoresLeaving: true }),
  'relay-one-at-a-time': legalRelay('Calls wait for each other', { admit: takeTurn }),
  'relay-limits-parallel-calls': legalRelay('More than eight calls at once are refused with 429', {
    admit: takePlace,
    shortcut: ({ memory }) =>
      callsIn(memory) >= 8
        ? {
            ...errorAnswer(429, 'too_many_calls', 'Too many calls at once.'),
            headers: { 'Content-Type': 'application/json', 'Retry-After': '1' },
          }
        : undefined,
  }),
  'relay-cools-down': legalRelay('After a failure of the upstream, calls are refused for half a second', {
    shortcut: ({ memory }) =>
      performance.now() < ((memory.get('until') as number | undefined) ?? 0)
        ? errorAnswer(503, 'cooling_down', 'The upstream is cooling down.')
        : undefined,
    failure(_failure, { memory }, usual) {
      memory.set('until', performance.now() + 500);
      return usual;
    },
  }),
  'relay-own-statuses': legalRelay('Failures have a status of the relay', {
    failure: (_failure, _call, usual) => ({ ...usual, status: usual.status === 429 ? 429 : 500 }),
  }),
  'relay-caches-by-key': legalRelay('The same question of the same key gets the same reply', {
    shortcut: (call) => call.memory.get(question(call)) as FrontAnswer | undefined,
    reply(reply, call) {
      call.memory.set(question(call), jsonAnswer(200, reply));
      return reply;
    },
  }),
  'relay-always-streams': legalRelay('The upstream is always asked for a stream', { upstreamMode: 'stream' }),
  'relay-never-streams': legalRelay('The upstream is always asked for a plain reply', { upstreamMode: 'plain' }),
  'relay-accepts-gzip': legalRelay('Compressed answers are asked for and unpacked', {
    requestHeaders: (usual) => ({ ...usual, 'Accept-Encoding': 'gzip, deflate' }),
  }),
  'relay-other-json': legalRelay('Replies are written in a different order, spaced and escaped', {
    writeReply: writeOtherwise,
    write: (chunks) => chunks.map((chunk) => `data:${writeOtherwise(chunk).replaceAll(/\n */g, '')}\n\n`).join(''),
  }),
  'relay-drops-choices': legalRelay('Choices that nobody asked for are left out', {
    reply: (reply) => ({ ...reply, choices: choicesIn(reply).slice(0, 1) }),
    chunk: (chunk) =>
      choicesIn(chunk).some(({ index }) => index === 1)
        ? []
        : [{ ...chunk, choices: choicesIn(chunk).filter(({ index }) => index !== 1) }],
  }),
  'relay-coalesces': legalRelay('Chunks are gathered for 300 ms, and broken streams cut', {
    holdBack: 300,
    midStream: 'cut',
  }),
  'relay-letter-by-letter': legalRelay('Every chunk becomes one per letter', {
    chunk: (chunk) => {
      const [choice, ...others] = choicesIn(chunk);
      const letters = Array.from(choice ? textOf(choice) : '');
      if (!choice || others.length > 0 || letters.length < 2 || letters.length > 40) return [chunk];
      return letters.map((content, at) => ({
        ...chunk,
        choices: [
          { ...choice, delta: { ...choice.delta, content }, ...(at < letters.length - 1 && { finish_reason: null }) },
        ],
      }));
    },
  }),
  'relay-other-events': legalRelay('Streams have CRLF line ends and comments', {
    write: (chunks) => chunks.map((chunk) => `: still here\r\n\r\ndata:${JSON.stringify(chunk)}\r\n\r\n`).join(''),
  }),
  'relay-event-ids': legalRelay('Events of streams have ids', {
    write: (chunks) => chunks.map((chunk, at) => `id: ${at}\ndata: ${JSON.stringify(chunk)}\n\n`).join(''),
  }),
  'relay-passes-refusals-on': legalRelay('Refusals of the upstream keep their status, and others are 500', {
    failure: ({ status = 0 }, _call, usual) =>
      [402, 403, 404, 413, 429].includes(status) ? usual : { ...usual, status: 500 },
  }),
  'relay-error-fields': legalRelay('Errors have further fields, and types and codes of their own', {
    failure: (_failure, _call, usual) => ({
      ...usual,
      body: JSON.stringify({ error: { message: '–', type: '', code: '', param: null, x_new: [1] }, trace: 17 }),
    }),
  }),
  'relay-streams-errors': legalRelay('A failure of the upstream of a stream becomes an error event', {
    failure: ({ status }, { isStream }, usual) =>
      isStream && status !== 400
        ? { status: 200, headers: { 'Content-Type': 'text/event-stream' }, body: `data: ${usual.body}\n\n` }
        : usual,
  }),
  'relay-finish-reason-error': legalRelay('A broken stream ends in the finish_reason error', {
    midStream: 'error-finish',
  }),
  'relay-waits-for-silence': legalRelay('Silent streams are waited for', {
    patient: true,
    only: ['plain', 'stream', 'silence-*', 'idle'],
  }),
  'relay-gives-up-on-silence': legalRelay('An upstream that is silent for 500 ms has failed', {
    patient: true,
    only: ['plain', 'stream', 'silence-*', 'idle'],
    upstreamTimeout: 500,
  }),
  'relay-gives-up-on-stalls': legalRelay('An upstream that is silent for 4 s has failed', { upstreamTimeout: 4_000 }),
} satisfies Record<string, LegalRelay>;
