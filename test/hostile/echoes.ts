/** Targets that repeat the key they were sent, in every form and in every place. */
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Behaviours } from './behaviour.ts';
import { type Act, type Call, chunk, headOf, LAST_CHUNK, reply, STREAM_HEAD, write } from './hostile-target.ts';
import { trapped } from './trap.ts';

type Spell = (secret: string) => string;

const hex = (letter: string, width: number) => letter.charCodeAt(0).toString(16).padStart(width, '0');
const each = (secret: string, spell: (letter: string) => string) => Array.from(secret, spell).join('');

/** Each can stand in a JSON string without further escaping. */
const FORMS: Readonly<Record<string, Spell>> = {
  raw: (secret) => secret,
  'percent-encoded': (secret) => each(secret, (letter) => `%${hex(letter, 2)}`),
  base64: (secret) => Buffer.from(secret).toString('base64'),
  'base64-second-alignment': (secret) => Buffer.from(`x${secret}`).toString('base64'),
  'base64-third-alignment': (secret) => Buffer.from(`xy${secret}z`).toString('base64url'),
  'base64-with-line-breaks': (secret) => Buffer.from(secret).toString('base64').replaceAll(/.{12}/g, '$&\\r\\n'),
  hex: (secret) => Buffer.from(secret).toString('hex'),
  'upper-case-hex': (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
  'json-escaped': (secret) => each(secret, (letter) => `\\u${hex(letter, 4)}`),
  'json-in-json': (secret) =>
    JSON.stringify(JSON.stringify(each(secret, (letter) => `\\u${hex(letter, 4)}`))).slice(1, -1),
  'html-references': (secret) => each(secret, (letter) => `&#${letter.charCodeAt(0)};`),
  'html-references-without-semicolons': (secret) => each(secret, (letter) => `&#${letter.charCodeAt(0)}`),
  'upper-case': (secret) => secret.toUpperCase(),
  'mixed-case': (secret) =>
    Array.from(secret, (letter, at) => (at % 2 === 0 ? letter.toUpperCase() : letter.toLowerCase())).join(''),
  'in-halves': (secret) => `${secret.slice(0, secret.length >> 1)} and ${secret.slice(secret.length >> 1)}`,
};

/** A client would join these events into one text. */
function inEvents(text: string, size: number): string {
  const pieces = text.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
  const events = pieces.map((content) =>
    JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content } }] }),
  );
  return [...events, '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
}

const secretOf = ({ credentials }: Call): string => credentials[0] ?? 'none';

/** In the message of every error, the text of every reply, and the id of every model but one. */
const echo =
  (spell: Spell): Act =>
  async (call) => {
    const { status, headers, body } = await call.honest();
    const said = `said: ${spell(secretOf(call))}`;
    const text = body.toString();
    if (text.startsWith('data:'))
      return reply(call, status, text.replaceAll(/"content":"/g, `"content":"${said}`), headers);
    // One model keeps its name, so that it can be called.
    let isFirst = call.endpoint === 'models';
    const echoed = text.replaceAll(/"(message|content|id|owned_by|code|type)":"/g, (all, name: string) => {
      if (name !== 'id' || !isFirst) return `${all}${said}`;
      isFirst = false;
      return all;
    });
    return reply(call, status, echoed, headers);
  };

const echoes = Object.fromEntries(
  Object.entries(FORMS).map(([name, spell]) => [
    `echo-${name}`,
    {
      does: `repeats the key in every answer, ${name.replaceAll('-', ' ')}`,
      to: 'every call',
      act: echo(spell),
      // These forms are so long that they exceed the one token that was asked for.
      exit: /percent|json|references/.test(name) ? 1 : 0,
    },
  ]),
) as Behaviours;

const encoded =
  (encoding: string, encode: (bytes: Buffer) => Buffer): Act =>
  async (call) => {
    const { status, headers, body } = await call.honest();
    const said = body.toString().replaceAll(/"(message|content)":"/g, `"$1":"${secretOf(call)}`);
    reply(call, status, encode(Buffer.from(said)), { ...headers, 'content-encoding': encoding });
  };

/** Only in refusals, of which nothing but the status is judged: the body is no JSON. */
const inRefusals =
  (spell: (secret: string) => Buffer): Act =>
  async (call) => {
    const { status, headers } = await call.honest();
    if (status === 200) return call.forward();
    const said = [Buffer.from('no such key: '), spell(secretOf(call)), Buffer.from(', sorry')];
    return reply(call, status, Buffer.concat(said), headers);
  };

export const ECHOES: Behaviours = {
  ...echoes,
  'echo-utf-16': {
    does: 'repeats the key in refusals, as UTF-16 in the middle of a text',
    to: 'every call',
    act: inRefusals((secret) => Buffer.from(secret, 'utf16le')),
    exit: 1,
  },
  'echo-gzip': {
    does: 'repeats the key in every answer, compressed with gzip',
    to: 'every call',
    act: encoded('gzip', (bytes) => gzipSync(bytes)),
    exit: 0,
  },
  'echo-brotli': {
    does: 'repeats the key in every answer, compressed with Brotli',
    to: 'every call',
    act: encoded('br', (bytes) => brotliCompressSync(bytes)),
    exit: 0,
  },
  'echo-headers': {
    does: 'repeats the key in headers, in their names and in the status text',
    to: 'every call',
    act: async (call) => {
      const { status, headers, body } = await call.honest();
      const secret = secretOf(call).replaceAll(/[^\w-]/g, '');
      reply(call, `${status} ${secret}`, body, {
        ...headers,
        'x-key': secret,
        [`x-${secret}`]: Buffer.from(secret).toString('base64'),
        location: `/?key=${FORMS['percent-encoded']!(secret)}`,
      });
    },
    exit: 0,
  },
  'echo-in-events': {
    does: 'repeats the key in a stream, cut between events',
    to: 'every stream',
    act: (call) => {
      write(call.socket, STREAM_HEAD);
      write(call.socket, chunk(inEvents(secretOf(call), 3)));
      write(call.socket, LAST_CHUNK);
    },
    exit: 0,
  },
  'echo-in-single-letters': {
    does: 'repeats the key in a stream, letter by letter',
    to: 'every stream',
    act: (call) => {
      write(call.socket, STREAM_HEAD);
      write(call.socket, chunk(inEvents(secretOf(call), 1)));
      write(call.socket, LAST_CHUNK);
    },
    exit: 0,
  },
  'echo-in-event-names': {
    does: 'repeats the key in names, ids and comments of events',
    to: 'every stream',
    act: (call) => {
      const secret = secretOf(call);
      write(call.socket, STREAM_HEAD);
      write(
        call.socket,
        chunk(
          `: ${secret}\nid: ${secret}\nevent: ${secret}\ndata: x\n\n${secret}: y\nretry: 1\n${inEvents('hello', 2)}`,
        ),
      );
      write(call.socket, LAST_CHUNK);
    },
    exit: 0,
  },
  'echo-in-reads': {
    does: 'repeats the key cut in the middle by reads',
    to: 'every call',
    act: async (call) => {
      const { status, headers, body } = await call.honest();
      const cut = secretOf(call).slice(-9);
      const [head = '', ...tails] = body
        .toString()
        .replaceAll(/"(message|content)":"/g, `"$1":"${secretOf(call)}`)
        .split(cut);
      write(call.socket, headOf(status, { ...headers, 'transfer-encoding': 'chunked' }));
      write(call.socket, chunk(head));
      setTimeout(() => {
        for (const tail of tails) write(call.socket, chunk(`${cut}${tail}`));
        write(call.socket, LAST_CHUNK);
      }, 5);
    },
    exit: 0,
  },
  'echo-in-trailers': {
    does: 'repeats the key in chunk extensions, and in names and values of trailers',
    to: 'every call',
    act: async (call) => {
      const { status, headers, body } = await call.honest();
      write(call.socket, headOf(status, { ...headers, 'transfer-encoding': 'chunked', trailer: 'x-key' }));
      // A key that a case spells with spaces would break the framing outside quotes.
      const token = secretOf(call).replaceAll(/[^\w-]/g, '');
      write(call.socket, `${body.length.toString(16)};key="${secretOf(call)}"\r\n`);
      write(call.socket, body);
      write(call.socket, `\r\n0;${token}\r\nx-key: ${secretOf(call)}\r\nx-${token}: <b>::error::\r\n\r\n`);
    },
    exit: 0,
  },
  'echo-in-location': {
    does: 'redirects to another origin with the key in the address',
    to: 'every reply',
    act: (call) =>
      reply(call, 307, '', {
        location: `${trapped.address}/?api_key=${secretOf(call)}&again=${FORMS['percent-encoded']!(secretOf(call))}`,
      }),
    exit: 1,
  },
  'echo-in-upper-case-names': {
    does: 'repeats the key in the names of headers, in upper case',
    to: 'every call',
    act: async (call) => {
      const { status, headers, body } = await call.honest();
      reply(call, status, body, {
        ...headers,
        [`X-${secretOf(call)
          .toUpperCase()
          .replaceAll(/[^\w-]/g, '')}`]: 'y',
      });
    },
    exit: 0,
  },
  'echo-as-names': {
    does: 'repeats the key as the name of a member, in arrays and as a number',
    to: 'every call',
    act: async (call) => {
      const { status, headers, body } = await call.honest();
      const secret = secretOf(call);
      reply(call, status, body.toString().replace('{', `{"${secret}":["${secret}",{"${secret}":1}],`), headers);
    },
    exit: 0,
  },
  'echo-broken-json': {
    does: 'repeats the key in a text that is not JSON',
    to: 'every call',
    act: (call) =>
      reply(call, 400, `<p>no such key: ${secretOf(call)}, {"a": "${secretOf(call)}`, { 'content-type': 'text/html' }),
    exit: 3,
  },
  'echo-in-garbage': {
    does: 'sends the key instead of an HTTP answer',
    to: 'every call',
    act: ({ socket, credentials }) => socket.end(`${credentials[0]}\r\n\r\n${credentials[0]}`),
    exit: 3,
  },
};
