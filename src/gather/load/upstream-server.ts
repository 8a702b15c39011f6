/**
 * The scripted upstream of a run under load: the word of a call chooses its reply. It is not the reference gateway, which
 * remembers every call: this one keeps nothing but words, so that it neither grows nor takes CPU time from the load. It closes
 * idle connections without announcing it, as many servers do.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import type { RequestRules } from '../../contract/contract.ts';
import { contractOf } from '../../contract/profile/apply-profile.ts';
import type { UpstreamName } from '../../exchange/identity.ts';
import type { Vault } from '../../exchange/secrets/vault.ts';
import { chunksOf, type Composition, completionOf } from '../../gateway/composition.ts';
import { listen, metIdleClose } from '../../gateway/listen.ts';
import { isObject, type Json, type JsonObject, memberOf, parseJson } from '../../json.ts';
import { findRequestWords } from '../../plan/request-word.ts';
import type { Settings } from '../../settings.ts';
import { cannotListen, UPSTREAM_MODEL } from '../../scripted/scripted-server.ts';
import { type KnownCall, PACED_PAUSE, PROFILES, keepsLimits, replyPieces, usageOf } from './calls.ts';

/** Milliseconds. */
const IDLE_CLOSE = 5_000;
const MAX_BODY = 1024 * 1024;
/** Upstream calls of one call that are kept. */
const MOST_CALLED = 1_000;
const MAX_CONNECTIONS = 2_048;
const CREATED = 1_700_000_000;
/** Milliseconds between two pieces of a long stream, so that streams overlap. */
const GAP = 1;

export interface LoadUpstream {
  readonly url: string;
  /** Of a second one. */
  readonly fallbackUrl?: string;
  /** Chat calls of this run that have arrived. */
  readonly calls: number;
  readonly callsOf: Readonly<Record<UpstreamName, number>>;
  /** Of two upstreams, the one that fails now. */
  failing?: UpstreamName | undefined;
  close(): Promise<void>;
}

interface Answering {
  readonly vault: Vault;
  readonly registry: { find(word: string): KnownCall | undefined };
  /** Limits of the contract: a request beyond them is refused, as a model would. */
  readonly limits: RequestRules['limits'];
  calls: number;
  readonly callsOf: Record<UpstreamName, number>;
  failing?: UpstreamName | undefined;
}

/** With `--fallback-port`, two that know the same calls. `port`: 0 for any free one. */
export async function startLoadUpstream(
  settings: Settings,
  port: number,
  vault: Vault,
  registry: Answering['registry'],
): Promise<LoadUpstream> {
  const credentials = new Set<string>();
  const { upstreamHost: host, fallbackPort } = settings.relay;
  const answering: Answering = {
    ...{ vault, registry, limits: contractOf(settings).rules.limits },
    ...{ calls: 0, callsOf: { primary: 0, fallback: 0 } },
  };
  const open = (place: Parameters<typeof cannotListen>[1], name?: UpstreamName) =>
    listen(
      (request, response) => {
        learnCredential(request, vault, credentials);
        response.on('error', () => undefined);
        return answer(request, response, answering, name).catch(() => void response.destroy());
      },
      { ...place, maxConnections: MAX_CONNECTIONS, idleMs: IDLE_CLOSE },
    ).catch((error: unknown) => {
      throw cannotListen(error, place);
    });
  if (fallbackPort === undefined) {
    const server = await open({ host, port });
    return Object.assign(answering, { url: `${server.origin}/v1`, close: () => server.close() });
  }
  const first = await open({ host, port }, 'primary');
  const place = { host, port: fallbackPort, portFlag: '--fallback-port' } as const;
  const second = await open(place, 'fallback').catch(async (error: unknown) => {
    await first.close();
    throw error;
  });
  const [url, fallbackUrl] = [`${first.origin}/v1`, `${second.origin}/v1`];
  return Object.assign(answering, {
    ...{ url, fallbackUrl },
    close: async () => void (await Promise.all([first.close(), second.close()])),
  });
}

/** The keys of the gateway, so that an answer that shows one is found. Each is learned once. */
function learnCredential({ headers, url = '' }: IncomingMessage, vault: Vault, known: Set<string>): void {
  const { authorization = '' } = headers;
  if (known.has(authorization) || known.size > 100) return;
  known.add(authorization);
  vault.receive({ path: url, headers: [['authorization', authorization]], body: Buffer.alloc(0) });
}

/** `name`: of two upstreams, the one that is called. */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  answering: Answering,
  name?: UpstreamName,
): Promise<void> {
  const path = (request.url ?? '').split('?')[0] ?? '';
  if (path.endsWith('/models')) {
    request.resume();
    const model = { id: UPSTREAM_MODEL, object: 'model', created: CREATED, owned_by: 'wirecheck' };
    return sendJson(response, 200, { object: 'list', data: [model] });
  }
  const text = await readText(request);
  const body = text === undefined ? undefined : parseJson(text);
  if (!path.endsWith('/chat/completions') || !isObject(body)) return refuse(response, 404, 'not_found');
  const call = findRequestWords(text ?? '')
    .map((word) => answering.registry.find(word))
    .find((known) => known !== undefined);
  if (!call) return refuse(response, 404, 'not_found');
  answering.calls += 1;
  if (name) noteUpstream(call, name, answering);
  keepRequest(call, body, answering.vault, name);
  if (metIdleClose(request)) {
    call.behind.metIdleClose = true;
    return void response.destroy();
  }
  if (name && name === answering.failing) return refuse(response, 503, 'unavailable');
  if (!keepsLimits(body, answering.limits)) return refuse(response, 400, 'invalid_value');
  // A gateway that always streams from its upstream makes plain replies of it, which need a usage.
  const asksForUsage = memberOf(body['stream_options'], 'include_usage') === true;
  if (body['stream'] === true) await sendStream(response, { call, name, withUsage: asksForUsage });
  else {
    call.behind.usageSent = true;
    sendJson(response, 200, completionOf(replyTo(call, name)));
  }
  call.behind.upstreamDone = performance.now();
}

/** Characters of the requests of a call that are kept until it is judged. */
const MAX_KEPT = 64 * 1024;

function noteUpstream(call: KnownCall, name: UpstreamName, { callsOf }: Answering): void {
  callsOf[name] += 1;
  const { called = [] } = call.behind;
  if (called.length < MOST_CALLED) call.behind.called = [...called, name];
}

/**
 * What judging looks at: the model, the limits and the messages with the word. Made again and again, it is kept once. A second
 * upstream may have a model of its own.
 */
function keepRequest(call: KnownCall, body: JsonObject, vault: Vault, name: UpstreamName = 'primary'): void {
  // The client of a call that is over has left, and it was judged.
  if (call.to !== undefined) return;
  const { model, messages, max_tokens, max_completion_tokens } = body;
  const isOwn = (message: Json): boolean => findRequestWords(JSON.stringify(message)).includes(call.word);
  const own = Array.isArray(messages) ? messages.filter(isOwn) : [];
  const text = JSON.stringify({
    ...(name === 'primary' ? { model } : { upstream: name }),
    ...{ messages: own, max_tokens, max_completion_tokens },
  });
  const { body: kept } = vault.receive({ path: '', headers: [], body: Buffer.from(text) });
  const { arrived = [] } = call.behind;
  if (!arrived.includes(kept) && arrived.join('').length + kept.length <= MAX_KEPT)
    call.behind.arrived = [...arrived, kept];
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
  const isDown = status === 503;
  const message = isDown ? 'This upstream is down.' : 'This upstream answers only the calls of wirecheck.';
  sendJson(response, status, { error: { message, type: isDown ? 'server_error' : 'invalid_request_error', code } });
}

function replyTo({ word, profile }: KnownCall, name?: UpstreamName): Composition {
  return {
    id: `chatcmpl-${word}`,
    created: CREATED,
    model: UPSTREAM_MODEL,
    pieces: replyPieces(word, profile, name),
    finishReason: PROFILES[profile].finish,
    promptTokens: usageOf(profile).prompt_tokens,
  };
}

interface SentStream {
  readonly call: KnownCall;
  readonly name: UpstreamName | undefined;
  readonly withUsage: boolean;
}

/** Waits while the gateway does not read. */
async function sendStream(response: ServerResponse, sent: SentStream): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  if (sent.withUsage) sent.call.behind.usageSent = true;
  await pipeline(eventsOf(sent), response).catch(() => response.destroy());
}

async function* eventsOf({ call, name, withUsage }: SentStream): AsyncGenerator<string> {
  const chunks = chunksOf(replyTo(call, name));
  const isPaced = call.profile === 'paced';
  for (const [at, chunk] of chunks.slice(0, -1).entries()) {
    // A few pauses are enough for streams to overlap, and cost less than one for each piece. The role comes first.
    if (call.profile !== 'huge' && at % 8 === 5) {
      if (isPaced) call.behind.wasPaced = true;
      await setTimeout(isPaced ? PACED_PAUSE : GAP);
    }
    yield eventOf(chunk);
  }
  const usage = withUsage ? eventOf({ ...chunks[0], choices: [], usage: usageOf(call.profile) }) : '';
  yield `${eventOf(chunks.at(-1))}${usage}data: [DONE]\n\n`;
}

function eventOf(chunk: JsonObject | undefined): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
