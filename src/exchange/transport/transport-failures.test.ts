import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  counted,
  failureIn,
  answerOf,
  GET_MODELS,
  rawTarget,
  textOf,
  transportTo,
} from '../../../test/kit/raw-target.ts';

describe('a request that gets no answer', () => {
  const ask = async (reply: string, changes = {}) => {
    const { baseUrl } = await rawTarget((socket) => void socket.end(Buffer.from(reply, 'latin1')));
    return failureIn(await transportTo(baseUrl, changes).send(GET_MODELS));
  };

  it('is refused if nothing listens', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    const failure = failureIn(await transportTo(`http://127.0.0.1:${port}/v1`).send(GET_MODELS));
    expect(failure).toMatchObject({ kind: 'refused', code: 'ECONNREFUSED' });
  });

  it('is unresolved if the host name has no address', async () => {
    const failure = failureIn(await transportTo('http://no-such-host.invalid/v1').send(GET_MODELS));
    expect(failure.kind).toBe('unresolved');
  });

  it('failed at TLS if the target does not support it', async () => {
    const { baseUrl } = await rawTarget((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const failure = failureIn(await transportTo(baseUrl.replace('http:', 'https:')).send(GET_MODELS));
    expect(failure.kind).toBe('tls');
  });

  it.each([
    ['before any byte', ''],
    ['within the headers', 'HTTP/1.1 200 OK\r\nContent-'],
    ['within the first line', 'HTTP/1.'],
  ])('was closed when the connection ended %s', async (_name, reply) => {
    expect(await ask(reply)).toMatchObject({ kind: 'closed' });
  });

  it('was closed when the connection was reset', async () => {
    const { baseUrl } = await rawTarget((socket) => void socket.resetAndDestroy());
    expect(failureIn(await transportTo(baseUrl).send(GET_MODELS))).toMatchObject({
      kind: 'closed',
      code: 'ECONNRESET',
    });
  });

  it.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['a body without a head', '{"object":"list"}'],
    ['lines that end in LF alone', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nok'],
    ['a folded header', 'HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 2\r\n\r\nok'],
    ['a header name with a space', 'HTTP/1.1 200 OK\r\nX : a\r\nContent-Length: 2\r\n\r\nok'],
    ['a zero byte in a header', 'HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 2\r\n\r\nok'],
    [
      'a length and chunks',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    ],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok'],
    [
      'an upgrade that nobody asked for',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
    ],
    ['a status below 100', 'HTTP/1.1 099 No\r\nContent-Length: 2\r\n\r\nok'],
  ])('is not HTTP when it got %s', async (_name, reply) => {
    const failure = await ask(reply);
    expect(failure).toMatchObject({ kind: 'not-http' });
    expect(failure.detail).not.toContain('\n');
  });

  it.each([
    ['one header that is', `X: ${'a'.repeat(5000)}\r\n`],
    ['many headers that are', 'X: aaaaaaaaaaaaaaaaaaaa\r\n'.repeat(300)],
    ['headers without end that are', `X: ${'a'.repeat(200_000)}`],
  ])('was stopped by %s larger than the limit', async (_name, headers) => {
    const failure = await ask(`HTTP/1.1 200 OK\r\n${headers}\r\nok`, { limits: { headers: 4096 } });
    expect(failure).toMatchObject({ kind: 'limit', limit: 'max-headers' });
  });

  it.each(['100 Continue', '102 Processing', '103 Early Hints'])('was stopped by too many %s', async (status) => {
    const { baseUrl } = await rawTarget((socket) => void socket.write(`HTTP/1.1 ${status}\r\n\r\n`.repeat(50)));
    const failure = failureIn(await transportTo(baseUrl, { limits: { interim: 5 } }).send(GET_MODELS));
    expect(failure).toMatchObject({ kind: 'limit', limit: 'max-interim' });
  });

  it('was stopped by an interim response with endless headers', async () => {
    const { baseUrl } = await rawTarget(
      (socket) => void socket.write(`HTTP/1.1 100 Continue\r\nX: ${'a'.repeat(300_000)}`),
    );
    expect(failureIn(await transportTo(baseUrl).send(GET_MODELS)).kind).toMatch(/limit|not-http/);
  });

  it('timed out when the target sent nothing', async () => {
    const { baseUrl } = await rawTarget(() => {});
    const failure = failureIn(await transportTo(baseUrl, { timeouts: { firstByte: 60 } }).send(GET_MODELS));
    expect(failure).toMatchObject({ kind: 'timeout', limit: 'first-byte-timeout' });
  });

  it('timed out when only interim responses arrived', async () => {
    const { baseUrl } = await rawTarget((socket) => void socket.write('HTTP/1.1 102 Processing\r\n\r\n'));
    const failure = failureIn(await transportTo(baseUrl, { timeouts: { firstByte: 60 } }).send(GET_MODELS));
    expect(failure).toMatchObject({ kind: 'timeout', limit: 'first-byte-timeout' });
  });

  it('timed out as a whole', async () => {
    const { baseUrl } = await rawTarget(() => {});
    const failure = failureIn(await transportTo(baseUrl, { timeouts: { attempt: 60 } }).send(GET_MODELS));
    expect(failure).toMatchObject({ kind: 'timeout', limit: 'timeout' });
  });

  it('timed out early if its reply may have no end', async () => {
    const { baseUrl } = await rawTarget(() => {});
    const transport = transportTo(baseUrl, { timeouts: { edit: 60 } });
    const failure = failureIn(await transport.send(GET_MODELS, { bound: 'time' }));
    expect(failure).toMatchObject({ kind: 'timeout', limit: 'edit-timeout' });
    const shorter = transportTo(baseUrl, { timeouts: { attempt: 60, edit: 10_000 } });
    expect(failureIn(await shorter.send(GET_MODELS, { bound: 'time' }))).toMatchObject({ limit: 'timeout' });
  });

  it('timed out while connecting', async () => {
    // A TLS handshake that never gets its second message is a connection that never stands.
    const { baseUrl } = await rawTarget(() => {});
    const transport = transportTo(baseUrl.replace('http:', 'https:'), { timeouts: { connect: 60 } });
    expect(failureIn(await transport.send(GET_MODELS))).toMatchObject({ kind: 'timeout', limit: 'connect-timeout' });
  });

  it('was aborted when the run was interrupted, before or after it was sent', async () => {
    const interrupt = new AbortController();
    const { baseUrl } = await rawTarget(() => interrupt.abort());
    const transport = transportTo(baseUrl);
    expect(failureIn(await transport.send(GET_MODELS, { signal: interrupt.signal }))).toMatchObject({
      kind: 'aborted',
    });
    expect(failureIn(await transport.send(GET_MODELS, { signal: interrupt.signal }))).toMatchObject({
      kind: 'aborted',
    });
  });

  it('does not affect the next one', async () => {
    let count = 0;
    const { baseUrl } = await rawTarget(
      (socket) => void socket.end(count++ === 0 ? 'nonsense\r\n\r\n' : counted('ok')),
    );
    const transport = transportTo(baseUrl, { concurrency: 1 });
    expect(failureIn(await transport.send(GET_MODELS)).kind).toBe('not-http');
    expect(textOf(await transport.send(GET_MODELS))).toBe('ok');
  });

  it('is a bug of the caller if HTTP cannot express it', async () => {
    const transport = transportTo('http://127.0.0.1:1/v1');
    await expect(transport.send({ ...GET_MODELS, headers: { 'X-Bad': 'a\nb' } })).rejects.toThrow(
      /^Cannot send GET \/models: /,
    );
  });
});

describe('an answer after interim responses', () => {
  it.each([
    ['HTTP/1.1 100 Continue\r\n\r\n', 1],
    ['HTTP/1.1 100 Continue\r\nX: y\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n', 2],
    ['HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n', 1],
    ['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n', 2],
  ])('is read, and the interim ones are counted: %j', async (interim, count) => {
    const { baseUrl } = await rawTarget(
      (socket) => void socket.write(Buffer.concat([Buffer.from(interim), counted('ok')])),
    );
    const sent = await transportTo(baseUrl).send(GET_MODELS);
    expect([textOf(sent), answerOf(sent).interim]).toEqual(['ok', count]);
  });

  it('is read the same way byte by byte', async () => {
    const { baseUrl } = await rawTarget((socket) => {
      const bytes = Buffer.concat([Buffer.from('HTTP/1.1 100 Continue\r\nA: b\r\n\r\n'), counted('ok')]);
      const next = (at: number) =>
        void (at < bytes.length && socket.write(bytes.subarray(at, at + 1), () => setImmediate(next, at + 1)));
      next(0);
    });
    const sent = await transportTo(baseUrl).send(GET_MODELS);
    expect([textOf(sent), answerOf(sent).interim, answerOf(sent).httpVersion]).toEqual(['ok', 1, '1.1']);
  });
});
