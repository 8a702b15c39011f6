/** A request as the gateway sees it, with its whole body. */
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { createHash } from 'node:crypto';
import type { Answer } from './answer.ts';
import { type JsonObject, isObject, itemsOf } from './json.ts';

export type Endpoint = 'models' | 'chat' | 'other';

/** A larger request body is refused; above four times the size, the connection is closed. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;

export interface Call {
  /** Counts from 1 among all calls, among those of the same endpoint and mode, and among equal ones. */
  readonly number: number;
  readonly ordinal: number;
  readonly attempt: number;
  readonly method: string;
  /** The query is left out. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** The names as they were written. */
  readonly headerNames: readonly string[];
  readonly endpoint: Endpoint;
  /** Whether the body asks for a stream. */
  readonly streamed: boolean;
  /** The key, if the Authorization header has the form `Bearer KEY`. */
  readonly bearer: string | undefined;
  /** The body as text; undefined if it is too large or not UTF-8. */
  readonly text: string | undefined;
  readonly tooLarge: boolean;
  /** The parsed body; undefined if it is not JSON. */
  readonly parsed: unknown;
  /** The body, or an empty object if it is not an object. */
  readonly body: JsonObject;
  /** Prompts of the other chat calls that the replica is answering, and of an earlier one. */
  readonly underWay: readonly string[];
  readonly earlier: string | undefined;
  /** The answer of the replica to an earlier call with the same body, if that was a 200. */
  readonly cached: Answer | undefined;
  /** Milliseconds since the answer before on the same connection; 0 for the first call. */
  readonly idleMs: number;
  /** The call before on the same connection. */
  readonly previous: PreviousCall | undefined;
}

export interface PreviousCall {
  /** Its place on the connection, from 1. */
  readonly place: number;
  readonly streamed: boolean;
  /** Undefined if its answer was not HTTP. */
  readonly status: number | undefined;
}

/** What a replica remembers of its calls. */
export interface Memory {
  readonly tally: Tally;
  readonly prompts: Prompts;
  /** Answers with status 200 to chat calls, by their body. */
  readonly answers: Map<string, Answer>;
}

/** Counts calls by name. One per gateway. */
export class Tally {
  readonly #counts = new Map<string, number>();

  next(name: string): number {
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    return count;
  }
}

/** Milliseconds after its answer from which a call counts as an earlier one: by then its caller has also read the answer. */
const SETTLED = 100;

export class Prompts {
  readonly #underWay = new Set<{ readonly prompt: string }>();
  #first: { readonly prompt: string; readonly endedAt: number } | undefined;

  get underWay(): readonly string[] {
    return Array.from(this.#underWay, ({ prompt }) => prompt);
  }

  /** The prompt of the first call that was answered, unless that was just now. */
  get earlier(): string | undefined {
    return this.#first && performance.now() - this.#first.endedAt > SETTLED ? this.#first.prompt : undefined;
  }

  /** Returns the function that ends it. */
  begin(body: JsonObject): () => void {
    const call = { prompt: promptOf(body) };
    this.#underWay.add(call);
    return () => {
      this.#underWay.delete(call);
      this.#first ??= { ...call, endedAt: performance.now() };
    };
  }
}

export function promptOf(body: JsonObject): string {
  const contents = itemsOf(body['messages']).map((message) => (isObject(message) ? message['content'] : undefined));
  return contents.filter((content) => typeof content === 'string').join(' ');
}

/** The longest word of a prompt: what a model that repeats one word of it would choose. */
export function longestWord(prompt: string): string {
  const words = prompt.match(/\p{L}+/gu) ?? [];
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest), '');
}

/** A request that has arrived whole. */
export interface WholeRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as they were written. */
  readonly rawHeaders: readonly string[];
  /** Undefined if the body is too large. */
  readonly body: Buffer | undefined;
}

/** Room for the bodies of all requests of a server. */
export interface BodyRoom {
  /** False if there is no room left. */
  take(bytes: number): boolean;
  free(bytes: number): void;
}

/** What was taken of the room stays taken, unless the body is too large. */
export async function readRequest(request: IncomingMessage, room?: BodyRoom): Promise<WholeRequest> {
  const { method = 'GET', url = '/', headers, rawHeaders } = request;
  return { method, target: url, headers, rawHeaders, body: await readBody(request, room) };
}

/** `number`: its place among all calls of the replica, by arrival. Without `basePath`, any will do. */
export function makeCall(
  request: WholeRequest,
  number: number,
  basePath: string | undefined,
  { tally, prompts, answers }: Memory,
): Omit<Call, 'idleMs' | 'previous'> {
  const { method, target, headers, rawHeaders } = request;
  const [path = '/', query = ''] = target.split(/\?(.*)/s);
  const endpoint = endpointOf(path, basePath);
  const text = request.body && isUtf8(request.body) ? new TextDecoder().decode(request.body) : undefined;
  const parsed = parse(text);
  const body = isObject(parsed) ? parsed : {};
  const streamed = body['stream'] === true;
  const { authorization } = headers;
  return {
    number,
    ordinal: tally.next(`${endpoint} ${streamed}`),
    attempt: tally.next(digest([method, target, authorization ?? '', text ?? ''])),
    method,
    path,
    query: new URLSearchParams(query),
    headers,
    headerNames: rawHeaders.filter((_, at) => at % 2 === 0),
    endpoint,
    streamed,
    // Scheme names are case-insensitive (RFC 9110, 11.1).
    bearer: /^bearer +([^\s]+)$/i.exec(authorization ?? '')?.[1],
    text,
    tooLarge: request.body === undefined,
    parsed,
    body,
    underWay: prompts.underWay,
    earlier: prompts.earlier,
    cached: text === undefined ? undefined : answers.get(text),
  };
}

function endpointOf(path: string, basePath: string | undefined): Endpoint {
  const isAt = (place: string): boolean =>
    basePath === undefined ? path.endsWith(place) : path === `${basePath}${place}`;
  if (isAt('/models')) return 'models';
  return isAt('/chat/completions') ? 'chat' : 'other';
}

/** Undefined if the body is too large. It is read to the end anyway, so that the client sees the refusal. */
async function readBody(request: IncomingMessage, room?: BodyRoom): Promise<Buffer | undefined> {
  let kept: Buffer[] | undefined = [];
  let size = 0;
  let taken = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (kept && size <= MAX_BODY_BYTES && (room?.take(chunk.length) ?? true)) {
        taken += chunk.length;
        kept.push(chunk);
      } else kept = undefined;
      if (size > 4 * MAX_BODY_BYTES) request.destroy();
    }
    if (kept) taken = 0;
    return kept && Buffer.concat(kept);
  } finally {
    room?.free(taken);
  }
}

function parse(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function digest(parts: readonly string[]): string {
  return createHash('sha1').update(parts.join('\0')).digest('base64');
}
