/** Clients that misread bytes, HTTP or events. */
import type { RelayEvent } from '../../relays/relay-modifier.ts';
import { type FaultyClient, faultyClient } from '../client-modifier.ts';
import { addChunk } from '../small-client.ts';

type Bytes = AsyncIterable<Buffer>;

/** Parts of the text, however the bytes were cut. */
async function* readBlocks(bytes: Bytes, separator: RegExp | string): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of bytes) {
    const blocks = (rest + decoder.decode(part, { stream: true })).split(separator);
    rest = blocks.pop() ?? '';
    yield* blocks;
  }
  if (rest !== '') yield rest;
}

/** The lines up to each empty one. */
async function* joinLines(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let block: string[] = [];
  for await (const line of lines) {
    if (line !== '') block.push(line);
    else {
      yield block.join('\n');
      block = [];
    }
  }
  yield block.join('\n');
}

/** One event per block, which has nothing but data lines that are read by `dataOf`. */
async function* readData(
  blocks: AsyncIterable<string>,
  dataOf: (line: string) => string | undefined,
): AsyncGenerator<RelayEvent> {
  for await (const block of blocks) {
    const lines = block.split('\n').flatMap((line) => dataOf(line) ?? []);
    if (lines.length > 0) yield { name: '', data: lines.join('\n') };
  }
}

function afterPrefix(prefix: string): (line: string) => string | undefined {
  return (line) => (line.startsWith(prefix) ? line.slice(prefix.length).trim() : undefined);
}

/** Every part on its own, so that a character that was cut in two is lost. */
async function* decodeEach(bytes: Bytes): AsyncGenerator<Buffer> {
  for await (const part of bytes) yield Buffer.from(part.toString());
}

/** The byte order mark becomes a letter, which no decoder leaves out. */
async function* keepMark(bytes: Bytes): AsyncGenerator<Buffer> {
  for await (const part of bytes) yield Buffer.from(part.toString('latin1').replace(/^\xEF\xBB\xBF/, 'x'), 'latin1');
}

/** Data that is not JSON is skipped. */
async function* readWholes(bytes: Bytes): AsyncGenerator<RelayEvent> {
  for await (const part of bytes) {
    for (const data of part
      .toString()
      .split(/\r\n|\r|\n/)
      .flatMap((line) => afterPrefix('data:')(line) ?? [])) {
      if (data === '[DONE]' || data.endsWith('}')) yield { name: '', data };
    }
  }
}

/** Passes the events on, or throws for one that it does not like. */
async function* refuseLines(bytes: Bytes, isRefused: (line: string) => boolean): AsyncGenerator<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of bytes) parts.push(part);
  const whole = Buffer.concat(parts);
  if (
    whole
      .toString()
      .split(/\r\n|\r|\n/)
      .some(isRefused)
  )
    throw new Error('A line cannot be read.');
  yield whole;
}

const ONLY_STREAMS = (type: string | undefined): boolean => type?.startsWith('text/event-stream') ?? false;

export const READING_CLIENTS = {
  'client-splits-at-blank-lines': faultyClient('Events are split at two LFs only', 'event-grammar', {
    readEvents: (bytes) => readData(readBlocks(bytes, '\n\n'), afterPrefix('data:')),
  }),
  'client-lf-and-crlf': faultyClient('A lone CR is not a line end', 'event-grammar', {
    readEvents: (bytes) => readData(readBlocks(bytes, /\r?\n/), afterPrefix('data:')),
  }),
  'client-crlf-is-two-line-ends': faultyClient(
    'A CRLF is two line ends, the second of an empty line',
    'event-grammar',
    {
      readEvents: (bytes) => readData(joinLines(readBlocks(bytes, /\r|\n/)), afterPrefix('data:')),
    },
  ),
  'client-cut-crlf-is-two-line-ends': faultyClient(
    'A CRLF that the network cuts apart is two line ends',
    'event-grammar',
    { readEvents: (bytes) => readData(joinLines(readBlocks(bytes, /\r\n|\r|\n/)), afterPrefix('data:')) },
  ),
  'client-needs-space': faultyClient('data: without a space is passed over', 'event-grammar', {
    bytes: (bytes, { headers }) => (ONLY_STREAMS(headers['content-type']) ? withoutLines(bytes, /^data:(?! )/) : bytes),
  }),
  'client-byte-order-mark': faultyClient('A byte order mark is part of the first field', 'event-grammar', {
    bytes: (bytes, { headers }) => (ONLY_STREAMS(headers['content-type']) ? keepMark(bytes) : bytes),
  }),
  'client-decodes-each-part': faultyClient(
    'Every part of a body is decoded on its own',
    ['event-grammar', 'http-and-json'],
    { bytes: decodeEach },
  ),
  'client-read-is-whole': faultyClient('Every read is taken for whole events', 'event-grammar', {
    readEvents: readWholes,
  }),
  'client-comments-are-errors': faultyClient('A comment in a stream is an error', 'event-grammar', {
    bytes: (bytes, { headers }) =>
      ONLY_STREAMS(headers['content-type']) ? refuseLines(bytes, (line) => line.startsWith(':')) : bytes,
  }),
  'client-retry-is-an-error': faultyClient('A retry field is an error', 'event-grammar', {
    bytes: (bytes, { headers }) =>
      ONLY_STREAMS(headers['content-type']) ? refuseLines(bytes, (line) => line.startsWith('retry')) : bytes,
  }),
  'client-names-are-errors': faultyClient('An event with a name is an error', 'event-grammar', {
    inspectEvent: ({ name }) => {
      if (name !== '') throw new Error(`Unknown event ${name}.`);
    },
  }),
  'client-long-lines-are-errors': faultyClient('A line of more than 64 KiB is an error', 'event-grammar', {
    inspectEvent: ({ data }) => {
      if (data.length > 65_536) throw new Error('The line is too long.');
    },
  }),
  'client-trims-text': faultyClient('The text is trimmed', ['event-grammar', 'http-and-json'], {
    text: (text) => text.trim(),
  }),
  'client-trims-deltas': faultyClient('Deltas are trimmed', 'streamed-reply', {
    chunk: (chunk, reply) => {
      const before = reply.text;
      addChunk(chunk, reply);
      reply.text = before + reply.text.slice(before.length).trim();
    },
  }),
  'client-first-delta': faultyClient('Only the first delta with text is kept', 'streamed-reply', {
    chunk: (chunk, reply) => {
      const before = reply.text;
      addChunk(chunk, reply);
      reply.text = before === '' ? reply.text : before;
    },
  }),
  'client-skips-repeated-deltas': faultyClient('A delta like the one before it is dropped', 'streamed-reply', {
    chunk: (chunk, reply) => {
      const before = reply.text;
      addChunk(chunk, reply);
      const added = reply.text.slice(before.length);
      if (added !== '' && before.endsWith(added)) reply.text = before;
    },
  }),
  'client-never-returns': faultyClient(
    'The client never returns, although the stream was closed after [DONE]',
    'streamed-reply',
    { waitsForClose: true, text: (text, { mode }) => (mode === 'stream' ? new Promise<string>(() => {}) : text) },
  ),
  'client-exact-content-type': faultyClient('JSON with a charset in its label is an error', 'http-and-json', {
    inspect: ({ headers, status }) => {
      const type = headers['content-type'];
      if (status === 200 && !ONLY_STREAMS(type) && type !== 'application/json') throw new Error(`Unknown ${type}.`);
    },
  }),
  'client-packed-as-text': faultyClient('The client accepts gzip and cannot unpack it', 'http-and-json', {
    headers: (usual) => ({ ...usual, 'accept-encoding': 'gzip' }),
  }),
  'client-needs-length': faultyClient('A plain answer without Content-Length is an error', 'http-and-json', {
    inspect: ({ headers, status }) => {
      const isStream = ONLY_STREAMS(headers['content-type']);
      if (status === 200 && !isStream && headers['content-length'] === undefined) throw new Error('No length.');
    },
  }),
} satisfies Record<string, FaultyClient>;

async function* withoutLines(bytes: Bytes, pattern: RegExp): AsyncGenerator<Buffer> {
  for await (const line of readBlocks(bytes, '\n')) if (!pattern.test(line)) yield Buffer.from(`${line}\n`);
}
