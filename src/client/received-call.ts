/** A call that the scenario server received and what it answered: bounded, as an exchange of the report. */
import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Answer as GatewayAnswer, Piece, Reply } from '../gateway/answer.ts';
import { bytesOf, headersOf, headOf, piecesOf } from '../gateway/answer.ts';
import type { Call } from '../gateway/call.ts';
import type { Answer, Attempt, BodyEnd, Exchange, Header, NetworkRead } from '../exchange/exchange.ts';
import type { KeyUse } from '../suite/case.ts';

/** Of a request body. Longer ones are judged in full, and only their beginning is kept. */
const MAX_KEPT = 64 * 1024;
const MAX_DEPTH = 200;

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

interface ReceivingOptions {
  /** The key that the client was given. */
  readonly key: string;
  /** Of the run, by `performance.now()`. */
  readonly began: number;
  readonly clean: (text: string) => string;
}

export class ReceivedCall {
  readonly call: Call;
  readonly key: KeyUse;
  readonly headers: readonly Header[];
  /** Milliseconds since the run began. */
  readonly receivedAt: number;
  readonly #path: string;
  readonly #httpVersion: string;
  readonly #began: number;
  readonly #clean: (text: string) => string;
  #answer: GatewayAnswer | undefined;
  readonly #written: number[] = [];
  #end: BodyEnd = { kind: 'aborted', why: 'the scenario was over' };
  #endAt: number | undefined;

  constructor(call: Call, request: IncomingMessage, { key, began, clean }: ReceivingOptions) {
    this.call = call;
    this.key = keyUseOf(call, key);
    this.headers = pairs(request.rawHeaders).filter(([name]) => name.toLowerCase() !== 'authorization');
    this.#path = request.url ?? '/';
    this.#httpVersion = request.httpVersion;
    this.#began = performance.now();
    this.receivedAt = this.#began - began;
    this.#clean = clean;
  }

  answers(answer: GatewayAnswer): void {
    this.#answer = answer;
  }

  wrote(): void {
    this.#written.push(performance.now() - this.#began);
  }

  ended(left: boolean): void {
    this.#endAt = performance.now() - this.#began;
    this.#end = left ? { kind: 'aborted', why: 'the client went away' } : endOf(this.#answer);
  }

  /** The server ended the wait of an answer that was held open. */
  gaveUp(): void {
    this.#endAt = performance.now() - this.#began;
    this.#end = { kind: 'limit', limit: 'idle-timeout' };
  }

  toExchange(id: string, basePath: string): Exchange {
    const { call } = this;
    const clean = this.#clean;
    const body = call.text ?? '';
    return {
      id,
      step: id,
      seeks: 'any',
      request: {
        endpoint: call.endpoint,
        mode: call.streamed ? 'stream' : 'plain',
        method: call.method,
        path: clean(this.#path.startsWith(basePath) ? this.#path.slice(basePath.length) : this.#path),
        headers: this.headers.map(([name, value]) => [clean(name), clean(value)]),
        ...(body !== '' && { body: clean(body.slice(0, MAX_KEPT)) }),
        key: this.key,
      },
      attempts: [this.#attempt()],
    };
  }

  #attempt(): Attempt {
    const answer = this.#answer;
    const none = (code: string, detail: string): Attempt => ({
      sentAt: this.receivedAt,
      pause: 0,
      outcome: { kind: 'none', failure: { kind: 'closed', code, detail } },
      secretsSeen: [],
    });
    if (answer === undefined || answer.kind === 'silence') return none('ETIMEDOUT', 'the server did not answer');
    if (answer.kind === 'hang-up') return none('ECONNRESET', 'the server closed the connection');
    return {
      sentAt: this.receivedAt,
      pause: 0,
      outcome: { kind: 'answer', answer: this.#toAnswer(answer) },
      secretsSeen: [],
    };
  }

  #toAnswer(answer: Extract<GatewayAnswer, { kind: 'reply' | 'raw' }>): Answer {
    const { head, pieces, skipped } = contentOf(answer, this.#httpVersion);
    const { status, httpVersion, headers, interim } = readHead(head);
    const reads: NetworkRead[] = [];
    const sent: Piece[] = [];
    for (const [index, piece] of pieces.entries()) {
      const at = this.#written[index + skipped];
      if (at === undefined) break;
      reads.push({ at, bytes: Buffer.byteLength(piece.bytes) });
      sent.push(piece);
    }
    const first = this.#written[0] ?? 0;
    return {
      status,
      httpVersion,
      headers,
      interim,
      head,
      headersAt: first,
      endAt: this.#endAt ?? this.#written.at(-1) ?? first,
      lateness: 0,
      body: { bytes: bytesOf(sent), reads, end: this.#end, maxDepth: MAX_DEPTH },
    };
  }
}

interface Content {
  /** Everything before the body, interim answers included. */
  readonly head: string;
  readonly pieces: readonly Piece[];
  /** Pieces written before the body: the head of a raw answer. */
  readonly skipped: number;
}

function contentOf(answer: Extract<GatewayAnswer, { kind: 'reply' | 'raw' }>, httpVersion: string): Content {
  if (answer.kind === 'reply') {
    const pieces = piecesOf(answer);
    return { head: writtenHead(answer, pieces, httpVersion), pieces, skipped: 0 };
  }
  const [first, ...pieces] = answer.pieces;
  const head = String(first?.bytes ?? '');
  return { head, pieces: isChunked(readHead(head).headers) ? pieces.map(withoutFrame) : pieces, skipped: 1 };
}

/** Node frames a body that has no length, unless the client cannot know of chunks. */
function writtenHead(reply: Reply, pieces: readonly Piece[], httpVersion: string): string {
  const headers = headersOf(reply, pieces);
  if (reply.framing === 'close') return headOf(headers, reply.status);
  const isFramed = reply.framing === 'chunked' && httpVersion !== '1.0' && !('content-length' in headers);
  const framing = isFramed ? { 'transfer-encoding': 'chunked' } : {};
  return headOf({ ...headers, ...framing }, reply.status, STATUS_CODES[reply.status]);
}

interface Head {
  readonly status: number;
  readonly httpVersion: string;
  readonly headers: readonly Header[];
  readonly interim: number;
}

function readHead(text: string): Head {
  const heads = text.split('\r\n\r\n').filter((part) => part !== '');
  const [line = '', ...lines] = (heads.at(-1) ?? '').split('\r\n');
  const [, httpVersion = '1.1', status = '0'] = /^HTTP\/(\d\.\d) (\d{3})/.exec(line) ?? [];
  const headers = lines.flatMap((header): Header[] => {
    const colon = header.indexOf(':');
    return colon === -1 ? [] : [[header.slice(0, colon), header.slice(colon + 1).trim()]];
  });
  return { status: Number(status), httpVersion, headers, interim: heads.length - 1 };
}

function isChunked(headers: readonly Header[]): boolean {
  return headers.some(([name, value]) => name.toLowerCase() === 'transfer-encoding' && value === 'chunked');
}

/** Raw answers have one chunk in each piece. A damaged frame is shown as it was sent. */
function withoutFrame({ bytes, waitMs }: Piece): Piece {
  const text = String(Buffer.from(bytes));
  const frame = /^[0-9a-f]+\r\n(.*)\r\n$/is.exec(text);
  return { bytes: frame ? (frame[1] ?? '') : text, waitMs };
}

function endOf(answer: GatewayAnswer | undefined): BodyEnd {
  const isCut = answer?.kind === 'reply' && answer.ending === 'cut';
  return isCut ? { kind: 'cut', detail: 'the server closed the connection' } : { kind: 'complete' };
}

function pairs(raw: readonly string[]): readonly Header[] {
  return Array.from({ length: raw.length >> 1 }, (_, at) => [raw[2 * at] ?? '', raw[2 * at + 1] ?? ''] as const);
}
