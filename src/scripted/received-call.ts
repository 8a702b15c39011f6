/** A call that reached a server of ours, while it is answered. Once it is over, `toExchange` has all of it as plain data. */
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type Answer as SentAnswer, bytesOf, headersOf, headOf, type Piece, piecesOf } from '../gateway/answer.ts';
import { metIdleClose } from '../gateway/listen.ts';
import type { Watcher } from '../gateway/send.ts';
import type { Answer, Attempt, BodyEnd, Exchange, Failure, Header, NetworkRead } from '../exchange/exchange.ts';
import { type Identity, identityOf } from '../exchange/identity.ts';

/** What is kept of a request, without secrets. */
export interface ReceivedRequest {
  readonly request: Exchange['request'];
  readonly secretsSeen: Attempt['secretsSeen'];
}

/** The headers as they arrived, in order and with the case of their names. */
export function rawHeaders({ rawHeaders: raw }: IncomingMessage): readonly Header[] {
  return Array.from({ length: raw.length >> 1 }, (_, at) => [raw[2 * at] ?? '', raw[2 * at + 1] ?? '']);
}

export interface ReceivedCallFacts extends ReceivedRequest, Identity {
  readonly socket: Socket;
  readonly httpVersion: string;
  /** Blanks secrets in what was sent, in place. */
  readonly redact?: ((bytes: Uint8Array) => void) | undefined;
  /** Called when everything was sent and the answer is held open. */
  readonly onHeld?: ((call: ReceivedCall) => void) | undefined;
}

/** `open`: not over yet; `left`: the other side went away; `released`: held open until the server ended it. */
type CallEnd = 'open' | 'sent' | 'left' | 'released';

export class ReceivedCall implements Watcher {
  readonly cause: string | undefined;
  readonly request: Exchange['request'];
  readonly #facts: ReceivedCallFacts;
  readonly arrivedAt = performance.now();
  readonly #written: number[] = [];
  #answer: SentAnswer | undefined;
  #end: CallEnd = 'open';
  #endAt: number | undefined;

  constructor(facts: ReceivedCallFacts) {
    this.cause = facts.cause;
    this.request = facts.request;
    this.#facts = facts;
  }

  /** Pieces of the answer that were written. */
  get written(): number {
    return this.#written.length;
  }

  get isOver(): boolean {
    return this.#end !== 'open';
  }

  /** The answer is kept open until somebody ends it. */
  get isHeld(): boolean {
    const answer = this.#answer;
    return answer?.kind === 'silence' || (answer?.kind === 'reply' && answer.ending === 'held');
  }

  answers(answer: SentAnswer): void {
    this.#answer = answer;
  }

  wrote(): void {
    this.#written.push(this.#now());
  }

  ended(left: boolean): void {
    if (left || !this.isHeld) return this.#finish(left ? 'left' : 'sent');
    const { socket, onHeld } = this.#facts;
    if (socket.destroyed) return this.#finish('left');
    socket.once('close', () => this.#finish('left'));
    onHeld?.(this);
  }

  /** Ends an answer that is held open. */
  release(): void {
    if (this.isOver) return;
    this.#finish('released');
    this.#facts.socket.destroy();
  }

  /** `began`: start of the run, by `performance.now()`. */
  toExchange(began: number): Exchange {
    return { ...identityOf(this.#facts), seeks: 'any', request: this.request, attempts: [this.#attempt(began)] };
  }

  #now(): number {
    return performance.now() - this.arrivedAt;
  }

  #finish(end: CallEnd): void {
    if (this.isOver) return;
    this.#end = end;
    this.#endAt = this.#now();
  }

  #attempt(began: number): Attempt {
    const { secretsSeen, redact } = this.#facts;
    const answer = this.#answerSent();
    if (answer) redact?.(answer.body.bytes);
    const outcome: Attempt['outcome'] = answer
      ? { kind: 'answer', answer }
      : { kind: 'none', failure: this.#failure() };
    return { sentAt: this.arrivedAt - began, pause: 0, outcome, secretsSeen };
  }

  /** As much of an answer as was written. A delay before the head may outlast the other side. */
  #answerSent(): Answer | undefined {
    const answer = this.#answer;
    const written = this.#written;
    const isBegun = written.length > 0 || this.#end === 'sent' || this.isHeld;
    if (!isBegun || (answer?.kind !== 'reply' && answer?.kind !== 'raw')) return undefined;
    const { head, pieces, skipped } = contentOf(answer, this.#facts.httpVersion);
    const times = written.slice(skipped);
    const sent = pieces.slice(0, times.length);
    const reads = sent.flatMap(({ bytes }, index): NetworkRead[] =>
      bytes.length > 0 ? [{ at: times[index] ?? 0, bytes: Buffer.byteLength(bytes) }] : [],
    );
    const first = written[0] ?? 0;
    return {
      ...readHead(head),
      head,
      headersAt: first,
      endAt: this.#endAt ?? written.at(-1) ?? first,
      lateness: 0,
      body: { bytes: bytesOf(sent), reads, end: this.#bodyEnd(), maxDepth: MAX_DEPTH },
    };
  }

  #bodyEnd(): BodyEnd {
    if (this.#end === 'open' || this.#end === 'left') return { kind: 'aborted', why: this.#end };
    if (this.#end === 'released') return { kind: 'limit', limit: 'idle-timeout' };
    const ending = this.#answer?.kind === 'reply' ? this.#answer.ending : 'proper';
    if (ending !== 'cut' && ending !== 'reset') return { kind: 'complete' };
    return { kind: 'cut', detail: `the server ${ending === 'cut' ? 'closed' : 'reset'} the connection on purpose` };
  }

  #failure(): Failure {
    const at = this.#endAt === undefined ? {} : { at: this.#endAt };
    const failed = (kind: Failure['kind'], code: string, detail: string): Failure => ({ kind, code, detail, ...at });
    if (metIdleClose(this.#facts))
      return failed('closed', 'IDLE_CLOSED', 'the server had closed the connection, which was idle');
    if (this.#end === 'open') return failed('aborted', 'open', 'the run ended before the server answered');
    if (this.#end === 'left') return failed('aborted', 'left', 'the other side closed the connection');
    if (this.#answer?.kind === 'hang-up')
      return failed('closed', 'ECONNRESET', 'the server closed the connection on purpose, without an answer');
    return failed('timeout', 'ETIMEDOUT', 'the server did not answer on purpose');
  }
}

/** The depth of a body of ours that is read back. */
const MAX_DEPTH = 200;

/** Its head, interim answers included, and its body. `skipped`: pieces written before the body, such as the head of a raw answer. */
function contentOf(answer: Extract<SentAnswer, { kind: 'reply' | 'raw' }>, httpVersion: string) {
  if (answer.kind === 'reply') {
    const pieces = piecesOf(answer);
    return { head: writtenHead(answer, pieces, httpVersion), pieces, skipped: 0 };
  }
  const [first, ...pieces] = answer.pieces;
  const head = String(first?.bytes ?? '');
  return { head, pieces: isChunked(readHead(head).headers) ? pieces.map(withoutFrame) : pieces, skipped: 1 };
}

type SentReply = Extract<SentAnswer, { kind: 'reply' }>;

/** Node frames a body that has no length, unless the client cannot know of chunks. */
function writtenHead(reply: SentReply, pieces: readonly Piece[], httpVersion: string): string {
  const headers = headersOf(reply, pieces);
  if (reply.framing === 'close') return headOf(headers, reply.status);
  const isFramed = reply.framing === 'chunked' && httpVersion !== '1.0' && !('content-length' in headers);
  const framing = isFramed ? { 'transfer-encoding': 'chunked' } : {};
  return headOf({ ...headers, ...framing }, reply.status, STATUS_CODES[reply.status]);
}

function readHead(text: string): Pick<Answer, 'status' | 'httpVersion' | 'headers' | 'interim'> {
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
