/** Puts an answer on the wire, piece by piece. Ends early and in silence when the client or the gateway goes away. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { constants, createBrotliCompress, createDeflate, createGzip } from 'node:zlib';
import { type Answer, type Coding, type Piece, type Reply, piecesOf } from './answer.ts';
import { headOf } from './head.ts';

/** A write that failed, which may be known before the connection is seen to close. */
class ClientGone extends Error {}

export async function send(answer: Answer, response: ServerResponse, latencyMs: number): Promise<void> {
  const { socket } = response;
  if (socket === null) return;
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  socket.once('close', leave);
  try {
    await pauseFor(latencyMs, gone.signal);
    switch (answer.kind) {
      case 'reply':
        await sendReply(answer, response, socket, gone.signal);
        break;
      case 'raw':
        await writeAll(answer.pieces, socket, gone.signal);
        if (answer.ending === 'end') socket.end();
        if (answer.ending === 'reset') socket.resetAndDestroy();
        break;
      case 'hang-up':
        if (answer.how === 'reset') socket.resetAndDestroy();
        else socket.destroy();
        break;
      case 'silence':
        break;
    }
  } catch (error) {
    if (!gone.signal.aborted && !(error instanceof ClientGone)) throw error;
  } finally {
    socket.off('close', leave);
  }
}

async function sendReply(reply: Reply, response: ServerResponse, socket: Socket, gone: AbortSignal): Promise<void> {
  await pauseFor(reply.delayMs, gone);
  if (reply.framing === 'close') {
    await writeAll(
      [{ bytes: headOf({ ...reply.headers, connection: 'close' }, reply.status), waitMs: 0 }],
      socket,
      gone,
    );
    await writeAll(piecesOf(reply), socket, gone);
    if (reply.ending !== 'held') socket.end();
    return;
  }

  const pieces = piecesOf(reply);
  const headers: Record<string, string> = { ...reply.headers };
  if (reply.coding !== undefined) headers['content-encoding'] = reply.coding;
  // A modifier may have put in a length of its own.
  if (reply.framing === 'counted' && reply.status !== 204) headers['content-length'] ??= String(sizeOf(pieces));
  response.writeHead(reply.status, headers);
  // The head of a stream goes out before its first event, that of a plain answer together with the body.
  if (pieces.length !== 1) response.flushHeaders();
  await writeAll(reply.coding === undefined ? pieces : compressed(pieces, reply.coding), response, gone);
  if (reply.ending === 'proper') response.end();
  if (reply.ending === 'cut') socket.destroy();
}

/** Waits until each piece is handed over, so that pieces stay apart and a cut loses nothing that was written. */
async function writeAll(
  pieces: Iterable<Piece> | AsyncIterable<Piece>,
  to: ServerResponse | Socket,
  gone: AbortSignal,
): Promise<void> {
  for await (const { bytes, waitMs } of pieces) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other is the point
    await pauseFor(waitMs, gone);
    // oxlint-disable-next-line no-await-in-loop
    await new Promise<void>((resolve, reject) => {
      to.write(bytes, (error) => (error ? reject(new ClientGone()) : resolve()));
    });
  }
}

/** As fast as they go: what is tested is the coding, not how small it gets. */
const CODECS = {
  gzip: () => createGzip({ level: 1 }),
  deflate: () => createDeflate({ level: 1 }),
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
};

/** Flushed after each piece, so that a compressed stream still arrives in pieces. */
async function* compressed(pieces: readonly Piece[], coding: Coding): AsyncGenerator<Piece> {
  const codec = CODECS[coding]();
  let made: Buffer[] = [];
  codec.on('data', (chunk: Buffer) => made.push(chunk));
  const taken = (waitMs: number): Piece => {
    const bytes = Buffer.concat(made);
    made = [];
    return { bytes, waitMs };
  };
  for (const { bytes, waitMs } of pieces) {
    codec.write(bytes);
    // oxlint-disable-next-line no-await-in-loop -- each piece has to be flushed before the next one
    await new Promise<void>((resolve) => codec.flush(resolve));
    yield taken(waitMs);
  }
  await new Promise((resolve) => codec.on('end', resolve).end());
  yield taken(0);
}

function sizeOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { bytes }) => sum + Buffer.byteLength(bytes), 0);
}

async function pauseFor(ms: number, gone: AbortSignal): Promise<void> {
  if (ms > 0) await pause(ms, undefined, { signal: gone });
  else gone.throwIfAborted();
}
