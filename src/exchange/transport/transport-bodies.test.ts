import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { brotliCompressSync, createGzip, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  answerOf,
  chunked,
  counted,
  FULL_KEY,
  GET_MODELS,
  LAST_CHUNK,
  rawTarget,
  textOf,
  transportTo,
} from '../../../test/kit/raw-target.ts';

const MiB = 1024 * 1024;

/** One answer, sent in these pieces, and then the connection ended if that is asked for. */
async function get(pieces: readonly (string | Uint8Array)[], end: 'open' | 'end' | 'reset' = 'open', changes = {}) {
  const { baseUrl } = await rawTarget((socket) => {
    const next = (index: number) => {
      if (index < pieces.length) socket.write(pieces[index]!, () => setImmediate(next, index + 1));
      else if (end === 'end') socket.end();
      // Not before what was written has had time to arrive: a reset overtakes it.
      else if (end === 'reset') setTimeout(() => socket.resetAndDestroy(), 30);
    };
    next(0);
  });
  return transportTo(baseUrl, changes).send(GET_MODELS);
}

const COUNTED_HEAD = 'HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n';
const CHUNKED_HEAD = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

describe('a body', () => {
  it.each<[string, readonly string[], 'open' | 'end']>([
    ['its stated length has come', ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no', 'k'], 'open'],
    ['its last chunk has come', [CHUNKED_HEAD, '1\r\no\r\n', '1\r\nk\r\n', LAST_CHUNK], 'open'],
    ['the connection ends and no length was stated', ['HTTP/1.1 200 OK\r\n\r\no', 'k'], 'end'],
    ['more bytes follow than were stated', ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokEXTRA'], 'open'],
  ])('is complete when %s', async (_name, pieces, end) => {
    const sent = await get(pieces, end);
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
    const sent = await get(pieces, end);
    expect([textOf(sent), answerOf(sent).body.end.kind]).toEqual(['ok', 'cut']);
  });

  it('is stopped at its limit, and keeps everything before that', async () => {
    const sent = await get([counted('x'.repeat(50_000))], 'open', { limits: { body: 1000 } });
    expect([textOf(sent), answerOf(sent).body.end]).toEqual(['x'.repeat(1000), { kind: 'limit', limit: 'max-body' }]);
  });

  it('may be exactly as long as the limit', async () => {
    const sent = await get([counted('x'.repeat(1000))], 'open', { limits: { body: 1000 } });
    expect([textOf(sent).length, answerOf(sent).body.end]).toEqual([1000, { kind: 'complete' }]);
  });

  it('is stopped by trailers larger than the limit', async () => {
    const { body } = answerOf(
      await get([CHUNKED_HEAD, chunked('ok'), '0\r\n', 'X: y\r\n'.repeat(4000)], 'open', { limits: { headers: 4096 } }),
    );
    expect(body.end).toEqual({ kind: 'limit', limit: 'max-headers' });
  });

  it('is stopped after too long a silence', async () => {
    const sent = await get([COUNTED_HEAD, 'ok'], 'open', { timeouts: { idle: 60 } });
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
    const { body, headersAt, endAt } = answerOf(await get([CHUNKED_HEAD, chunked('one'), chunked('two'), LAST_CHUNK]));
    expect(body.reads.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(body.bytes.length);
    const times = [0, headersAt, ...body.reads.map(({ at }) => at), endAt];
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it('counts one packet as one arrival, however many chunks it has', async () => {
    const { body } = answerOf(await get([CHUNKED_HEAD + '1\r\nx\r\n'.repeat(2000) + LAST_CHUNK]));
    expect(body.bytes).toHaveLength(2000);
    expect(body.reads.length).toBeLessThan(10);
  });
});

describe('a compressed body', () => {
  const text = JSON.stringify({ text: 'ä€😀'.repeat(5000) });
  const encode = (bytes: Uint8Array, encoding: string) => [counted(bytes, [`Content-Encoding: ${encoding}`])];

  it.each([
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['GZIP', gzipSync(text)],
    ['br', brotliCompressSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
    ['gzip\r\nContent-Encoding: br', brotliCompressSync(gzipSync(text))],
    ['identity', Buffer.from(text)],
  ])('is decoded: %s', async (encoding, bytes) => {
    const sent = await get(encode(bytes, encoding));
    expect([textOf(sent), answerOf(sent).body.end]).toEqual([text, { kind: 'complete' }]);
  });

  it('is decoded when it arrives byte by byte', async () => {
    const bytes = gzipSync('hello');
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bytes.length}\r\n\r\n`;
    expect(textOf(await get([head, ...Array.from(bytes, (byte) => Uint8Array.of(byte))]))).toBe('hello');
  });

  it.each([
    ['is not what it says', Buffer.from('{"object":"list"}')],
    ['breaks off', gzipSync(text).subarray(0, 30)],
    ['is damaged at its end', Buffer.concat([gzipSync('hello').subarray(0, -8), Buffer.alloc(8)])],
    ['is followed by something else', Buffer.concat([gzipSync('hello'), Buffer.from('garbage')])],
  ])('is undecodable when it %s', async (_name, bytes) => {
    expect(answerOf(await get(encode(bytes, 'gzip'))).body.end.kind).toBe('undecodable');
  });

  it('keeps everything decoded before the error', async () => {
    const long = randomBytes(100_000).toString('hex');
    const packed = gzipSync(long);
    const cut = packed.subarray(0, packed.length >> 1);
    const damaged = Buffer.concat([cut, Buffer.alloc(1_000, 0xff)]);
    for (const bytes of [cut, damaged]) {
      const sent = await get(encode(bytes, 'gzip'));
      expect(answerOf(sent).body.end.kind).toBe('undecodable');
      expect(textOf(sent).length).toBeGreaterThan(50_000);
      expect(long.startsWith(textOf(sent).slice(0, 50_000))).toBe(true);
    }
    expect(textOf(await get(encode(Buffer.from('{"object":"list"}'), 'gzip')))).toBe('');
  });

  it('is undecodable in an encoding that was not requested, and kept as received', async () => {
    const sent = await get(encode(Buffer.from('????'), 'zstd'));
    expect(answerOf(sent).body.end).toEqual({ kind: 'undecodable', detail: expect.stringContaining('zstd') });
    expect(textOf(sent)).toBe('????');
  });

  it('is cut, not undecodable, when the connection broke', async () => {
    const bytes = gzipSync(Buffer.concat([Buffer.from('hello'), Buffer.alloc(100_000)])).subarray(0, 60);
    const sent = await get([`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 999\r\n\r\n`, bytes], 'end');
    expect(answerOf(sent).body.end.kind).toBe('cut');
    expect(textOf(sent).startsWith('hello')).toBe(true);
  });

  it('is complete when it is empty', async () => {
    const sent = await get(encode(new Uint8Array(), 'gzip'));
    expect([textOf(sent), answerOf(sent).body.end]).toEqual(['', { kind: 'complete' }]);
  });

  it('ends at the limit when it would expand to 600 megabytes, and never uses that much memory', async () => {
    const gzip = createGzip();
    const chunks: Buffer[] = [];
    gzip.on('data', (chunk: Buffer) => chunks.push(chunk));
    for (let count = 0; count < 600; count++)
      if (!gzip.write(Buffer.alloc(MiB))) await new Promise((next) => gzip.once('drain', next));
    await new Promise<void>((next) => gzip.end(next));
    const bomb = Buffer.concat(chunks);
    const before = process.memoryUsage.rss();
    let peak = 0;
    const sampler = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 1);
    const sent = await get(encode(bomb, 'gzip'));
    clearInterval(sampler);
    expect(answerOf(sent).body.end).toEqual({ kind: 'limit', limit: 'max-body' });
    expect(answerOf(sent).body.bytes).toHaveLength(4 * MiB);
    expect((Math.max(peak, process.memoryUsage.rss()) - before) / MiB).toBeLessThan(80);
  });

  it('ends at the limit even with nested compression', async () => {
    const bomb = gzipSync(gzipSync(Buffer.alloc(50 * MiB)));
    expect(answerOf(await get(encode(bomb, 'gzip, gzip'))).body.end).toEqual({ kind: 'limit', limit: 'max-body' });
  });
});

describe('an answer', () => {
  it('has the status and headers of the target, in order', async () => {
    const answer = answerOf(
      await get([counted('ok', ['X-One: a', 'Set-Cookie: a=1', 'Set-Cookie: b=2', 'X-Latin: \u00e9'], '418 Teapot')]),
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

  it('has the HTTP version', async () => {
    expect(answerOf(await get(['HTTP/1.0 200 OK\r\n\r\nok'], 'end')).httpVersion).toBe('1.0');
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

describe('connections', () => {
  it('are reused, unless a new one is requested', async () => {
    const target = await rawTarget((socket) => void socket.write(counted('ok')));
    const transport = transportTo(target.baseUrl, { concurrency: 1 });
    for (const fresh of [false, false, false]) await transport.send(GET_MODELS, { fresh });
    expect(target.connections).toBe(1);
    await transport.send(GET_MODELS, { fresh: true });
    expect(target.connections).toBe(2);
    await transport.send(GET_MODELS);
    expect(target.connections).toBe(2);
  });

  it('are as many as the concurrency allows', async () => {
    const target = await rawTarget((socket) => void setTimeout(() => socket.write(counted('ok')), 50));
    const transport = transportTo(target.baseUrl, { concurrency: 3 });
    await Promise.all([1, 2, 3].map(() => transport.send(GET_MODELS)));
    expect(target.connections).toBe(3);
  });

  it('ignore proxies from the environment', async () => {
    process.env['HTTP_PROXY'] = process.env['http_proxy'] = 'http://127.0.0.1:1';
    onTestFinished(() => {
      delete process.env['HTTP_PROXY'];
      delete process.env['http_proxy'];
    });
    expect(textOf(await get([counted('ok')]))).toBe('ok');
  });

  it('go through the configured proxy, which sees no key', async () => {
    const target = await rawTarget((socket) => void socket.write(counted('ok')));
    const tunnels: string[] = [];
    const proxy = createServer().on('connect', async (request, socket) => {
      tunnels.push(`${request.url} ${JSON.stringify(request.headers)}`);
      const { connect } = await import('node:net');
      const { hostname, port } = new URL(`http://${request.url}`);
      const onward = connect(Number(port), hostname, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(onward).pipe(socket);
      });
      for (const end of [socket, onward]) end.on('error', () => {});
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void proxy.close());
    const { port } = proxy.address() as { port: number };
    const transport = transportTo(target.baseUrl, { proxy: `http://127.0.0.1:${port}` });
    expect(textOf(await transport.send(GET_MODELS))).toBe('ok');
    expect(textOf(await transport.send(GET_MODELS, { fresh: true }))).toBe('ok');
    expect(tunnels).toHaveLength(2);
    expect(tunnels.join('')).not.toContain(FULL_KEY);
  });

  it('report a proxy that refuses them', async () => {
    const { baseUrl } = await rawTarget((socket) => void socket.end('HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n'));
    const sent = await transportTo('http://127.0.0.1:9/v1', { proxy: baseUrl.replace('/v1', '') }).send(GET_MODELS);
    expect(sent.outcome).toMatchObject({
      kind: 'none',
      failure: { kind: 'refused', detail: expect.stringContaining('403') },
    });
  });
});
