/** Targets that stay within every limit, but send what is expensive to read, keep or write. */
import type { Behaviours } from './behaviour.ts';
import { type Act, chunk, LAST_CHUNK, reply, STREAM_HEAD, write } from './hostile-target.ts';
import { RECORD } from './run-cli.ts';

const MiB = 1024 * 1024;

const completion = (content: string, more: object = {}): string =>
  JSON.stringify({
    id: 'a',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    ...more,
  });
const says =
  (body: () => string | Uint8Array): Act =>
  (call) =>
    reply(call, 200, body());
const stream =
  (events: () => string): Act =>
  ({ socket }) => {
    write(socket, STREAM_HEAD);
    write(socket, chunk(events()));
    write(socket, LAST_CHUNK);
  };
const delta = (index: number, content: string): string =>
  `data: ${JSON.stringify({ id: 'a', object: 'chat.completion.chunk', model: 'm', choices: [{ index, delta: { content } }] })}\n\n`;

export const AMOUNTS: Behaviours = {
  'megabyte-ids': {
    does: 'has ids and names of a megabyte',
    to: 'every call',
    act: (call) =>
      reply(
        call,
        200,
        call.endpoint === 'models'
          ? JSON.stringify({
              object: 'list',
              data: [{ id: 'm'.repeat(MiB), object: 'model', owned_by: 'o'.repeat(MiB) }],
            })
          : completion('hi', { id: 'i'.repeat(MiB), model: 'm'.repeat(MiB), ['n'.repeat(MiB)]: 1 }),
      ),
    exit: 1,
  },
  'megabyte-reasons': {
    does: 'ends every choice for a reason of a megabyte',
    to: 'every plain reply',
    act: says(() => completion('hi').replace('"stop"', JSON.stringify('s'.repeat(MiB)))),
    exit: 0,
  },
  'million-choices': {
    does: 'answers with a million choices',
    to: 'every plain reply',
    act: says(() => `{"choices":[${'{},'.repeat(1_000_000)}{}]}`),
    exit: 3,
  },
  'million-spaces': {
    does: 'answers with a million spaces in every text',
    to: 'every plain reply',
    act: says(() =>
      completion(`a${' '.repeat(MiB)}a`, { id: `${'\t'.repeat(MiB)}a`, model: `${' \t'.repeat(MiB / 2)}a` }),
    ),
    exit: 3,
  },
  'blanks-around-events': {
    does: 'streams lines with a megabyte of spaces',
    to: 'every stream',
    act: stream(() => `data:${' '.repeat(MiB)}[DONE]${' '.repeat(MiB)}x\n\n`),
    exit: 1,
  },
  'control-characters': {
    does: 'answers with nothing but control characters, and `--record` was given',
    to: 'every reply',
    act: says(() => Buffer.alloc(3 * MiB, 1)),
    exit: 1,
    flags: RECORD,
  },
  'deep-text': {
    does: 'puts 100,000 brackets into the message of every error',
    to: 'every call',
    act: async (call) => {
      const { status, headers, body } = await call.honest();
      reply(call, status, body.toString().replaceAll('"message":"', `"message":"${'[{'.repeat(50_000)}`), headers);
    },
    exit: 0,
  },
  'long-number': {
    does: 'answers with a number of a million digits',
    to: 'every plain reply',
    act: says(() => completion('hi').replace('"created":1', `"created":${'9'.repeat(MiB)}`)),
    exit: 0,
  },
  'many-indexes': {
    does: 'streams ten thousand choices, a letter of each',
    to: 'every stream',
    act: stream(() => Array.from({ length: 10_000 }, (_, index) => delta(index, 'a')).join('')),
    exit: 1,
  },
  'many-names-of-events': {
    does: 'gives each of ten thousand events a name and an id of its own',
    to: 'every stream',
    act: stream(
      () =>
        `${Array.from({ length: 10_000 }, (_, n) => `event: e${n}\nid: ${n}\nretry: ${n}\ndata: ${n}\n\n`).join('')}data: [DONE]\n\n`,
    ),
    exit: 3,
  },
  'another-shape-each-time': {
    does: 'refuses with a code, a type and members that nobody has seen before, each time',
    to: 'every call',
    act: async (call) => {
      const { status, headers, body } = await call.honest();
      if (status === 200) return reply(call, status, body, headers);
      const members = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`m${call.number}-${n}`, n]));
      reply(
        call,
        status,
        JSON.stringify({ error: { message: 'm', type: `t${call.number}`, code: `c${call.number}`, ...members } }),
        headers,
      );
    },
    exit: 0,
  },
};
