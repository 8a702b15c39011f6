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
const MAX_CONNECTIONS = 2_048;
const CREATED = 1_700_000_000;
/** Milliseconds between two pieces of a long stream, so that streams overlap. */
const GAP = 1;

export interface LoadUpstream {
  readonly url: string;
  /** Chat calls of this run that have arrived. */
  readonly calls: number;
  close(): Promise<void>;
}

interface Answering {
  readonly vault: Vault;
  readonly registry: { find(word: string): KnownCall | undefined };
  /** Limits of the contract: a request beyond them is refused, as a model would. */
  readonly limits: RequestRules['limits'];
  calls: number;
}

/** `port`: 0 for any free one. */
export async function startLoadUpstream(
  settings: Settings,
  port: number,
  vault: Vault,
  registry: Answering['registry'],
): Promise<LoadUpstream> {
  const credentials = new Set<string>();
  const answering: Answering = { vault, registry, limits: contractOf(settings).rules.limits, calls: 0 };
  const place = { host: settings.relay.upstreamHost, port };
  try {
    const server = await listen(
      (request, response) => {
        learnCredential(request, vault, credentials);
        response.on('error', () => undefined);
        return answer(request, response, answering).catch(() => void response.destroy());
      },
      { ...place, maxConnections: MAX_CONNECTIONS, idleMs: IDLE_CLOSE },
    );
    return Object.assign(answering, { url: `${server.origin}/v1`, close: () => server.close() });
  } catch (error) {
    throw cannotListen(error, place);
  }
}

/** The keys of the gateway, so that an answer that shows one is found. Each is learned once. */
function learnCredential({ headers, url = '' }: IncomingMessage, vault: Vault, known: Set<string>): void {
  const { authorization = '' } = headers;
  if (known.has(authorization) || known.size > 100) return;
  known.add(authorization);
  vault.receive({ path: url, headers: [['authorization', authorization]], body: Buffer.alloc(0) });
}

async function answer(request: IncomingMessage, response: ServerResponse, answering: Answering): Promise<void> {
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
  keepRequest(call, body, answering.vault);
  if (metIdleClose(request)) {
    call.behind.metIdleClose = true;
    return void response.destroy();
  }
  if (!keepsLimits(body, answering.limits)) return refuse(response, 400, 'invalid_value');
  // A gateway that always streams from its upstream makes plain replies of it, which need a usage.
  const asksForUsage = memberOf(body['stream_options'], 'include_usage') === true;
  if (body['stream'] === true) await sendStream(response, call, asksForUsage);
  else {
    call.behind.usageSent = true;
    sendJson(response, 200, completionOf(replyTo(call)));
  }
  call.behind.upstreamDone = performance.now();
}

/** Characters of the requests of a call that are kept until it is judged. */
const MAX_KEPT = 64 * 1024;

/** What judging looks at: the model, the limits and the messages with the word. Made again and again, it is kept once. */
function keepRequest(call: KnownCall, body: JsonObject, vault: Vault): void {
  // The client of a call that is over has left, and it was judged.
  if (call.to !== undefined) return;
  const { model, messages, max_tokens, max_completion_tokens } = body;
  const isOwn = (message: Json): boolean => findRequestWords(JSON.stringify(message)).includes(call.word);
  const own = Array.isArray(messages) ? messages.filter(isOwn) : [];
  const text = JSON.stringify({ model, messages: own, max_tokens, max_completion_tokens });
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
  const message = 'This upstream answers only the calls of wirecheck.';
  sendJson(response, status, { error: { message, type: 'invalid_request_error', code } });
}

function replyTo({ word, profile }: KnownCall): Composition {
  return {
    id: `chatcmpl-${word}`,
    created: CREATED,
    model: UPSTREAM_MODEL,
    pieces: replyPieces(word, profile),
    finishReason: PROFILES[profile].finish,
    promptTokens: usageOf(profile).prompt_tokens,
  };
}

/** Waits while the gateway does not read. */
async function sendStream(response: ServerResponse, call: KnownCall, withUsage: boolean): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  if (withUsage) call.behind.usageSent = true;
  await pipeline(eventsOf(call, withUsage), response).catch(() => response.destroy());
}

async function* eventsOf(call: KnownCall, withUsage: boolean): AsyncGenerator<string> {
  const chunks = chunksOf(replyTo(call));
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
