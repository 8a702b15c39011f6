/** Targets that send too much. */
import { createBrotliCompress, createDeflate, createGzip, constants, gzipSync } from 'node:zlib';
import { Readable, type Transform } from 'node:stream';
import type { Behaviours } from './behaviour.ts';
import { type Act, chunk, headOf, LAST_CHUNK, pour, reply, STREAM_HEAD, write } from './hostile-target.ts';

const MiB = 1024 * 1024;
const SPACES = Buffer.alloc(64 * 1024, ' ');

/** Makes a large text once, however often it is sent. */
function once(make: () => string): () => string {
  let made: string | undefined;
  return () => (made ??= make());
}

const manyNames = once(() =>
  JSON.stringify({
    object: 'list',
    data: Array.from({ length: 60_000 }, (_, n) => ({ id: `m${n}`, [`f${n}`]: n })),
  }),
);
const hugeText = once(() =>
  JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'x'.repeat(30 * MiB) } }] }),
);

/** So many zero bytes, compressed. Made once, when the first run needs them. */
function bomb(size: number, pack: () => Transform): () => Promise<Buffer> {
  let made: Promise<Buffer> | undefined;
  return () =>
    (made ??= (async () => {
      const zeros = Buffer.alloc(MiB);
      const packed = Readable.from(Array.from({ length: size }, () => zeros)).pipe(pack());
      const pieces: Buffer[] = [];
      for await (const piece of packed) pieces.push(piece as Buffer);
      return Buffer.concat(pieces);
    })());
}

const gzipBomb = bomb(600, () => createGzip({ level: 6 }));
const deflateBomb = bomb(600, () => createDeflate({ level: 6 }));
const brotliBomb = bomb(600, () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }));
const sendBomb =
  (encoding: string, packed: () => Promise<Buffer>, type = 'application/json'): Act =>
  async (call) =>
    reply(call, 200, await packed(), { 'content-encoding': encoding, 'content-type': type });

const endless =
  (head: string, piece: string | Uint8Array): Act =>
  (call) => {
    write(call.socket, head);
    pour(call, piece);
  };
const JSON_HEAD = headOf(200, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }).toString();
const stream =
  (text: string): Act =>
  ({ socket }) => {
    write(socket, STREAM_HEAD);
    write(socket, chunk(text));
    write(socket, LAST_CHUNK);
  };
const ERROR = '{"error":{"message":"m","type":"t","code":"c"}}';

export const SIZES: Behaviours = {
  'endless-list': {
    does: 'sends a list that never ends',
    to: 'every list',
    act: endless(JSON_HEAD, chunk(SPACES)),
    exit: 3,
    says: /max-body/,
  },
  'endless-completion': {
    does: 'sends a body that never ends',
    to: 'every plain reply',
    act: endless(JSON_HEAD, chunk('{"a":'.repeat(5_000))),
    exit: 3,
    says: /max-body/,
  },
  'endless-events': {
    does: 'sends events that never end',
    to: 'every stream',
    act: endless(STREAM_HEAD, chunk('data: {}\n\n'.repeat(500))),
    exit: 3,
    says: /max-events|max-total/,
  },
  'endless-event': {
    does: 'sends one event that never ends',
    to: 'every stream',
    act: endless(STREAM_HEAD, chunk('data: x\n'.repeat(1_000))),
    exit: 3,
    says: /max-stream|max-total/,
  },
  'endless-line': {
    does: 'sends one line that never ends',
    to: 'every stream',
    act: endless(STREAM_HEAD, chunk('data: '.padEnd(64 * 1024, 'x'))),
    exit: 3,
    says: /max-line|max-total/,
  },
  'flood-of-comments': {
    does: 'sends comments as fast as it can',
    to: 'every stream',
    act: endless(STREAM_HEAD, chunk(': x\n'.repeat(10_000))),
    exit: 3,
    says: /max-stream|max-total/,
  },
  'flood-of-single-bytes': {
    does: 'sends a body in chunks of one byte that never ends',
    to: 'every list',
    act: endless(JSON_HEAD, Buffer.concat(Array.from({ length: 1_000 }, () => chunk(' ')))),
    exit: 3,
    flags: ['--max-body', '512KiB'],
  },
  'gzip-bomb-list': {
    does: 'sends 600 MB of zeros compressed with gzip',
    to: 'every list',
    act: sendBomb('gzip', gzipBomb),
    exit: 3,
    says: /max-body/,
  },
  'gzip-bomb-everywhere': {
    does: 'sends 600 MB of zeros compressed with gzip',
    to: 'every reply',
    act: sendBomb('gzip', gzipBomb),
    exit: 3,
    says: /max-body|max-total/,
  },
  'gzip-bomb-twice': {
    does: 'sends 600 MB of zeros compressed with gzip twice',
    to: 'every plain reply',
    act: sendBomb('gzip, gzip', async () => gzipSync(await gzipBomb())),
    exit: 3,
    says: /max-body|max-total/,
  },
  'deflate-bomb-stream': {
    does: 'sends 600 MB of zeros compressed with deflate as a stream',
    to: 'every stream',
    act: sendBomb('deflate', deflateBomb, 'text/event-stream'),
    exit: 3,
    says: /max-line|max-stream|max-total/,
  },
  'brotli-bomb': {
    does: 'sends 600 MB of zeros compressed with Brotli',
    to: 'every plain reply',
    act: sendBomb('br', brotliBomb),
    exit: 3,
    says: /max-body|max-total/,
  },
  'many-headers': {
    does: 'sends headers that never end',
    to: 'every list',
    act: endless('HTTP/1.1 200 OK\r\n', 'x-a: b\r\n'.repeat(500)),
    exit: 3,
    says: /max-headers/,
  },
  'endless-header': {
    does: 'sends one header that never ends',
    to: 'every reply',
    act: endless('HTTP/1.1 200 OK\r\nx-a: ', 'b'.repeat(4_096)),
    exit: 3,
    says: /max-headers/,
  },
  'endless-status-text': {
    does: 'sends a status text that never ends',
    to: 'every list',
    act: endless('HTTP/1.1 200 ', 'OK'.repeat(4_096)),
    exit: 3,
    says: /max-headers/,
  },
  'long-status-text': {
    does: 'sends a status text of 60 KB',
    to: 'every second call',
    act: (call) => reply(call, `500 ${'oh '.repeat(20_000)}`, ERROR),
    exit: 1,
  },
  'thousands-of-headers': {
    does: 'sends four thousand short headers',
    to: 'every call',
    act: async (call) => {
      const { status, headers, body } = await call.honest();
      reply(call, status, body, {
        ...headers,
        ...Object.fromEntries(Array.from({ length: 4_000 }, (_, n) => [`x-${n}`, 'y'])),
      });
    },
    exit: 0,
    flags: ['--max-headers', '200KiB'],
  },
  'endless-trailers': {
    does: 'sends trailers that never end',
    to: 'every plain reply',
    act: endless(`${JSON_HEAD}2\r\n{}\r\n0\r\n`, 'x-t: y\r\n'.repeat(500)),
    exit: 3,
    says: /max-headers/,
  },
  'endless-chunk-extension': {
    does: 'sends a chunk extension that never ends',
    to: 'every list',
    act: endless(`${JSON_HEAD}2;a=`, 'b'.repeat(4_096)),
    exit: 3,
    flags: ['--idle-timeout', '500ms'],
    says: /idle-timeout/,
  },
  'interim-103': {
    does: 'sends 103 Early Hints forever',
    to: 'every list',
    act: endless('', 'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n'.repeat(100)),
    exit: 3,
    says: /interim|1xx/,
  },
  'interim-100': {
    does: 'sends 100 Continue forever',
    to: 'every reply',
    act: endless('', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(100)),
    exit: 3,
    says: /interim|1xx/,
  },
  'million-models': {
    does: 'lists a million models',
    to: 'every list',
    act: (call) => reply(call, 200, `{"object":"list","data":[${'{"id":1},'.repeat(1_000_000)}{"id":"last"}]}`),
    exit: 3,
    says: /max-body/,
  },
  'many-names': {
    does: 'lists sixty thousand models, each with a field of its own',
    to: 'every list',
    act: (call) => reply(call, 200, manyNames()),
    exit: 1,
  },
  'tiny-events': {
    does: 'streams 300,000 tiny events',
    to: 'every stream',
    act: stream('data: {}\n\n'.repeat(300_000)),
    exit: 3,
    says: /max-events|max-total/,
  },
  'many-choices': {
    does: 'streams chunks of 50,000 choices',
    to: 'every stream',
    act: stream(`data: {"choices":[${'{"index":1,"delta":{"content":"a"}},'.repeat(50_000)}{}]}\n\n`.repeat(3)),
    exit: 3,
  },
  'deep-json': {
    does: 'answers with JSON that is 100,000 deep',
    to: 'every call',
    act: (call) => reply(call, 200, '['.repeat(100_000) + ']'.repeat(100_000)),
    exit: 3,
  },
  'deep-chat': {
    does: 'answers with objects that are 100,000 deep',
    to: 'every plain reply',
    act: (call) => reply(call, 200, `${'{"choices":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
    exit: 3,
    says: /max-depth/,
  },
  'deep-events': {
    does: 'streams events that are 100,000 deep',
    to: 'every stream',
    act: stream(`data: ${'{"choices":['.repeat(100_000)}\n\n`.repeat(3)),
    exit: 3,
    says: /max-depth/,
  },
  'deep-errors': {
    does: 'refuses with an error that is 100,000 deep',
    to: 'every second call',
    act: (call) => reply(call, 400, `{"error":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
    exit: 1,
  },
  'huge-text': {
    does: 'answers with one string of 30 MB',
    to: 'every plain reply',
    act: (call) => reply(call, 200, hugeText()),
    exit: 3,
    flags: ['--max-body', '40MiB'],
    says: /max-total/,
  },
  'many-reads': {
    does: 'streams its events byte by byte',
    to: 'every stream',
    act: async (call) => {
      const { body } = await call.honest();
      write(call.socket, STREAM_HEAD);
      for (const byte of body) write(call.socket, chunk(Buffer.of(byte)));
      write(call.socket, LAST_CHUNK);
    },
    exit: 0,
  },
};
