/** Replies as raw bytes, for heads and framings that Node would not write. */
import { type Answer, type Piece, type Reply, piecesOf } from './answer.ts';

export interface RawOptions {
  /** Changes the text of the head, including its blank line. */
  readonly head?: (head: string) => string;
  /** Changes each framed piece of the body. */
  readonly piece?: (text: string, index: number) => string;
}

/** The same reply as raw bytes; the connection closes after it. */
export function asRaw(reply: Reply, { head = same, piece = same }: RawOptions = {}): Answer {
  const body = piecesOf(reply);
  const chunked = reply.framing === 'chunked';
  const length = body.reduce((sum, { bytes }) => sum + Buffer.byteLength(bytes), 0);
  const counted = reply.status === 204 ? {} : { 'content-length': String(length) };
  const framing = chunked ? { 'transfer-encoding': 'chunked' } : counted;
  const headText = head(headOf({ ...framing, ...reply.headers, connection: 'close' }, reply.status));
  const framed = chunked ? [...body.map(chunkOf), { bytes: '0\r\n\r\n', waitMs: 0 }] : body;
  const pieces = framed.map(({ bytes, waitMs }, index) => ({ bytes: piece(textOf(bytes), index), waitMs }));
  return { kind: 'raw', pieces: [{ bytes: headText, waitMs: 0 }, ...pieces], ending: 'end' };
}

function same(text: string): string {
  return text;
}

function textOf(bytes: string | Uint8Array): string {
  return typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString();
}

function chunkOf({ bytes, waitMs }: Piece): Piece {
  return { bytes: `${Buffer.byteLength(bytes).toString(16)}\r\n${textOf(bytes)}\r\n`, waitMs };
}

/** The head of an answer as text. */
export function headOf(headers: Readonly<Record<string, string>>, status: number): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  // Clients ignore the reason phrase (RFC 9112, 4).
  return `HTTP/1.1 ${status} ${status < 400 ? 'OK' : 'Error'}\r\n${lines.join('')}\r\n`;
}
