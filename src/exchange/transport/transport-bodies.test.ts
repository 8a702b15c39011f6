import { describe, expect, it } from 'vitest';
import {
  answerOf,
  chunked,
  counted,
  GET_MODELS,
  LAST_CHUNK,
  rawTarget,
  receivePieces,
  textOf,
  transportTo,
} from '../../../test/kit/raw-target.ts';

const COUNTED_HEAD = 'HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n';
const CHUNKED_HEAD = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

describe('a body', () => {
  it.each<[string, readonly string[], 'open' | 'end']>([
    ['its stated length has come', ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no', 'k'], 'open'],
    ['its last chunk has come', [CHUNKED_HEAD, '1\r\no\r\n', '1\r\nk\r\n', LAST_CHUNK], 'open'],
    ['the connection ends and no length was stated', ['HTTP/1.1 200 OK\r\n\r\no', 'k'], 'end'],
    ['more bytes follow than were stated', ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokEXTRA'], 'open'],
  ])('is complete when %s', async (_name, pieces, end) => {
    const sent = await receivePieces(pieces, end);
    expect([textOf(sent), answerOf(sent).body.end]).toEqual(['ok', { kind: 'complete' }]);
  });

  it.each<[string, readonly string[], 'open' | 'end' | 'reset']>([
    ['it is shorter than stated', [COUNTED_HEAD, 'ok'], 'end'],
    [
      'it is shorter than stated and was to be the last',
      ['HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 9\r\n\r\nok'],
      'end',
    ],
    ['its last chunk is missing', [CHUNKED_HEAD, '2\r\nok\r\n'], 'end'],
    [
      'its last chunk is missing and it was to be the last',
      [CHUNKED_HEAD.replace('\r\n', '\r\nConnection: close\r\n'), '2\r\nok\r\n'],
      'end',
    ],
    ['a chunk is unfinished', [CHUNKED_HEAD, '9\r\nok'], 'end'],
    ['a chunk has no readable size', [CHUNKED_HEAD, '2\r\nok\r\n', 'zz\r\nok\r\n'], 'open'],
    ['the connection is reset', [COUNTED_HEAD, 'ok'], 'reset'],
    ['the connection is reset and no length was stated', ['HTTP/1.1 200 OK\r\n\r\n', 'ok'], 'reset'],
  ])('is cut when %s', async (_name, pieces, end) => {
    const sent = await receivePieces(pieces, end);
    expect([textOf(sent), answerOf(sent).body.end.kind]).toEqual(['ok', 'cut']);
  });

  it('is stopped at its limit, and keeps everything before that', async () => {
    const sent = await receivePieces([counted('x'.repeat(50_000))], 'open', { limits: { body: 1000 } });
    expect([textOf(sent), answerOf(sent).body.end]).toEqual(['x'.repeat(1000), { kind: 'limit', limit: 'max-body' }]);
  });

  it('may be exactly as long as the limit', async () => {
    const sent = await receivePieces([counted('x'.repeat(1000))], 'open', { limits: { body: 1000 } });
    expect([textOf(sent).length, answerOf(sent).body.end]).toEqual([1000, { kind: 'complete' }]);
  });

  it('is stopped by trailers larger than the limit', async () => {
    const { body } = answerOf(
      await receivePieces([CHUNKED_HEAD, chunked('ok'), '0\r\n', 'X: y\r\n'.repeat(4000)], 'open', {
        limits: { headers: 4096 },
      }),
    );
    expect(body.end).toEqual({ kind: 'limit', limit: 'max-headers' });
  });

  it('is stopped after too long a silence', async () => {
    const sent = await receivePieces([COUNTED_HEAD, 'ok'], 'open', { timeouts: { idle: 60 } });
    expect([textOf(sent), answerOf(sent).body.end]).toEqual(['ok', { kind: 'limit', limit: 'idle-timeout' }]);
  });

  it('is stopped when it trickles past the time limit of an attempt', async () => {
    const { baseUrl } = await rawTarget((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const trickle = setInterval(() => socket.write('x'), 10);
      socket.on('close', () => clearInterval(trickle));
    });
    const sent = await transportTo(baseUrl, { timeouts: { attempt: 200, idle: 10_000 } }).send(GET_MODELS);
    expect(answerOf(sent).body.end).toEqual({ kind: 'limit', limit: 'timeout' });
  });

  it('is aborted when the run is interrupted', async () => {
    const interrupt = new AbortController();
    const { baseUrl } = await rawTarget(
      (socket) => void socket.write(`${COUNTED_HEAD}ok`, () => setTimeout(() => interrupt.abort(), 30)),
    );
    const sent = await transportTo(baseUrl).send(GET_MODELS, { signal: interrupt.signal });
    expect(answerOf(sent).body.end).toEqual({ kind: 'aborted', why: 'interrupted' });
  });

  it('has arrivals that add up, with increasing times', async () => {
    const { body, headersAt, endAt } = answerOf(
      await receivePieces([CHUNKED_HEAD, chunked('one'), chunked('two'), LAST_CHUNK]),
    );
    expect(body.reads.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(body.bytes.length);
    const times = [0, headersAt, ...body.reads.map(({ at }) => at), endAt];
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it('counts one packet as one arrival, however many chunks it has', async () => {
    const { body } = answerOf(await receivePieces([CHUNKED_HEAD + '1\r\nx\r\n'.repeat(2000) + LAST_CHUNK]));
    expect(body.bytes).toHaveLength(2000);
    expect(body.reads.length).toBeLessThan(10);
  });
});

describe('an answer', () => {
  it('has the status and headers of the target, in order', async () => {
    const answer = answerOf(
      await receivePieces([
        counted('ok', ['X-One: a', 'Set-Cookie: a=1', 'Set-Cookie: b=2', 'X-Latin: \u00e9'], '418 Teapot'),
      ]),
    );
    expect(answer).toMatchObject({ status: 418, httpVersion: '1.1', interim: 0 });
    expect(answer.headers).toEqual([
      ['content-length', '2'],
      ['x-one', 'a'],
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
      ['x-latin', '\u00e9'],
    ]);
  });

  it.each<[string, readonly string[], true | undefined]>([
    ['more bytes come than were stated', ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokEXTRA'], true],
    ['the head comes in pieces', ['HTTP/1.1 200 OK\r\nContent-Le', 'ngth: 2\r\n\r', '\nokX'], true],
    [
      'it follows an interim answer',
      ['HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokX'],
      true,
    ],
    ['it is as long as stated', ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no', 'k'], undefined],
    ['it has chunks', [CHUNKED_HEAD, '2\r\nok\r\n', LAST_CHUNK], undefined],
  ])('has a surplus or none if %s', async (_name, pieces, surplus) => {
    expect(answerOf(await receivePieces(pieces, 'open')).surplus).toBe(surplus);
  });

  it('has the HTTP version', async () => {
    expect(answerOf(await receivePieces(['HTTP/1.0 200 OK\r\n\r\nok'], 'end')).httpVersion).toBe('1.0');
  });

  it('that is a redirect is kept and never followed', async () => {
    const { baseUrl, received } = await rawTarget(
      (socket) => void socket.write(counted('', ['Location: /v1/elsewhere'], '307 Go')),
    );
    expect(answerOf(await transportTo(baseUrl).send(GET_MODELS)).status).toBe(307);
    expect(received.join('')).not.toContain('elsewhere');
  });

  it('records the delay of our own event loop', async () => {
    const { baseUrl } = await rawTarget((socket) => {
      const until = performance.now() + 60;
      while (performance.now() < until);
      socket.write(counted('ok'));
    });
    expect(answerOf(await transportTo(baseUrl).send(GET_MODELS)).lateness).toBeGreaterThan(30);
  });
});
