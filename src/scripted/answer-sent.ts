/** An answer that a server of ours sent, as the other side received it. */
import { STATUS_CODES } from 'node:http';
import type { Answer, BodyEnd, Header, NetworkRead } from '../exchange/exchange.ts';
import type { Answer as SentAnswer, Piece, Reply } from '../gateway/answer.ts';
import { bytesOf, headersOf, headOf, piecesOf } from '../gateway/answer.ts';

const MAX_DEPTH = 200;

interface Sending {
  /** Of the request. */
  readonly httpVersion: string;
  /** When each piece was written, in milliseconds since the request arrived. */
  readonly written: readonly number[];
  readonly end: BodyEnd;
  /** Absent while it is open. */
  readonly endAt: number | undefined;
}

export function answerSent(
  answer: Extract<SentAnswer, { kind: 'reply' | 'raw' }>,
  { httpVersion, written, end, endAt }: Sending,
): Answer {
  const { head, pieces, skipped } = contentOf(answer, httpVersion);
  const reads: NetworkRead[] = [];
  const sent: Piece[] = [];
  for (const [index, piece] of pieces.entries()) {
    const at = written[index + skipped];
    if (at === undefined) break;
    if (piece.bytes.length > 0) reads.push({ at, bytes: Buffer.byteLength(piece.bytes) });
    sent.push(piece);
  }
  const first = written[0] ?? 0;
  return {
    ...readHead(head),
    head,
    headersAt: first,
    endAt: endAt ?? written.at(-1) ?? first,
    lateness: 0,
    body: { bytes: bytesOf(sent), reads, end, maxDepth: MAX_DEPTH },
  };
}

interface Content {
  /** Everything before the body, interim answers included. */
  readonly head: string;
  readonly pieces: readonly Piece[];
  /** Pieces written before the body: the head of a raw answer. */
  readonly skipped: number;
}

function contentOf(answer: Extract<SentAnswer, { kind: 'reply' | 'raw' }>, httpVersion: string): Content {
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
