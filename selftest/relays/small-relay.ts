/** A small relay that is correct, except for what its modifiers change. It shares no code with the checker. */
import { type IncomingMessage, request as send, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import type { UpstreamName } from '../../src/exchange/identity.ts';
import { listen } from '../../src/gateway/listen.ts';
import { joinChunks, splitReply } from './rewrite.ts';
import type { ClientCall, FrontAnswer, JsonMap, RelayModifier, UpstreamFailure } from './relay-modifier.ts';
import { readStream, type RelayedCall, relayStream, sendStream } from './relay-stream.ts';

export const RELAY_KEYS = {
  full: 'sk-service-relay-8fK2mQ7xW4nB',
  second: 'sk-service-relay-1pZ6tR3vY9cD',
  upstream: 'sk-upstream-5hJ0sL8gX2aE7uM4kT',
} as const;

export interface RelayOptions {
  /** Such as `http://127.0.0.1:5055/v1`. */
  readonly upstreamUrl: string;
  /** Of a second upstream. */
  readonly fallbackUrl?: string | undefined;
  readonly modifiers?: readonly RelayModifier[];
  /** More changes for a single call. */
  readonly route?: (call: ClientCall) => RelayModifier;
  /** Called with every answer before it begins. */
  readonly watch?: (response: ServerResponse) => void;
}

export interface SmallRelay {
  readonly baseUrl: string;
  close(): Promise<void>;
}

export async function startSmallRelay(options: RelayOptions): Promise<SmallRelay> {
  const memory = new Map<string, unknown>();
  const server = await listen(async (request, response) => {
    response.on('error', () => response.destroy());
    options.watch?.(response);
    await answer(request, response, options, memory).catch(() => response.destroy());
  }, {});
  return { baseUrl: `${server.origin}/v1`, close: () => server.close() };
}

export function isKnownKey(key: string): boolean {
  return key === RELAY_KEYS.full || key === RELAY_KEYS.second;
}

/** What no upstream is needed for: refused keys and the list. */
function answerAlone(
  { method }: IncomingMessage,
  key: string,
  { accepts = isKnownKey, keyStatus = 401, list }: RelayModifier,
): FrontAnswer | undefined {
  if (!accepts(key)) return errorAnswer(keyStatus, 'invalid_api_key', 'The key is not valid.');
  if (method !== 'GET') return undefined;
  const models = { object: 'list', data: [{ id: 'small-relay', object: 'model', owned_by: 'relay' }] };
  return jsonAnswer(200, list?.(models) ?? models);
}

/** Calls of each connection so far. */
const places = new WeakMap<Socket, number>();

function parseObject(text: string): JsonMap | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonMap) : undefined;
  } catch {
    return undefined;
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { modifiers = [], route, ...urls }: RelayOptions,
  memory: ClientCall['memory'],
): Promise<void> {
  const usual: RelayModifier = Object.assign({}, ...modifiers);
  const key = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const own = answerAlone(request, key, usual);
  if (own) return sendAnswer(response, own);
  const place = (places.get(request.socket) ?? 0) + 1;
  places.set(request.socket, place);
  const body = parseObject(await readText(request));
  if (!body) return sendAnswer(response, errorAnswer(400, 'invalid_body', 'The body is not a JSON object.'));
  const isStream = body['stream'] === true;
  const call: ClientCall = { key, headers: request.headers, body, isStream, place, memory };
  const modifier = { ...usual, ...route?.(call) };
  const shortcut = modifier.shortcut?.(call);
  if (modifier.delay !== undefined) await pause(modifier.delay);
  if (shortcut) return sendAnswer(response, shortcut);
  const leave = await modifier.admit?.(call);
  try {
    await relayCall({ call, response, modifier }, urls);
  } finally {
    leave?.();
  }
}

type Urls = Pick<RelayOptions, 'upstreamUrl' | 'fallbackUrl'>;

function urlOf({ upstreamUrl, fallbackUrl = upstreamUrl }: Urls, upstream: UpstreamName): string {
  return upstream === 'primary' ? upstreamUrl : fallbackUrl;
}

async function relayCall(relayed: RelayedCall, urls: Urls): Promise<void> {
  const { call, response, modifier } = relayed;
  const left = new AbortController();
  if (!modifier.ignoresLeaving) response.on('close', () => left.abort());
  let failure: UpstreamFailure = { headers: {}, body: '' };
  const attempts = Array.from({ length: modifier.attempts ?? 1 }, (): UpstreamName => 'primary');
  const turns = modifier.turns?.(call) ?? attempts;
  for (const [at, upstream] of turns.entries()) {
    const hedged = modifier.hedge === undefined ? undefined : turns[at + 1];
    const result = await tryOnce({ ...relayed, upstream, hedged }, urls, left.signal);
    if (result === 'done') return;
    failure = result;
    if (modifier.takesNext?.(failure, upstream, call) === false) break;
    if (at < turns.length - 1) await pause(modifier.retryPause ?? 0);
  }
  showFailure(relayed, failure);
}

function showFailure({ call, response, modifier }: RelayedCall, failure: UpstreamFailure): void {
  const plain = failureAnswer(failure);
  const shown = modifier.failure?.(failure, call, plain) ?? plain;
  if (shown === 'close') response.destroy();
  else if (shown !== 'hang') sendAnswer(response, shown);
}

type Turn = RelayedCall & { readonly upstream: UpstreamName; readonly hedged?: UpstreamName | undefined };

/** `done` once anything was sent to the client. */
async function tryOnce(relayed: Turn, urls: Urls, left: AbortSignal): Promise<'done' | UpstreamFailure> {
  const { call, response, modifier } = relayed;
  try {
    const { answer, from } = await callEither(relayed, urls, left);
    const { response: upstream, bytes } = answer;
    const { statusCode: status, headers } = upstream;
    const isStream = sendsEvents(upstream);
    if (isStream && call.isStream) {
      const { again = 'primary' } = modifier;
      return await relayStream(relayed, bytes, (sent) => callUpstream(relayed, urlOf(urls, again), left, sent));
    }
    const chunks = isStream ? await readStream(relayed, bytes) : undefined;
    const text = isStream ? '' : await readText(bytes);
    const reply = status === 200 ? (chunks ? joinChunks(chunks) : parseReply(text)) : undefined;
    if (!reply) return { headers, body: text, ...(status !== undefined && { status }) };
    sendReply(relayed, modifier.replyFrom?.(from, reply) ?? reply);
    return 'done';
  } catch {
    if (response.headersSent || left.aborted) {
      response.destroy();
      return 'done';
    }
    return { headers: {}, body: '' };
  }
}

function sendsEvents({ statusCode, headers }: IncomingMessage): boolean {
  return statusCode === 200 && (headers['content-type'] ?? '').startsWith('text/event-stream');
}

/** The upstream of this turn, or a second one that answers with success before it. */
async function callEither(turn: Turn, urls: Urls, left: AbortSignal) {
  const { upstream, hedged, modifier } = turn;
  const callAt = async (from: UpstreamName) => ({ answer: await callUpstream(turn, urlOf(urls, from), left), from });
  let isAnswered = false;
  const first = callAt(upstream).finally(() => (isAnswered = true));
  if (hedged === undefined) return first;
  const succeed = async (calling: typeof first): Promise<Awaited<typeof first>> => {
    const called = await calling;
    if (called.answer.response.statusCode !== 200) throw new Error('The upstream failed.');
    return called;
  };
  const second = pause(modifier.hedge).then(() => (isAnswered ? first : callAt(hedged)));
  return Promise.any([succeed(first), succeed(second)]).catch(() => first);
}

function sendReply(relayed: RelayedCall, reply: JsonMap): void {
  const { call, response, modifier } = relayed;
  const shown = modifier.reply?.(reply, call) ?? reply;
  if (call.isStream) return sendStream(relayed, splitReply(shown));
  const usual = jsonAnswer(200, shown);
  const headers = modifier.answerHeaders?.(usual.headers, call) ?? usual.headers;
  sendAnswer(response, { ...usual, headers, ...(modifier.writeReply && { body: modifier.writeReply(shown) }) });
}

/** The reply so far becomes a message, for the upstream to go on from there. */
function withText(body: JsonMap, content: string): JsonMap {
  const messages = Array.isArray(body['messages']) ? (body['messages'] as readonly unknown[]) : [];
  return { ...body, messages: [...messages, { role: 'assistant', content }] };
}

function inMode(body: JsonMap, mode: RelayModifier['upstreamMode']): JsonMap {
  const { stream: _stream, stream_options: _options, ...plain } = body;
  if (mode === undefined) return body;
  return mode === 'plain' ? plain : { ...plain, stream: true, stream_options: { include_usage: true } };
}

/** Undefined for anything but a completion. */
function parseReply(text: string): JsonMap | undefined {
  const value = parseObject(text);
  return Array.isArray(value?.['choices']) && value['error'] === undefined ? value : undefined;
}

/** The usual answer to a failure: the status of the upstream if it is an error, otherwise 502. A refused key is our own. */
export function failureAnswer({ status, headers }: UpstreamFailure): FrontAnswer {
  const made = errorAnswer(
    status !== undefined && status >= 400 && status !== 401 ? status : 502,
    'upstream_failed',
    status === undefined ? 'The upstream did not answer.' : `The upstream answered with ${status}.`,
  );
  const wait = headers['retry-after'];
  return wait === undefined ? made : { ...made, headers: { ...made.headers, 'Retry-After': wait } };
}

export function errorAnswer(status: number, code: string, message: string): FrontAnswer {
  return jsonAnswer(status, { error: { message, type: 'relay_error', code } });
}

export function jsonAnswer(status: number, value: object): FrontAnswer {
  return { status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) };
}

function sendAnswer(response: ServerResponse, { status, headers, body }: FrontAnswer): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  response.writeHead(status, headers).end(body);
}

interface UpstreamAnswer {
  readonly response: IncomingMessage;
  /** Decompressed. Ends with an error if the answer is cut off. */
  readonly bytes: AsyncIterable<Buffer>;
}

/** Rejects if there is no answer. */
function callUpstream(
  { call, modifier }: RelayedCall,
  url: string,
  signal: AbortSignal,
  sent = '',
): Promise<UpstreamAnswer> {
  const { request, requestHeaders, upstreamMode, unpacks = true, upstreamTimeout = 0 } = modifier;
  const asked = request?.(call.body, call) ?? call.body;
  const body = modifier.continues && sent !== '' ? withText(asked, modifier.continues(sent)) : asked;
  const text = JSON.stringify(inMode(body, upstreamMode));
  const usual = { 'Content-Type': 'application/json', Authorization: `Bearer ${RELAY_KEYS.upstream}` };
  const headers = { ...(requestHeaders?.(usual, call) ?? usual), 'Content-Length': String(Buffer.byteLength(text)) };
  return new Promise((resolve, reject) => {
    const sending = send(`${url}/chat/completions`, { method: 'POST', headers, signal }, (response) => {
      const isPacked = unpacks && response.headers['content-encoding'] === 'gzip';
      resolve({ response, bytes: isPacked ? response.pipe(createGunzip()) : response });
    });
    sending.on('error', reject);
    sending.setTimeout(upstreamTimeout, () => sending.destroy(new Error('The upstream is silent.')));
    sending.end(text);
  });
}

export async function readText(bytes: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts).toString();
}
