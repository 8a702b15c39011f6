/** Clients that misread answers: their values, their bytes and their events. */
import type { RelayEvent } from '../relays/relay-modifier.ts';
import { dataOf, readBlocks, readData } from '../relays/read-events.ts';
import { type ClientModifier, type FaultyClient, faultyClient, type WireValue } from './client-modifier.ts';
import { addChunk } from './small-client.ts';

/** Adds something else than the text of a chunk. */
function addInstead(change: (added: string, before: string) => string): NonNullable<ClientModifier['chunk']> {
  return (chunk, reply) => {
    const before = reply.text;
    addChunk(chunk, reply);
    reply.text = before + change(reply.text.slice(before.length), before);
  };
}

const KNOWN = ['id', 'object', 'created', 'model', 'choices', 'usage', 'data', 'error', 'system_fingerprint'];
const MODEL = ['id', 'object', 'created', 'owned_by'];
const CHOICE = ['index', 'message', 'delta', 'finish_reason'];
const FINISH_REASONS = ['stop', 'length', 'content_filter', 'tool_calls'];

const OWNERS = ['reference', 'openai', 'system'];
const ERROR_TYPES = [
  'authentication_error',
  'invalid_request_error',
  'permission_error',
  'quota_error',
  'rate_limit_error',
  'server_error',
];

/** Undefined for what is not JSON, such as the page of a proxy. */
function parseError(body: string): WireValue | undefined {
  try {
    return JSON.parse(body) as WireValue;
  } catch {
    return undefined;
  }
}

function hasOnly(value: object | undefined | null, known: readonly string[]): boolean {
  return Object.keys(value ?? {}).every((name) => known.includes(name));
}

function firstText({ choices }: WireValue): string {
  return choices?.[0]?.message?.content ?? '';
}

export const VALUE_CLIENTS = {
  'client-strict-at-top': faultyClient('Unknown fields of a reply, a chunk or a list are an error', 'unknown-fields', {
    refusesValue: (value) => !hasOnly(value, KNOWN),
  }),
  'client-strict-usage': faultyClient('Unknown fields of usage are an error', 'unknown-fields', {
    refusesValue: ({ usage }) => !hasOnly(usage, ['prompt_tokens', 'completion_tokens', 'total_tokens']),
  }),
  'client-strict-models': faultyClient('Unknown fields of a model are an error', 'unknown-fields', {
    refusesValue: ({ data = [] }) => !data.every((model) => hasOnly(model, MODEL)),
  }),
  'client-strict-choices': faultyClient(
    'Unknown fields of a choice, its message or its delta are an error',
    'unknown-fields',
    {
      refusesValue: ({ choices = [] }) =>
        choices.some((each) => !hasOnly(each, CHOICE) || !hasOnly(each.message ?? each.delta, ['role', 'content'])),
    },
  ),
  'client-strict-errors': faultyClient('An error body with unknown fields is an empty reply', 'unknown-fields', {
    failure: ({ kind, message }) => {
      const body = kind === 'status' ? parseError(message) : undefined;
      const isKnown = hasOnly(body, ['error']) && hasOnly(body?.error, ['message', 'type', 'code', 'param']);
      return isKnown ? undefined : '';
    },
  }),
  'client-known-models': faultyClient('Models of a different family are left out of the list', 'new-models', {
    list: (ids) => ids.filter((id) => /^sea-\w+$/.test(id)),
  }),
  'client-first-hundred-models': faultyClient('Only the first hundred models are listed', 'new-models', {
    list: (ids) => ids.slice(0, 100),
  }),
  'client-first-model': faultyClient('Only the first model is listed', 'model-list', {
    list: (ids) => ids.slice(0, 1),
  }),
  'client-finish-reason-enum': faultyClient('A new finish_reason is an error', 'unknown-values', {
    refusesValue: ({ choices = [] }) =>
      choices.some(({ finish_reason: reason }) => typeof reason === 'string' && !FINISH_REASONS.includes(reason)),
  }),
  'client-owner-enum': faultyClient('A new owner of a model is an error', 'unknown-values', {
    refusesValue: ({ data = [] }) => data.some(({ owned_by: owner }) => owner !== undefined && !OWNERS.includes(owner)),
  }),
  'client-error-type-enum': faultyClient('An error of a new type is an empty reply', 'unknown-values', {
    failure: ({ kind, message }) => {
      const type = kind === 'status' ? parseError(message)?.error?.type : undefined;
      return type === undefined || ERROR_TYPES.includes(type) ? undefined : '';
    },
  }),
  'client-needs-usage': faultyClient('A reply without usage is an error', 'optional-fields', {
    reply: (reply) => {
      if (!reply.usage) throw new Error('usage is missing.');
      return firstText(reply);
    },
  }),
  'client-needs-index': faultyClient('The text is that of the choice with index 0', 'optional-fields', {
    reply: ({ choices = [] }) => choices.find(({ index }) => index === 0)?.message?.content ?? '',
  }),
  'client-needs-owner': faultyClient('A model without an owner is an error', 'optional-fields', {
    refusesValue: ({ data = [] }) => data.some(({ owned_by: owner }) => owner === undefined),
  }),
  'client-null-as-text': faultyClient('content: null becomes the text null', 'optional-fields', {
    chunk: (chunk, reply) => {
      const delta = chunk.choices?.[0]?.delta ?? {};
      if (delta.content === null) reply.text += 'null';
      addChunk(chunk, reply);
    },
  }),
  'client-needs-role': faultyClient('Text before a role is dropped', 'optional-fields', {
    chunk: (chunk, reply) => {
      const isOpen = roles.has(reply) || chunk.choices?.some(({ delta }) => typeof delta?.role === 'string');
      if (isOpen) roles.add(reply);
      const before = reply.text;
      addChunk(chunk, reply);
      if (!isOpen) reply.text = before;
    },
  }),
  'client-last-choice': faultyClient('The text is that of the last choice', 'further-contents', {
    reply: ({ choices = [] }) => choices.at(-1)?.message?.content ?? '',
  }),
  'client-all-choices': faultyClient('Streamed choices are mixed', 'further-contents', {
    chunk: (chunk, reply) =>
      addChunk({ choices: (chunk.choices ?? []).map((choice) => ({ ...choice, index: 0 })) }, reply),
  }),
  'client-needs-choices': faultyClient('An empty list of choices is an error', 'further-contents', {
    refusesValue: ({ choices }) => choices?.length === 0,
  }),
  'client-dies-of-empty-choices': faultyClient('The driver dies of an empty list of choices', 'further-contents', {
    only: ['client/plain', 'client/stream', 'client/stream-crlf', 'client/stream-usage-chunk', 'client/models'],
    refusesValue: ({ choices }) => choices?.length === 0,
    diesOfFailures: true,
  }),
  'client-reasoning-as-text': faultyClient('Reasoning is part of the text', 'further-contents', {
    reply: (reply) => (reply.choices?.[0]?.message?.reasoning_content ?? '') + firstText(reply),
  }),
  'client-first-line': faultyClient('Only the first line of a plain reply is kept', ['plain-reply', 'http-and-json'], {
    reply: (reply) => firstText(reply).split('\n')[0] ?? '',
  }),
  'client-error-words': faultyClient('A plain text with the word error is taken for one', 'http-and-json', {
    reply: (reply) => {
      const text = firstText(reply);
      if (text.includes('"error"')) throw new Error(text);
      return text;
    },
  }),
} satisfies Record<string, FaultyClient>;

/** Replies in which a role has been seen. */
const roles = new WeakSet<object>();

type Bytes = AsyncIterable<Buffer>;

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

/** Every part on its own, so that a character that was cut in two is lost. */
async function* decodeEach(bytes: Bytes): AsyncGenerator<Buffer> {
  for await (const part of bytes) yield Buffer.from(part.toString());
}

/** The byte order mark becomes a letter, which no decoder leaves out. */
async function* keepMark(bytes: Bytes): AsyncGenerator<Buffer> {
  for await (const part of bytes) yield Buffer.from(part.toString('latin1').replace(/^\xEF\xBB\xBF/, 'x'), 'latin1');
}

const linesOf = (bytes: Buffer): readonly string[] => bytes.toString().split(/\r\n|\r|\n/);

/** Data that is not JSON is skipped. */
async function* readWholes(bytes: Bytes): AsyncGenerator<RelayEvent> {
  for await (const part of bytes) {
    for (const data of linesOf(part).flatMap((line) => dataOf(line) ?? [])) {
      if (data === '[DONE]' || data.endsWith('}')) yield { name: '', data };
    }
  }
}

/** Passes the events on, or throws for one that it does not like. */
async function* refuseLines(bytes: Bytes, isRefused: (line: string) => boolean): AsyncGenerator<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of bytes) parts.push(part);
  const whole = Buffer.concat(parts);
  if (linesOf(whole).some(isRefused)) throw new Error('A line cannot be read.');
  yield whole;
}

function isStreamType(type: string | undefined): boolean {
  return type?.startsWith('text/event-stream') ?? false;
}

/** Changes the bytes of streams only. */
function ofStreams(change: (bytes: Bytes) => Bytes): NonNullable<ClientModifier['bytes']> {
  return (bytes, { headers }) => (isStreamType(headers['content-type']) ? change(bytes) : bytes);
}

export const READING_CLIENTS = {
  'client-splits-at-blank-lines': faultyClient('Events are split at two LFs only', 'event-grammar', {
    readEvents: (bytes) => readData(readBlocks(bytes, '\n\n')),
  }),
  'client-lf-and-crlf': faultyClient('A lone CR is not a line end', 'event-grammar', {
    readEvents: (bytes) => readData(readBlocks(bytes, /\r?\n/)),
  }),
  'client-crlf-is-two-line-ends': faultyClient(
    'A CRLF is two line ends, the second of an empty line',
    'event-grammar',
    { readEvents: (bytes) => readData(joinLines(readBlocks(bytes, /\r|\n/))) },
  ),
  'client-cut-crlf-is-two-line-ends': faultyClient(
    'A CRLF that the network cuts apart is two line ends',
    'event-grammar',
    { readEvents: (bytes) => readData(joinLines(readBlocks(bytes, /\r\n|\r|\n/))) },
  ),
  'client-needs-space': faultyClient('data: without a space is passed over', 'event-grammar', {
    bytes: ofStreams((bytes) => withoutLines(bytes, /^data:(?! )/)),
  }),
  'client-byte-order-mark': faultyClient('A byte order mark is part of the first field', 'event-grammar', {
    bytes: ofStreams(keepMark),
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
    bytes: ofStreams((bytes) => refuseLines(bytes, (line) => line.startsWith(':'))),
  }),
  'client-retry-is-an-error': faultyClient('A retry field is an error', 'event-grammar', {
    bytes: ofStreams((bytes) => refuseLines(bytes, (line) => line.startsWith('retry'))),
  }),
  'client-names-are-errors': faultyClient('An event with a name is an error', 'event-grammar', {
    refusesEvent: ({ name }) => name !== '',
  }),
  'client-long-lines-are-errors': faultyClient('A line of more than 64 KiB is an error', 'event-grammar', {
    refusesEvent: ({ data }) => data.length > 65_536,
  }),
  'client-trims-text': faultyClient('The text is trimmed', ['event-grammar', 'http-and-json'], {
    text: (text) => text.trim(),
  }),
  'client-trims-deltas': faultyClient('Deltas are trimmed', 'streamed-reply', {
    chunk: addInstead((added) => added.trim()),
  }),
  'client-first-delta': faultyClient('Only the first delta with text is kept', 'streamed-reply', {
    chunk: addInstead((added, before) => (before === '' ? added : '')),
  }),
  'client-skips-repeated-deltas': faultyClient('A delta like the one before it is dropped', 'streamed-reply', {
    chunk: addInstead((added, before) => (before.endsWith(added) ? '' : added)),
  }),
  'client-never-returns': faultyClient(
    'The client never returns, although the stream was closed after [DONE]',
    'streamed-reply',
    { waitsForClose: true, text: (text, { mode }) => (mode === 'stream' ? new Promise<string>(() => {}) : text) },
  ),
  'client-exact-content-type': faultyClient('JSON with a charset in its label is an error', 'http-and-json', {
    refusesAnswer: ({ headers: { 'content-type': type }, status }) =>
      status === 200 && !isStreamType(type) && type !== 'application/json',
  }),
  'client-packed-as-text': faultyClient('The client accepts gzip and cannot unpack it', 'http-and-json', {
    headers: (usual) => ({ ...usual, 'accept-encoding': 'gzip' }),
  }),
  'client-needs-length': faultyClient('A plain answer without Content-Length is an error', 'http-and-json', {
    refusesAnswer: ({ headers: { 'content-type': type, 'content-length': length }, status }) =>
      status === 200 && !isStreamType(type) && length === undefined,
  }),
} satisfies Record<string, FaultyClient>;

async function* withoutLines(bytes: Bytes, pattern: RegExp): AsyncGenerator<Buffer> {
  for await (const line of readBlocks(bytes, '\n')) if (!pattern.test(line)) yield Buffer.from(`${line}\n`);
}
