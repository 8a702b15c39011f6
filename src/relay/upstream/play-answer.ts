/** Writes an answer byte for byte as it was composed, and notes when each part was sent. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ComposedAnswer } from './compose-answer.ts';
import type { CallEnd, OpenCall } from './upstream-call.ts';

/** Resolves when the call is over, whoever ended it. Never rejects. `released` ends a stall. */
export async function playAnswer(response: ServerResponse, call: OpenCall, released: AbortSignal): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  response.on('error', () => gone.abort());
  const end = await play(response, call, AbortSignal.any([gone.signal, released]), released);
  call.end = end;
  call.endedAt = performance.now();
}

async function play(
  response: ServerResponse,
  call: OpenCall,
  stop: AbortSignal,
  released: AbortSignal,
): Promise<CallEnd> {
  const { answer } = call;
  const { socket } = response;
  if (!(await waitFor(answer.delay, stop))) return leave(socket, released);
  if (answer.head) {
    response.writeHead(answer.head.status, answer.head.headers);
    // Parts that belong together still leave one by one.
    response.flushHeaders();
    call.headAt = performance.now();
  }
  for (const { bytes, pause, textLength } of answer.writes) {
    if (!(await waitFor(pause, stop))) return leave(socket, released);
    if (bytes.length > 0) await write(response, bytes, stop);
    call.writes.push({
      at: performance.now(),
      bytes: bytes.length,
      ...(textLength !== undefined && { textLength }),
    });
  }
  return finish(response, answer, stop, released);
}

async function finish(
  response: ServerResponse,
  { end }: ComposedAnswer,
  stop: AbortSignal,
  released: AbortSignal,
): Promise<CallEnd> {
  const { socket } = response;
  switch (end) {
    case 'complete':
      if (stop.aborted) return 'left';
      await new Promise<void>((resolve) => {
        stop.addEventListener('abort', () => resolve(), { once: true });
        response.end(() => resolve());
      });
      return 'complete';
    case 'reset':
      socket?.resetAndDestroy();
      return 'reset';
    case 'cut':
      socket?.destroy();
      return 'cut';
    case 'stall':
      await waitFor(Infinity, stop);
      return leave(socket, released);
  }
}

function leave(socket: Socket | null, released: AbortSignal): CallEnd {
  socket?.destroy();
  return released.aborted ? 'released' : 'left';
}

function write(response: ServerResponse, bytes: Buffer, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      stop.removeEventListener('abort', settle);
      resolve();
    };
    stop.addEventListener('abort', settle);
    response.write(bytes, settle);
  });
}

/** False if it was stopped. */
function waitFor(milliseconds: number, stop: AbortSignal): Promise<boolean> {
  if (stop.aborted) return Promise.resolve(false);
  if (milliseconds === 0) return Promise.resolve(true);
  return new Promise((resolve) => {
    const timer = Number.isFinite(milliseconds) ? setTimeout(() => settle(true), milliseconds) : undefined;
    const onStop = () => settle(false);
    const settle = (isOver: boolean) => {
      clearTimeout(timer);
      stop.removeEventListener('abort', onStop);
      resolve(isOver);
    };
    stop.addEventListener('abort', onStop);
  });
}
