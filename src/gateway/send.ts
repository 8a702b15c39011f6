/** Sends an answer piece by piece. Stops quietly if the client or the gateway goes away. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { constants, createBrotliCompress, createDeflate, createGzip } from 'node:zlib';
import { type Answer, type Coding, type Piece, type Reply, headersOf, piece, piecesOf, headOf } from './answer.ts';

/** Sees an answer leave. */
export interface Watcher {
  answers(answer: Answer): void;
  /** Called after each piece of the answer, in order. */
  wrote(): void;
  /** `left`: the client went away before the last piece. */
  ended(left: boolean): void;
}

/** A failed write, which may be noticed before the connection closes. */
class ClientGone extends Error {}

export async function send(
  answer: Answer,
  response: ServerResponse,
  latencyMs: number,
  watcher?: Watcher,
): Promise<void> {
  const { socket } = response;
  if (socket === null) return;
  watcher?.answers(answer);
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  socket.once('close', leave);
  try {
    await pauseFor(latencyMs, gone.signal);
    switch (answer.kind) {
      case 'reply':
        await sendReply(answer, { response, socket, gone: gone.signal, watcher });
        break;
      case 'raw':
        await writeAll(answer.pieces, socket, gone.signal, watcher);
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
    watcher?.ended(false);
  } catch (error) {
    watcher?.ended(true);
    if (!gone.signal.aborted && !(error instanceof ClientGone)) throw error;
  } finally {
    socket.off('close', leave);
  }
}

interface Connection {
  readonly response: ServerResponse;
  readonly socket: Socket;
  /** Aborted when the client goes away. */
  readonly gone: AbortSignal;
  readonly watcher: Watcher | undefined;
}

async function sendReply(reply: Reply, { response, socket, gone, watcher }: Connection): Promise<void> {
  await pauseFor(reply.delayMs, gone);
  const pieces = piecesOf(reply);
  const headers = headersOf(reply, pieces);
  if (reply.framing === 'close') {
    await writeAll([piece(headOf(headers, reply.status))], socket, gone);
    await writeAll(pieces, socket, gone, watcher);
    if (reply.ending !== 'held') socket.end();
    return;
  }

  response.writeHead(reply.status, headers);
  // A stream's head is sent before its first event, a plain answer's head with the body.
  if (pieces.length !== 1) response.flushHeaders();
  await writeAll(reply.coding === undefined ? pieces : compress(pieces, reply.coding), response, gone, watcher);
  if (reply.ending === 'proper') response.end();
  if (reply.ending === 'cut') socket.destroy();
  if (reply.ending === 'reset') socket.resetAndDestroy();
}

/** Waits for each write, so that pieces stay separate and closing the connection loses none of them. */
async function writeAll(
  pieces: Iterable<Piece> | AsyncIterable<Piece>,
  to: ServerResponse | Socket,
  gone: AbortSignal,
  watcher?: Watcher,
): Promise<void> {
  for await (const { bytes, waitMs } of pieces) {
    await pauseFor(waitMs, gone);
    // Without bytes it is only a pause, in which what was written before arrives.
    if (bytes.length > 0) await write(to, bytes);
    watcher?.wrote();
  }
}

function write(to: ServerResponse | Socket, bytes: Piece['bytes']): Promise<void> {
  return new Promise((resolve, reject) => {
    to.write(bytes, (error) => (error ? reject(new ClientGone()) : resolve()));
  });
}

/** Each is at its fastest: the coding matters, not the size. */
const CODECS = {
  gzip: () => createGzip({ level: 1 }),
  deflate: () => createDeflate({ level: 1 }),
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
};

/** Flushed after each piece, so that a compressed stream still arrives in pieces. */
async function* compress(pieces: readonly Piece[], coding: Coding): AsyncGenerator<Piece> {
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
    await new Promise<void>((resolve) => codec.flush(resolve));
    yield taken(waitMs);
  }
  await new Promise((resolve) => codec.on('end', resolve).end());
  yield taken(0);
}

async function pauseFor(ms: number, gone: AbortSignal): Promise<void> {
  if (ms > 0) await pause(ms, undefined, { signal: gone });
  else gone.throwIfAborted();
}
