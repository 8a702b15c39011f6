/** Targets that take their time. */
import type { Behaviours } from './behaviour.test.kit.ts';
import { chunk, drip, headOf, reply, STREAM_HEAD, write } from './hostile-target.test.kit.ts';

const DELTA = 'data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"a"}}]}\n\n';

export const TIMES: Behaviours = {
  'no-answer': {
    does: 'takes the connection and says nothing',
    to: 'every call',
    act: () => undefined,
    exit: 3,
    says: /first-byte-timeout/,
  },
  'no-answer-to-chat': { does: 'says nothing', to: 'chat', act: () => undefined, exit: 3, says: /first-byte-timeout/ },
  'head-without-body': {
    does: 'sends the head and no body',
    to: 'plain chat',
    act: ({ socket }) => write(socket, headOf(200, { 'content-length': '1000' })),
    exit: 3,
    says: /idle-timeout/,
  },
  'byte-by-byte-body': {
    does: 'sends a byte of the body now and then, for ever',
    to: 'the list',
    act: (call) => {
      write(call.socket, headOf(200, { 'content-length': '1000000' }));
      drip(call, ' ', 100);
    },
    exit: 3,
    says: /timeout/,
  },
  'byte-by-byte-head': {
    does: 'sends a byte of the head now and then, for ever',
    to: 'the list',
    act: (call) => {
      write(call.socket, 'HTTP/1.1 200 OK\r\nx: ');
      drip(call, 'a', 100);
    },
    exit: 3,
    says: /first-byte-timeout/,
  },
  'stalled-stream': {
    does: 'stops in mid-stream and keeps the connection',
    to: 'streams',
    act: ({ socket }) => {
      write(socket, STREAM_HEAD);
      write(socket, chunk(DELTA));
    },
    exit: 1,
  },
  'comments-for-ever': {
    does: 'sends comments and nothing else, for ever',
    to: 'streams',
    act: (call) => {
      write(call.socket, STREAM_HEAD);
      drip(call, chunk(': still here\n\n'), 100);
    },
    exit: 3,
  },
  'words-for-ever': {
    does: 'sends word after word, and never comes to an end',
    to: 'streams',
    act: (call) => {
      write(call.socket, STREAM_HEAD);
      drip(call, chunk(DELTA), 50);
    },
    exit: 3,
  },
  'retry-after-a-day': {
    does: 'answers 429 with Retry-After: 86400',
    to: 'chat',
    act: (call) => reply(call, 429, '{"error":{"message":"m","type":"t","code":"c"}}', { 'retry-after': '86400' }),
    exit: 3,
    flags: ['--retries', '2'],
  },
  'retry-after-nonsense': {
    does: 'answers 503 with a Retry-After that is no number and no date',
    to: 'every second call',
    act: (call) => reply(call, 503, '{}', { 'retry-after': `${'9'.repeat(400)}e9 Mon -1` }),
    exit: 1,
  },
  'retry-after-short': {
    does: 'asks to be tried again at once, for ever',
    to: 'chat',
    act: (call) => reply(call, 503, '{"error":{"message":"m","type":"t","code":"c"}}', { 'retry-after': '0' }),
    exit: 1,
    flags: ['--retries', '10'],
  },
  'dies-in-mid-run': {
    does: 'goes away in mid-run',
    to: 'calls after the 20th',
    act: ({ socket }) => socket.resetAndDestroy(),
    exit: 3,
  },
};
