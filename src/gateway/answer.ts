/** An answer as data: modifiers change it, `send.ts` sends it. */
import type { Json, JsonObject } from './json.ts';

/** Bytes written at once, and the pause before them in milliseconds. */
export interface Piece {
  readonly bytes: string | Uint8Array;
  readonly waitMs: number;
}

/** Bytes that follow at once. */
export function piece(bytes: string | Uint8Array): Piece {
  return { bytes, waitMs: 0 };
}

export function bytesOf(pieces: readonly Piece[]): Buffer {
  return Buffer.concat(pieces.map(({ bytes }) => Buffer.from(bytes)));
}

export type Coding = 'gzip' | 'br' | 'deflate';

export interface Reply {
  readonly kind: 'reply';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly json: Json } | { readonly pieces: readonly Piece[] };
  /** `counted` with Content-Length, `chunked`, or `close`: ended by the connection, as in HTTP/1.0. */
  readonly framing: 'counted' | 'chunked' | 'close';
  /** What follows the last piece: a proper end, a closed or reset connection, or nothing. */
  readonly ending: 'proper' | 'cut' | 'reset' | 'held';
  /** Pause before the headers, on top of the gateway's own latency. */
  readonly delayMs: number;
  readonly coding?: Coding;
}

/** Raw bytes on the socket. */
export interface RawAnswer {
  readonly kind: 'raw';
  readonly pieces: readonly Piece[];
  readonly ending: 'end' | 'reset' | 'held';
}

export type Answer =
  | Reply
  | RawAnswer
  /** A connection that ends without an answer: closed properly, or reset. */
  | { readonly kind: 'hang-up'; readonly how: 'close' | 'reset' }
  /** No answer, on a connection that stays open. */
  | { readonly kind: 'silence' };

/** Why a call is refused. `rule` is for modifiers and is never sent. */
export interface Refusal {
  readonly rule: Rule;
  readonly status: number;
  readonly type: string;
  readonly code: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Rule =
  | 'key'
  | 'body-size'
  | 'path'
  | 'method'
  | 'body-missing'
  | 'body-json'
  | 'body-object'
  | 'model-missing'
  | 'model-type'
  | 'messages-missing'
  | 'messages-type'
  | 'messages-empty'
  | 'message-type'
  | 'role-missing'
  | 'role-type'
  | 'role-unknown'
  | 'content-missing'
  | 'content-type'
  | 'max-tokens-type'
  | 'max-tokens-range'
  | 'temperature-type'
  | 'temperature-range'
  | 'top-p-type'
  | 'top-p-range'
  | 'stream-type'
  /** A field that only this gateway requires. */
  | 'field-missing'
  | 'model-unknown'
  | 'model-forbidden'
  | 'quota'
  | 'rate'
  /** A refusal that a modifier invents. */
  | 'invented';

const JSON_HEADERS = { 'content-type': 'application/json' };

export function jsonReply(status: number, json: Json, headers: Readonly<Record<string, string>> = {}): Reply {
  return {
    kind: 'reply',
    status,
    headers: { ...JSON_HEADERS, ...headers },
    body: { json },
    framing: 'counted',
    ending: 'proper',
    delayMs: 0,
  };
}

export function textReply(status: number, contentType: string, text: string): Reply {
  const headers = contentType === '' ? {} : { 'content-type': contentType };
  return { ...jsonReply(status, null), headers, body: { pieces: [piece(text)] } };
}

export function streamReply(pieces: readonly Piece[]): Reply {
  return {
    ...jsonReply(200, null),
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
    body: { pieces },
    framing: 'chunked',
  };
}

export function errorBody(refusal: Refusal): JsonObject {
  return { error: { message: refusal.message, type: refusal.type, code: refusal.code } };
}

export function refusalReply(refusal: Refusal): Reply {
  return jsonReply(refusal.status, errorBody(refusal), refusal.headers);
}

/** The answer to HEAD: the same head, and no body. */
export function withoutBody(reply: Reply): Reply {
  const length = String(bytesOf(piecesOf(reply)).length);
  return { ...reply, headers: { ...reply.headers, 'content-length': length }, body: { pieces: [] } };
}

/** The pieces of a reply; a JSON body is one piece. */
export function piecesOf(reply: Reply): readonly Piece[] {
  return 'json' in reply.body ? [piece(JSON.stringify(reply.body.json))] : reply.body.pieces;
}

/** Headers that Node adds to every answer, such as Date, are left out. */
export function headersOf(reply: Reply, pieces: readonly Piece[]): Readonly<Record<string, string>> {
  const { headers, coding, framing, status } = reply;
  if (framing === 'close') return { ...headers, connection: 'close' };
  const coded = coding === undefined ? headers : { ...headers, 'content-encoding': coding };
  // A modifier may have set a length of its own.
  if (framing !== 'counted' || status === 204 || 'content-length' in coded) return coded;
  return { ...coded, 'content-length': String(bytesOf(pieces).length) };
}

/** Heads and framings that Node would not write. */
export interface RawOptions {
  /** Changes the text of the head, including its blank line. */
  readonly head?: (head: string) => string;
  /** Changes each framed piece of the body. */
  readonly chunk?: (text: string, index: number) => string;
}

/** The same reply as raw bytes; the connection closes after it. */
export function asRaw(reply: Reply, { head, chunk }: RawOptions = {}): RawAnswer {
  const body = piecesOf(reply);
  const chunked = reply.framing === 'chunked';
  const counted = reply.status === 204 ? {} : { 'content-length': String(bytesOf(body).length) };
  const framing = chunked ? { 'transfer-encoding': 'chunked' } : counted;
  const headText = headOf({ ...framing, ...reply.headers, connection: 'close' }, reply.status);
  const framed = chunked ? [...body.map(chunkOf), piece('0\r\n\r\n')] : body;
  const pieces = framed.map(({ bytes, waitMs }, index) => {
    const text = String(Buffer.from(bytes));
    return { bytes: chunk?.(text, index) ?? text, waitMs };
  });
  return { kind: 'raw', pieces: [piece(head?.(headText) ?? headText), ...pieces], ending: 'end' };
}

function chunkOf({ bytes, waitMs }: Piece): Piece {
  return { bytes: `${Buffer.byteLength(bytes).toString(16)}\r\n${String(Buffer.from(bytes))}\r\n`, waitMs };
}

/** Clients ignore the reason phrase (RFC 9112, 4). */
export function headOf(
  headers: Readonly<Record<string, string>>,
  status: number,
  reason = status < 400 ? 'OK' : 'Error',
): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n`;
}
