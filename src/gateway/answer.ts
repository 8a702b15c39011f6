/** An answer as data: modifiers change it, `send.ts` sends it. */
import type { Json, JsonObject } from './json.ts';

/** Bytes written at once, and the pause before them in milliseconds. */
export interface Piece {
  readonly bytes: string | Uint8Array;
  readonly waitMs: number;
}

export type Coding = 'gzip' | 'br' | 'deflate';

export interface Reply {
  readonly kind: 'reply';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly json: Json } | { readonly pieces: readonly Piece[] };
  /** `counted` with Content-Length, `chunked`, or `close`: ended by the connection, as in HTTP/1.0. */
  readonly framing: 'counted' | 'chunked' | 'close';
  /** After the last piece: a proper end, a closed connection, or nothing. */
  readonly ending: 'proper' | 'cut' | 'held';
  /** Pause before the headers, on top of the gateway's own latency. */
  readonly delayMs: number;
  readonly coding?: Coding;
}

export type Answer =
  | Reply
  /** Raw bytes on the socket. */
  | { readonly kind: 'raw'; readonly pieces: readonly Piece[]; readonly ending: 'end' | 'reset' | 'held' }
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
  return { ...jsonReply(status, null), headers, body: { pieces: [{ bytes: text, waitMs: 0 }] } };
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
  const length = piecesOf(reply).reduce((sum, { bytes }) => sum + Buffer.byteLength(bytes), 0);
  return { ...reply, headers: { ...reply.headers, 'content-length': String(length) }, body: { pieces: [] } };
}

/** The pieces of a reply; a JSON body is one piece. */
export function piecesOf(reply: Reply): readonly Piece[] {
  return 'json' in reply.body ? [{ bytes: JSON.stringify(reply.body.json), waitMs: 0 }] : reply.body.pieces;
}
