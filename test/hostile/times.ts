/** Targets that take their time. */
import type { Behaviours } from './behaviour.ts';
import { chunk, drip, headOf, reply, STREAM_HEAD, write } from './hostile-target.ts';

const DELTA = 'data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"a"}}]}\n\n';

/** Honest calls are answered at once, even on a busy machine. */
const QUICK = ['--first-byte-timeout', '5s', '--idle-timeout', '3s', '--timeout', '7s'];

export const TIMES: Behaviours = {
  'no-answer': {
    flags: QUICK,
    does: 'accepts the connection and sends nothing',
    to: 'every call',
    act: () => undefined,
    exit: 3,
    says: /first-byte-timeout/,
  },
  'no-answer-to-chat': {
    flags: QUICK,
    does: 'sends nothing',
    to: 'every reply',
    act: () => undefined,
    exit: 3,
    says: /first-byte-timeout/,
  },
  'head-without-body': {
    flags: QUICK,
    does: 'sends the head and no body',
    to: 'every plain reply',
    act: ({ socket }) => write(socket, headOf(200, { 'content-length': '1000' })),
    exit: 3,
    says: /idle-timeout/,
  },
  'byte-by-byte-body': {
    flags: QUICK,
    does: 'sends a byte of the body at intervals, forever',
    to: 'every list',
    act: (call) => {
      write(call.socket, headOf(200, { 'content-length': '1000000' }));
      drip(call, ' ', 100);
    },
    exit: 3,
    says: /timeout/,
  },
  'byte-by-byte-head': {
    flags: QUICK,
    does: 'sends a byte of the head at intervals, forever',
    to: 'every list',
    act: (call) => {
      write(call.socket, 'HTTP/1.1 200 OK\r\nx: ');
      drip(call, 'a', 100);
    },
    exit: 3,
    says: /first-byte-timeout/,
  },
  'stalled-stream': {
    flags: QUICK,
    does: 'stops in mid-stream and keeps the connection open',
    to: 'every stream',
    act: ({ socket }) => {
      write(socket, STREAM_HEAD);
      write(socket, chunk(DELTA));
    },
    exit: 1,
  },
  'comments-for-ever': {
    // Silence must not end it first, even if a busy machine delays a comment.
    flags: [...QUICK, '--idle-timeout', '30s'],
    does: 'sends nothing but comments, forever',
    to: 'every stream',
    act: (call) => {
      write(call.socket, STREAM_HEAD);
      drip(call, chunk(': still here\n\n'), 100);
    },
    exit: 3,
  },
  'words-for-ever': {
    // Only the whole time ends it: a busy machine may be late with the honest list.
    flags: ['--timeout', '10s'],
    does: 'sends word after word, forever',
    to: 'every stream',
    act: (call) => {
      write(call.socket, STREAM_HEAD);
      write(call.socket, chunk(DELTA.repeat(150)));
      drip(call, chunk(DELTA), 50);
    },
    exit: 1,
  },
  'retry-after-a-day': {
    does: 'answers 429 with Retry-After: 86400',
    to: 'every reply',
    act: (call) => reply(call, 429, '{"error":{"message":"m","type":"t","code":"c"}}', { 'retry-after': '86400' }),
    exit: 3,
    flags: ['--retries', '2'],
  },
  'retry-after-nonsense': {
    does: 'answers 503 with a Retry-After that is neither a number nor a date',
    to: 'every second call',
    act: (call) => reply(call, 503, '{}', { 'retry-after': `${'9'.repeat(400)}e9 Mon -1` }),
    exit: 1,
  },
  'retry-after-short': {
    does: 'asks for an immediate retry, forever',
    to: 'every reply',
    act: (call) => reply(call, 503, '{"error":{"message":"m","type":"t","code":"c"}}', { 'retry-after': '0' }),
    exit: 1,
    flags: ['--retries', '3', '--max-time', '20s'],
  },
  'dies-in-mid-run': {
    does: 'disappears in mid-run',
    to: 'every call after the 20th',
    act: ({ socket }) => socket.resetAndDestroy(),
    exit: 3,
  },
};
