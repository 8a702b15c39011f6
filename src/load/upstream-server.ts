/**
 * The scripted upstream of a run under load: the word of a call chooses its reply. It keeps nothing but words, so that it
 * does not grow, and it closes idle connections without announcing it, as many servers do.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Range, RequestRules } from '../contract/contract.ts';
import { isObject, type Json, type JsonObject, parseJson } from '../json.ts';
import { findRequestWords } from '../plan/request-word.ts';
import { inert } from '../text/inert.ts';
import { UsageError } from '../usage-error.ts';
import type { Vault } from '../exchange/secrets/vault.ts';
import type { CallRegistry, KnownCall } from './call-registry.ts';
import { pauseStream } from './paced-calls.ts';
import { PROFILES, replyPieces, usageOf } from './profiles.ts';

export const LOAD_MODEL = 'wirecheck-upstream';

/** Milliseconds. */
const IDLE_CLOSE = 5_000;
const MAX_BODY = 1024 * 1024;
const MAX_CONNECTIONS = 2_048;
const CREATED = 1_700_000_000;

export interface LoadUpstream {
  readonly url: string;
  /** Chat calls of this run that have arrived. */
  readonly calls: number;
  close(): Promise<void>;
}

export interface LoadUpstreamOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly vault: Vault;
  readonly registry: CallRegistry;
  /** Of the contract: a request beyond them is refused, as a model would. */
  readonly limits: RequestRules['limits'];
}

export async function startLoadUpstream({
  host,
  port,
  vault,
  registry,
  limits,
}: LoadUpstreamOptions): Promise<LoadUpstream> {
  const credentials = new Credentials(vault);
  let calls = 0;
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    keepOpenWhileAnswering(request.socket, response);
    credentials.learn(request);
    response.on('error', () => undefined);
    answer(request, response, { registry, limits, onCall: () => (calls += 1) }).catch(() => response.destroy());
  });
  server.maxConnections = MAX_CONNECTIONS;
  const sockets = trackSockets(server);
  await listen(server, host, port);
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}/v1`,
    get calls() {
      return calls;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function trackSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  });
  return sockets;
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ code, message }: NodeJS.ErrnoException) =>
      reject(
        new UsageError(
          `Cannot listen on ${inert(host, 100)}:${port} (${code ?? message}): choose another --upstream-port or --upstream-host.`,
          { code: 'CANNOT_LISTEN' },
        ),
      ),
    );
    server.listen(port, host, resolve);
  });
}

const idleTimers = new WeakMap<Socket, NodeJS.Timeout>();

/** Node would announce its own limit in a Keep-Alive header. */
function keepOpenWhileAnswering(socket: Socket, response: ServerResponse): void {
  clearTimeout(idleTimers.get(socket));
  response.once('close', () => {
    if (!socket.destroyed) idleTimers.set(socket, setTimeout(() => socket.end(), IDLE_CLOSE).unref());
  });
}

/** The keys of the gateway, so that an answer that shows one is found. Each is learned once. */
class Credentials {
  readonly #vault: Vault;
  readonly #known = new Set<string>();

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  learn({ headers, url = '' }: IncomingMessage): void {
    const { authorization = '' } = headers;
    if (this.#known.has(authorization) || this.#known.size > 100) return;
    this.#known.add(authorization);
    this.#vault.receive({ path: url, headers: [['authorization', authorization]], body: Buffer.alloc(0) });
  }
}

interface Answering extends Pick<LoadUpstreamOptions, 'registry' | 'limits'> {
  readonly onCall: () => void;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { registry, limits, onCall }: Answering,
): Promise<void> {
  const path = (request.url ?? '').split('?')[0] ?? '';
  if (path.endsWith('/models')) {
    request.resume();
    return sendJson(response, 200, {
      object: 'list',
      data: [{ id: LOAD_MODEL, object: 'model', created: CREATED, owned_by: 'wirecheck' }],
    });
  }
  const text = await readText(request);
  const body = text === undefined ? undefined : parseJson(text);
  if (!path.endsWith('/chat/completions') || !isObject(body)) return refuse(response, 404, 'not_found');
  const call = findRequestWords(text ?? '')
    .map((word) => registry.find(word))
    .find((known) => known !== undefined);
  if (!call) return refuse(response, 404, 'not_found');
  onCall();
  if (Object.entries(limits).some(([field, range]) => isOutOfRange(body[field], range)))
    return refuse(response, 400, 'invalid_value');
  if (body['stream'] === true) await sendStream(response, call, asksForUsage(body));
  else sendReply(response, call);
  call.upstreamDone = performance.now();
}

function isOutOfRange(value: Json | undefined, { minimum = -Infinity, maximum = Infinity }: Range): boolean {
  return typeof value === 'number' && (value < minimum || value > maximum);
}

async function readText(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MAX_BODY) chunks.push(chunk);
  }
  return size <= MAX_BODY ? Buffer.concat(chunks).toString() : undefined;
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const text = JSON.stringify(value);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

function refuse(response: ServerResponse, status: number, code: string): void {
  const message = 'This upstream answers only the calls of wirecheck.';
  sendJson(response, status, { error: { message, type: 'invalid_request_error', code } });
}

function sendReply(response: ServerResponse, call: KnownCall): void {
  call.usageSent = true;
  const content = replyPieces(call.word, call.profile).join('');
  sendJson(response, 200, {
    id: `chatcmpl-${call.word}`,
    object: 'chat.completion',
    created: CREATED,
    model: LOAD_MODEL,
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: PROFILES[call.profile].finish }],
    usage: usageOf(call.profile),
  });
}

/** A gateway that always streams from its upstream makes plain replies of it, which need a usage. */
function asksForUsage({ stream_options: options }: JsonObject): boolean {
  return isObject(options) && options['include_usage'] === true;
}

async function sendStream(response: ServerResponse, call: KnownCall, withUsage: boolean): Promise<void> {
  const { finish, pieces } = PROFILES[call.profile];
  const frame = { id: `chatcmpl-${call.word}`, object: 'chat.completion.chunk', created: CREATED, model: LOAD_MODEL };
  const event = (delta: Json, finishReason: string | null): string =>
    `data: ${JSON.stringify({ ...frame, choices: [{ index: 0, delta, finish_reason: finishReason }] })}\n\n`;
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  if (withUsage) call.usageSent = true;
  const hasGaps = pieces <= PROFILES.long.pieces;
  await write(response, event({ role: 'assistant', content: '' }, null));
  for (const [at, content] of replyPieces(call.word, call.profile).entries()) {
    if (response.destroyed) return;
    // A few pauses are enough for streams to overlap, and cost less than one for each piece.
    if (hasGaps && at % 8 === 4) await pauseStream(call);
    await write(response, event({ content }, null));
  }
  const usage = withUsage ? `data: ${JSON.stringify({ ...frame, choices: [], usage: usageOf(call.profile) })}\n\n` : '';
  response.end(`${event({}, finish)}${usage}data: [DONE]\n\n`);
}

/** Waits while the gateway does not read. */
function write(response: ServerResponse, text: string): Promise<void> | undefined {
  if (response.write(text) || response.destroyed) return undefined;
  return new Promise((resolve) => {
    const go = (): void => {
      response.off('drain', go);
      response.off('close', go);
      resolve();
    };
    response.on('drain', go);
    response.on('close', go);
  });
}
