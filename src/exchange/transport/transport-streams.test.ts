import { stat } from 'node:fs';
import { createGzip } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { closingOf, readEvents, streamEnd } from '../reading/event-stream.ts';
import {
  answerOf,
  chunked,
  counted,
  EVENT_STREAM_HEAD,
  LAST_CHUNK,
  rawTarget,
  STREAM_CHAT,
  textOf,
  transportTo,
  type Changes,
} from '../../../test/kit/raw-target.ts';

const CHUNK = 'data: {"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":null}]}\n\n';
const LAST = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n';
const DONE = 'data: [DONE]\n\n';

const wait = (milliseconds: number) => new Promise((next) => setTimeout(next, milliseconds));
/** A pause in short steps: the reader is in this process, and has its turn between them even if the machine is busy. */
const PAUSE = Array.from({ length: 12 }, () => 5);

/** A stream in these pieces, with a pause before each that is a number, and then left open unless a piece ends it. */
async function stream(pieces: readonly (string | number)[], changes: Changes = {}) {
  const target = await rawTarget(async (socket) => {
    socket.write(EVENT_STREAM_HEAD);
    for (const piece of pieces) {
      if (typeof piece === 'number') await wait(piece);
      else socket.write(piece === LAST_CHUNK ? piece : chunked(piece));
    }
  });
  const answer = answerOf(await transportTo(target.baseUrl, changes).send(STREAM_CHAT));
  return { end: answer.body.end, streamEnd: streamEnd(answer), reading: readEvents(answer.body), answer };
}

describe('a stream', () => {
  it('is complete when it ends by itself', async () => {
    const { end, streamEnd } = await stream([CHUNK, LAST, DONE, LAST_CHUNK]);
    expect([end, streamEnd]).toEqual([{ kind: 'complete' }, 'done']);
  });

  it('is left after a second if it is still open once [DONE] has come', async () => {
    const { end, streamEnd, answer } = await stream([CHUNK, LAST, DONE]);
    expect([end, streamEnd, closingOf(answer)]).toEqual([{ kind: 'aborted', why: 'done' }, 'done', 'open']);
    expect(answer.endAt).toBeLessThan(10_000);
  });

  it('is left after a second if the blank line after [DONE] is missing', async () => {
    const { end, streamEnd, answer } = await stream([CHUNK, LAST, 'data: [DONE]']);
    expect([end, streamEnd, closingOf(answer)]).toEqual([{ kind: 'aborted', why: 'done' }, 'done', 'open']);
  });

  it('is closed if it ends a while after [DONE]', async () => {
    const { end, answer } = await stream([CHUNK, LAST, DONE, 300, LAST_CHUNK]);
    expect([end, closingOf(answer)]).toEqual([{ kind: 'complete' }, 'closed']);
  });

  it('is closed if it ended while this process was too busy to notice', async () => {
    const target = await rawTarget((socket) => {
      socket.write(EVENT_STREAM_HEAD);
      socket.write(chunked(LAST + DONE));
      // Timers run after the callbacks of this kind, and before sockets are read again.
      const endAndBlock = () => {
        socket.write(LAST_CHUNK);
        const until = performance.now() + 1_500;
        while (performance.now() < until);
      };
      setTimeout(() => stat('.', endAndBlock), 100);
    });
    const answer = answerOf(await transportTo(target.baseUrl).send(STREAM_CHAT));
    expect([answer.body.end, closingOf(answer)]).toEqual([{ kind: 'complete' }, 'closed']);
  });

  it('is read for a while after [DONE], to catch late events', async () => {
    const { reading } = await stream([LAST, DONE, 30, CHUNK, 200, CHUNK, LAST_CHUNK]);
    expect(reading.events.map(({ data }) => data === '[DONE]')).toEqual([false, true, false, false]);
  });

  it('is left after a second of data after [DONE]', async () => {
    const chatter = Array.from({ length: 200 }, () => [20, ': ping\n\n']).flat();
    const { end, answer } = await stream([DONE, ...chatter]);
    expect([end, closingOf(answer)]).toEqual([{ kind: 'aborted', why: 'done' }, 'open']);
  });

  it.each(['content', 'reasoning_content'])('is closed at the first %s if that is enough', async (field) => {
    const role = 'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}\n\n';
    const text = CHUNK.replace('content', field);
    let closed!: () => void;
    const isClosed = new Promise<void>((resolve) => (closed = resolve));
    const target = await rawTarget(async (socket) => {
      socket.on('close', closed);
      socket.write(EVENT_STREAM_HEAD);
      for (const piece of [role, text.slice(0, 30), text.slice(30)]) {
        socket.write(chunked(piece));
        await wait(20);
      }
    });
    const answer = answerOf(await transportTo(target.baseUrl).send(STREAM_CHAT, { bound: 'first-text' }));
    await isClosed;
    expect(answer.body.end).toEqual({ kind: 'aborted', why: 'text' });
    expect(Buffer.from(answer.body.bytes).toString()).toBe(role + text);
  });

  it('is read to its end if it has no text', async () => {
    const target = await rawTarget(
      (socket) => void socket.write(EVENT_STREAM_HEAD + chunked(LAST + DONE) + LAST_CHUNK),
    );
    const answer = answerOf(await transportTo(target.baseUrl).send(STREAM_CHAT, { bound: 'first-text' }));
    expect([answer.body.end.kind, streamEnd(answer)]).toEqual(['complete', 'done']);
  });

  it('is stalled if it goes silent before it is finished', async () => {
    const { end, streamEnd } = await stream([CHUNK], { timeouts: { idle: 60 } });
    expect([end, streamEnd]).toEqual([{ kind: 'limit', limit: 'idle-timeout' }, 'stalled']);
  });

  it('is held open if it goes silent after it is finished', async () => {
    expect((await stream([CHUNK, LAST], { timeouts: { idle: 60 } })).streamEnd).toBe('held-open');
  });

  it('is kept alive by comments, but not beyond the time limit of an attempt', async () => {
    const pings = Array.from({ length: 200 }, () => [20, ': ping\n\n']).flat();
    const { end } = await stream([CHUNK, ...pings], { timeouts: { idle: 5_000, attempt: 300 } });
    expect(end).toEqual({ kind: 'limit', limit: 'timeout' });
  });

  it.each<[string, readonly string[], Changes['limits'], string]>([
    ['it is too long', [CHUNK.repeat(100)], { stream: 1000 }, 'max-stream'],
    ['a line is too long', ['data: ', 'x'.repeat(600), 'x'.repeat(600)], { line: 1000 }, 'max-line'],
    ['it has too many events', [CHUNK.repeat(30), CHUNK.repeat(30)], { events: 50 }, 'max-events'],
  ])('is stopped when %s', async (_name, pieces, limits, limit) => {
    const { end, streamEnd } = await stream(pieces, { limits: limits! });
    expect([end, streamEnd]).toEqual([{ kind: 'limit', limit }, 'limit']);
  });

  it('may be longer than a plain body', async () => {
    const { end } = await stream([CHUNK.repeat(100), LAST_CHUNK], { limits: { body: 1000 } });
    expect(end).toEqual({ kind: 'complete' });
  });

  it('has the time of each event', async () => {
    const { reading } = await stream([CHUNK, ...PAUSE, CHUNK, ...PAUSE, LAST, DONE, LAST_CHUNK]);
    const [first, second, third] = reading.events.map(({ at }) => at);
    expect(second! - first!).toBeGreaterThan(40);
    expect(third! - second!).toBeGreaterThan(40);
  });

  it('has the time of each event when it is compressed', async () => {
    const target = await rawTarget(async (socket) => {
      socket.write(EVENT_STREAM_HEAD.replace('\r\n', '\r\nContent-Encoding: gzip\r\n'));
      const gzip = createGzip();
      gzip.on('data', (bytes: Buffer) => socket.write(chunked(bytes)));
      gzip.on('end', () => socket.write(LAST_CHUNK));
      for (const event of [CHUNK, LAST, DONE]) {
        gzip.write(event);
        await new Promise<void>((done) => gzip.flush(done));
        if (event !== DONE) for (const step of PAUSE) await wait(step);
      }
      gzip.end();
    });
    const { body } = answerOf(await transportTo(target.baseUrl).send(STREAM_CHAT));
    const [first, second, third] = readEvents(body).events.map(({ at }) => at);
    expect(body.end).toEqual({ kind: 'complete' });
    expect(second! - first!).toBeGreaterThan(25);
    expect(third! - second!).toBeGreaterThan(25);
  });
});

describe('a compressed stream that is left open', () => {
  async function leftOpen(events: string, changes: Changes = {}) {
    const target = await rawTarget((socket) => {
      socket.write(EVENT_STREAM_HEAD.replace('\r\n', '\r\nContent-Encoding: gzip\r\n'));
      const gzip = createGzip();
      gzip.on('data', (bytes: Buffer) => socket.write(chunked(bytes)));
      gzip.write(events);
      gzip.flush();
    });
    const { body } = answerOf(await transportTo(target.baseUrl, changes).send(STREAM_CHAT));
    return { end: body.end, text: Buffer.from(body.bytes).toString() };
  }

  it('is left after a second once [DONE] has come', async () => {
    expect(await leftOpen(LAST + DONE)).toEqual({ end: { kind: 'aborted', why: 'done' }, text: LAST + DONE });
  });

  it('keeps everything that arrived before it went silent', async () => {
    const end = { kind: 'limit', limit: 'idle-timeout' };
    expect(await leftOpen(CHUNK, { timeouts: { idle: 300 } })).toEqual({ end, text: CHUNK });
  });
});

describe('another kind of answer to a stream request', () => {
  it.each([
    ['an error', counted(`{"error":"${'x'.repeat(2000)}"}`, [], '429 Slow')],
    ['plain JSON', counted(`{"id":"${'x'.repeat(2000)}"}`)],
    ['a page', counted(`<html>${'x'.repeat(2000)}`)],
  ])('is read as an ordinary body: %s', async (_name, reply) => {
    const { baseUrl } = await rawTarget((socket) => void socket.write(reply));
    const ask = async (limits: Changes['limits']) =>
      answerOf(await transportTo(baseUrl, { limits: limits! }).send(STREAM_CHAT)).body.end;
    expect(await ask({ line: 100 })).toEqual({ kind: 'complete' });
    expect(await ask({ body: 1000 })).toEqual({ kind: 'limit', limit: 'max-body' });
  });

  it('is read to the end even if it contains [DONE]', async () => {
    const { baseUrl } = await rawTarget((socket) => {
      socket.write('HTTP/1.1 500 Oops\r\nContent-Length: 20\r\n\r\ndata: [DONE]\n\n');
      setTimeout(() => socket.write('more..'), 200);
    });
    expect(textOf(await transportTo(baseUrl).send(STREAM_CHAT))).toBe('data: [DONE]\n\nmore..');
  });
});
