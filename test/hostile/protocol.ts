/** Targets that break HTTP, or follow it in a harmful way. */
import type { Behaviours } from './behaviour.ts';
import { type Act, chunk, headOf, reply, STREAM_HEAD, write } from './hostile-target.ts';
import { trapped } from './trap.ts';

const raw =
  (bytes: string | Uint8Array): Act =>
  ({ socket }) =>
    socket.end(bytes as Uint8Array);
const OK = '{"object":"list","data":[{"id":"a"}]}';

/** The same numbers in every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}
const next = random(5);
const noise = (length: number): Buffer => Buffer.from(Array.from({ length }, () => Math.floor(next() * 256)));

const redirect =
  (status: number): Act =>
  (call) =>
    reply(call, status, '', { location: `${trapped.address}${call.path}` });

export const PROTOCOL: Behaviours = {
  garbage: {
    does: 'answers with random bytes instead of HTTP',
    to: 'every call',
    act: ({ socket }) => socket.end(noise(2_000)),
    exit: 3,
  },
  'garbage-every-second-time': {
    does: 'answers with random bytes instead of HTTP',
    to: 'every second call',
    act: ({ socket }) => socket.end(noise(2_000)),
    exit: [1, 3],
  },
  'tls-on-plain': {
    does: 'answers plain HTTP with a TLS handshake',
    to: 'every call',
    act: raw(Buffer.from('16030100610100005d0303', 'hex')),
    exit: 3,
  },
  'http2-preface': {
    does: 'answers with HTTP/2 frames',
    to: 'every call',
    act: raw(Buffer.from('000012040000000000000300000064000400100000', 'hex')),
    exit: 3,
  },
  'http-9': { does: 'calls its answer HTTP/9.9', to: 'every call', act: raw(`HTTP/9.9 200 OK\r\n\r\n${OK}`), exit: 3 },
  reset: { does: 'resets the connection', to: 'every call', act: ({ socket }) => socket.resetAndDestroy(), exit: 3 },
  'reset-mid-body': {
    does: 'resets the connection in mid-body',
    to: 'every reply',
    act: ({ socket }) => {
      write(socket, headOf(200, { 'content-length': '100' }));
      write(socket, '{"id');
      setTimeout(() => socket.resetAndDestroy(), 20);
    },
    exit: 1,
  },
  'cut-body': {
    does: 'closes the connection in mid-body',
    to: 'every plain reply',
    act: async (call) => {
      const { body } = await call.honest();
      call.socket.end(
        Buffer.concat([headOf(200, { 'content-length': `${body.length}` }), body.subarray(0, body.length >> 1)]),
      );
    },
    exit: 1,
  },
  'cut-stream': {
    does: 'closes the connection in mid-stream',
    to: 'every stream',
    act: async (call) => {
      const { body } = await call.honest();
      call.socket.end(Buffer.concat([Buffer.from(STREAM_HEAD), chunk(body.subarray(0, body.length >> 1))]));
    },
    exit: 1,
  },
  'length-too-long': {
    does: 'states a length that is too long',
    to: 'every call',
    act: async (call) => {
      const { status, body } = await call.honest();
      call.socket.end(Buffer.concat([headOf(status, { 'content-length': `${body.length + 10}` }), body]));
    },
    exit: 1,
  },
  'length-too-short': {
    does: 'states a length that is too short',
    to: 'every call',
    act: async (call) => {
      const { status, body } = await call.honest();
      call.socket.end(Buffer.concat([headOf(status, { 'content-length': `${Math.max(0, body.length - 10)}` }), body]));
    },
    exit: 1,
  },
  'two-lengths': {
    does: 'states two lengths',
    to: 'every call',
    act: raw(`HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 37\r\n\r\n${OK}`),
    exit: 3,
  },
  'length-and-chunks': {
    does: 'states a length and sends chunks',
    to: 'every call',
    act: raw(`HTTP/1.1 200 OK\r\ncontent-length: 37\r\ntransfer-encoding: chunked\r\n\r\n25\r\n${OK}\r\n0\r\n\r\n`),
    exit: 3,
  },
  'monstrous-chunk': {
    does: 'announces a chunk of 2^64 bytes',
    to: 'every call',
    act: raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}'),
    exit: 3,
  },
  'negative-length': {
    does: 'states a negative length',
    to: 'every call',
    act: raw('HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n{}'),
    exit: 3,
  },
  'two-answers': {
    does: 'answers every request twice',
    to: 'every call',
    act: async (call) => {
      const { status, headers, body } = await call.honest();
      reply(call, status, body, headers);
      reply(call, 200, '{"smuggled":true}');
    },
    exit: [0, 1],
  },
  'unasked-answers': {
    does: 'sends another answer a moment after the first',
    to: 'every call',
    act: async (call) => {
      const { status, headers, body } = await call.honest();
      reply(call, status, body, headers);
      setTimeout(() => reply(call, 200, '{"late":true}'), 2);
    },
    exit: [0, 1],
  },
  'redirect-elsewhere': { does: 'redirects to another origin (307)', to: 'every call', act: redirect(307), exit: 3 },
  'redirect-chat-elsewhere': {
    does: 'redirects to another origin (308)',
    to: 'every reply',
    act: redirect(308),
    exit: 1,
  },
  'redirect-by-other-means': {
    does: 'points to another origin with Refresh, Link, Alt-Svc and Content-Location',
    to: 'every call',
    act: async (call) => {
      const { status, headers, body } = await call.honest();
      reply(call, status, body, {
        ...headers,
        refresh: `0;url=${trapped.address}`,
        link: `<${trapped.address}>; rel=preload`,
        'alt-svc': `h2="${trapped.address.slice(7)}"`,
        'content-location': trapped.address,
      });
    },
    exit: 0,
  },
  'redirect-loop': {
    does: 'redirects to itself',
    to: 'every call',
    act: (call) => reply(call, 302, '', { location: call.path }),
    exit: 3,
  },
  'switching-protocols': {
    does: 'answers 101 Switching Protocols',
    to: 'every call',
    act: ({ socket }) =>
      write(socket, 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'),
    exit: 3,
  },
  'odd-status': { does: 'answers with status 999', to: 'every reply', act: (call) => reply(call, 999, '{}'), exit: 1 },
  'status-zero': {
    does: 'answers with status 000',
    to: 'every call',
    act: raw('HTTP/1.1 000 Nothing\r\ncontent-length: 2\r\n\r\n{}'),
    exit: 3,
  },
  'says-gzip': {
    does: 'says gzip and sends plain text',
    to: 'every call',
    act: async (call) => {
      const { status, headers, body } = await call.honest();
      reply(call, status, body, { ...headers, 'content-encoding': 'gzip' });
    },
    exit: 1,
  },
  'says-nonsense': {
    does: 'names an encoding that does not exist',
    to: 'every call',
    act: async (call) => {
      const { status, headers, body } = await call.honest();
      reply(call, status, body, { ...headers, 'content-encoding': 'gzip, br, rot13' });
    },
    exit: 1,
  },
  'bytes-in-headers': {
    does: 'sends control characters and raw bytes in headers',
    to: 'every call',
    act: raw(Buffer.from('HTTP/1.1 200 OK\r\nx-a: \x00\x01\xff\xfe\r\ncontent-length: 2\r\n\r\n{}', 'latin1')),
    exit: 3,
  },
  'folded-headers': {
    does: 'folds its headers over several lines',
    to: 'every call',
    act: async (call) => {
      const { status, body } = await call.honest();
      write(
        call.socket,
        `HTTP/1.1 ${status} OK\r\nx-a: b\r\n c\r\n\td\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
      );
      write(call.socket, body);
    },
    exit: 3,
  },
  'chunk-extensions': {
    does: 'sends chunk extensions and trailers',
    to: 'every call',
    act: async (call) => {
      const { status, headers, body } = await call.honest();
      write(call.socket, headOf(status, { ...headers, 'transfer-encoding': 'chunked', trailer: 'x-t' }));
      write(call.socket, `${body.length.toString(16)};a="b;c"\r\n`);
      write(call.socket, body);
      write(call.socket, '\r\n0;z\r\nx-t: v\r\n\r\n');
    },
    exit: 0,
  },
  'random-bodies': {
    does: 'answers 200 with random bytes',
    to: 'every call',
    act: (call) => reply(call, 200, noise(3_000)),
    exit: 3,
  },
  'random-bodies-to-chat': {
    does: 'answers 200 with random bytes',
    to: 'every reply',
    act: (call) => reply(call, 200, noise(3_000)),
    exit: 1,
  },
  'random-statuses': {
    does: 'answers with a random status each time',
    to: 'every call',
    act: randomStatuses(),
    exit: 1,
  },
  'another-answer': {
    does: 'gives each request the answer to the one before',
    to: 'every call',
    act: anotherAnswer(),
    exit: 1,
  },
};

/** The first of them decide whether anything is judged, so they do not depend on what other targets drew. */
function randomStatuses(): Act {
  const draw = random(5);
  return async (call) => {
    const { body } = await call.honest();
    reply(call, 200 + Math.floor(draw() * 400), body);
  };
}

function anotherAnswer(): Act {
  let before = { status: 200, body: Buffer.from(OK), headers: {} };
  return async (call) => {
    const { status, body, headers } = before;
    before = (await call.honest()) as typeof before;
    reply(call, status, body, headers);
  };
}
