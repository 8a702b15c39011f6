// An answer of the reference gateway as bytes on a connection that closes after it.
import { STATUS_CODES } from 'node:http';
import { crc32 } from 'node:zlib';
import { headersOf, headOf, piecesOf } from '../../build/src/gateway/answer.js';
/** @import { Answer, Piece, Reply } from '../../build/src/gateway/answer.js' */

/**
 * What is written, in order: base64 of bytes that are written at once, or a pause in milliseconds.
 * `end`: the connection closes, is reset, or stays open.
 * @typedef {{ pieces: (string | number)[], end: 'close' | 'reset' | 'held' }} Wire
 */

/** Undefined for an answer that cannot be written as fixed bytes: every version of Brotli writes others.
 * @param {Answer} answer
 * @returns {Wire | undefined}
 */
export function wireOf(answer) {
  switch (answer.kind) {
    case 'silence':
      return { pieces: [], end: 'held' };
    case 'hang-up':
      return { pieces: [], end: answer.how };
    case 'raw':
      return { pieces: written(answer.pieces), end: answer.ending === 'end' ? 'close' : answer.ending };
    case 'reply':
      return wireOfReply(answer);
  }
}

/**
 * @param {Reply} reply
 * @returns {Wire | undefined}
 */
function wireOfReply(reply) {
  const { framing, status, ending, delayMs, coding } = reply;
  if (coding === 'br') return undefined;
  const plain = piecesOf(reply);
  const { connection: _connection, ...headers } = headersOf(reply, plain);
  const isChunked = framing === 'chunked' && !('content-length' in headers);
  const framed = { ...headers, ...(isChunked && { 'transfer-encoding': 'chunked' }), connection: 'close' };
  const head = { bytes: headOf(framed, status, STATUS_CODES[status]), waitMs: delayMs };
  const body = coding === undefined ? plain : storedAs(coding, plain);
  const last = isChunked && ending === 'proper' ? [{ bytes: '0\r\n\r\n', waitMs: 0 }] : [];
  const pieces = [head, ...(isChunked ? body.map(chunkOf) : body), ...last];
  return {
    pieces: written(joinHead(pieces)),
    end: ending === 'reset' ? 'reset' : ending === 'held' ? 'held' : 'close',
  };
}

/**
 * The head of an answer in one piece goes with its body.
 * @param {Piece[]} pieces
 * @returns {Piece[]}
 */
function joinHead(pieces) {
  const [head, body, ...rest] = pieces;
  if (!head || !body || rest.length > 0 || body.waitMs > 0) return pieces;
  return [{ bytes: Buffer.concat([bytesOf(head), bytesOf(body)]), waitMs: head.waitMs }];
}

/** @param {Piece} piece */
function bytesOf({ bytes }) {
  return Buffer.from(bytes);
}

/**
 * @param {Piece} piece
 * @returns {Piece}
 */
function chunkOf(piece) {
  const bytes = bytesOf(piece);
  if (bytes.length === 0) return piece;
  const frame = Buffer.from(`${bytes.length.toString(16)}\r\n`);
  return { bytes: Buffer.concat([frame, bytes, Buffer.from('\r\n')]), waitMs: piece.waitMs };
}

/**
 * @param {readonly Piece[]} pieces
 * @returns {(string | number)[]}
 */
function written(pieces) {
  return pieces.flatMap((piece) => [
    ...(piece.waitMs > 0 ? [piece.waitMs] : []),
    ...(piece.bytes.length > 0 ? [bytesOf(piece).toString('base64')] : []),
  ]);
}

const GZIP_HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const ZLIB_HEAD = Buffer.from([0x78, 0x01]);
const LAST_BLOCK = Buffer.from([1, 0, 0, 0xff, 0xff]);
const MAX_BLOCK = 0xffff;

/**
 * Blocks that are stored and not compressed (RFC 1951, 3.2.4): their bytes are the same in every version of zlib.
 * @param {'gzip' | 'deflate'} coding
 * @param {readonly Piece[]} pieces
 * @returns {Piece[]}
 */
function storedAs(coding, pieces) {
  const whole = Buffer.concat(pieces.map(bytesOf));
  const tail = coding === 'gzip' ? gzipTail(whole) : adler32(whole);
  return [
    { bytes: coding === 'gzip' ? GZIP_HEAD : ZLIB_HEAD, waitMs: 0 },
    ...pieces.map((piece) => ({ bytes: storedBlocks(bytesOf(piece)), waitMs: piece.waitMs })),
    { bytes: Buffer.concat([LAST_BLOCK, tail]), waitMs: 0 },
  ];
}

/** @param {Buffer} bytes */
function storedBlocks(bytes) {
  const parts = [];
  for (let at = 0; at < bytes.length; at += MAX_BLOCK) {
    const part = bytes.subarray(at, at + MAX_BLOCK);
    const head = Buffer.alloc(5);
    head.writeUInt16LE(part.length, 1);
    head.writeUInt16LE(~part.length & MAX_BLOCK, 3);
    parts.push(head, part);
  }
  return Buffer.concat(parts);
}

/** @param {Buffer} bytes */
function gzipTail(bytes) {
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(crc32(bytes), 0);
  tail.writeUInt32LE(bytes.length, 4);
  return tail;
}

/** @param {Buffer} bytes */
function adler32(bytes) {
  let [a, b] = [1, 0];
  for (const byte of bytes) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  const tail = Buffer.alloc(4);
  tail.writeUInt32BE(b * 65_536 + a);
  return tail;
}
