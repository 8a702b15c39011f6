/** Targets that play tricks with framing, compression and headers. */
import { gzipSync } from 'node:zlib';
import type { Behaviours } from './behaviour.ts';
import { type Act, chunk, headOf, LAST_CHUNK, reply, STREAM_HEAD, write } from './hostile-target.ts';
import { trapped } from './trap.ts';

const ERROR = '{"error":{"message":"m","type":"t","code":"c"}}';

/** The honest answer with other headers. */
const withHeaders =
  (more: Readonly<Record<string, string>>): Act =>
  async (call) => {
    const { status, headers, body } = await call.honest();
    reply(call, status, body, { ...headers, ...more });
  };

/** The honest body in gzip, changed on the way. */
const gzipped =
  (change: (packed: Buffer) => Buffer): Act =>
  async (call) => {
    const { status, headers, body } = await call.honest();
    reply(call, status, change(gzipSync(body)), { ...headers, 'content-encoding': 'gzip' });
  };

const emptyMember = gzipSync('');

export const FRAMING: Behaviours = {
  'chunk-longer-than-it-says': {
    does: 'sends more in a chunk than it announced',
    to: 'every reply',
    act: ({ socket }) => write(socket, `${STREAM_HEAD}5\r\n{"id":"abc"}\r\n0\r\n\r\n`),
    exit: 1,
  },
  'chunk-size-of-zeros': {
    does: 'writes the size of a chunk with a million zeros',
    to: 'every list',
    act: ({ socket }) => write(socket, `${STREAM_HEAD}${'0'.repeat(1_000_000)}2\r\n{}\r\n0\r\n\r\n`),
    exit: 1,
  },
  'length-beyond-numbers': {
    does: 'states a length of 10^30 bytes',
    to: 'every call',
    act: ({ socket }) => write(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 1000000000000000000000000000000\r\n\r\n{}'),
    exit: 3,
  },
  'ten-thousand-cookies': {
    does: 'sets ten thousand cookies',
    to: 'every list',
    act: ({ socket }) =>
      write(socket, `HTTP/1.1 200 OK\r\n${'set-cookie: a=b; path=/\r\n'.repeat(10_000)}content-length: 2\r\n\r\n{}`),
    exit: 3,
    says: /max-headers/,
  },
  'hundred-codings': {
    does: 'names a hundred content codings',
    to: 'every call',
    act: withHeaders({ 'content-encoding': Array.from({ length: 100 }, () => 'gzip').join(', ') }),
    exit: 1,
  },
  'gzip-and-garbage': {
    does: 'sends garbage after the end of gzip',
    to: 'every call',
    act: gzipped((packed) => Buffer.concat([packed, Buffer.alloc(1_000, 'garbage')])),
    exit: 1,
  },
  'gzip-cut': {
    does: 'sends only the first half of gzip',
    to: 'every plain reply',
    act: gzipped((packed) => packed.subarray(0, packed.length >> 1)),
    exit: 1,
  },
  'gzip-of-nothing': {
    does: 'sends a hundred thousand empty gzip members',
    to: 'every list',
    act: (call) =>
      reply(call, 200, Buffer.concat(Array.from({ length: 100_000 }, () => emptyMember)), {
        'content-encoding': 'gzip',
      }),
    exit: 1,
  },
  'http-1.0': {
    does: 'answers with HTTP/1.0 and closes the connection',
    to: 'every call',
    act: async ({ socket, ...call }) => {
      const { status, headers, body } = await call.honest();
      const head = headOf(status, headers).toString().replace('HTTP/1.1', 'HTTP/1.0');
      socket.end(Buffer.concat([Buffer.from(head), body]));
    },
    exit: 0,
  },
  'empty-answers': {
    does: 'answers 200 with an empty body',
    to: 'every call',
    act: (call) => reply(call, 200, ''),
    exit: 3,
  },
  'no-content': {
    does: 'answers 204 No Content',
    to: 'every reply',
    act: ({ socket }) => write(socket, 'HTTP/1.1 204 No Content\r\n\r\n'),
    exit: 1,
  },
  'not-modified': {
    does: 'answers 304 Not Modified',
    to: 'every reply',
    act: ({ socket }) => write(socket, 'HTTP/1.1 304 Not Modified\r\ncontent-length: 1000\r\n\r\n'),
    exit: 1,
  },
  'reset-every-second-time': {
    does: 'resets the connection',
    to: 'every second call',
    act: ({ socket }) => socket.resetAndDestroy(),
    exit: [1, 3],
  },
  'new-redirect-each-time': {
    does: 'redirects to another place each time, each with another status',
    to: 'every call',
    act: (call) => {
      const status = [300, 301, 302, 303, 305, 307, 308][call.number % 7] ?? 302;
      reply(call, status, '', { location: `${trapped.address}/${call.number}` });
    },
    exit: 1,
  },
  'several-locations': {
    does: 'redirects with three locations, one of them with another scheme',
    to: 'every reply',
    act: ({ socket }) =>
      write(
        socket,
        `HTTP/1.1 302 Found\r\nlocation: ${trapped.address}\r\nlocation: file:///etc/passwd\r\nlocation: //x\r\ncontent-length: 0\r\n\r\n`,
      ),
    exit: 1,
  },
  'date-beyond-calendars': {
    does: 'dates its answers in the year 275,761',
    to: 'every call',
    act: withHeaders({ date: 'Fri, 31 Dec 275761 23:59:59 GMT', age: '-1', expires: '0' }),
    exit: 0,
  },
  'types-of-its-own': {
    does: 'sends a content type of 30 KB',
    to: 'every call',
    act: withHeaders({ 'content-type': `application/json; ${'a=b; '.repeat(6_000)}` }),
    exit: 0,
  },
  'two-types': {
    does: 'sends two content types that contradict each other',
    to: 'every call',
    act: async ({ socket, ...call }) => {
      const { status, body } = await call.honest();
      write(
        socket,
        `HTTP/1.1 ${status} OK\r\ncontent-type: text/html\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
      );
      write(socket, body);
    },
    exit: 0,
  },
  'returns-and-feeds': {
    does: 'ends the lines of its streams with CR, LF and CRLF in turn, cut between CR and LF',
    to: 'every stream',
    act: async ({ socket, ...call }) => {
      const { body } = await call.honest();
      const ends = ['\r\n', '\r', '\n'];
      write(socket, STREAM_HEAD);
      for (const [at, line] of body.toString().split('\n').entries()) {
        const end = ends[at % 3] ?? '\n';
        write(socket, chunk(`${line}${end[0]}`));
        if (end.length > 1) write(socket, chunk('\n'));
      }
      write(socket, LAST_CHUNK);
    },
    exit: 0,
  },
  'retry-after-all-kinds': {
    does: 'answers 429 with a Retry-After of -1, 1e400, a date in the year 10000, nothing and half a megabyte in turn',
    to: 'every second call',
    act: (call) => {
      const kinds = ['-1', '1e400', 'Fri, 31 Dec 10000 23:59:59 GMT', '', '9'.repeat(30_000), '0x10', '١'];
      reply(call, 429, ERROR, { 'retry-after': kinds[(call.number >> 1) % kinds.length] ?? '' });
    },
    exit: 3,
    flags: ['--retries', '1', '--max-time', '8s'],
  },
};
