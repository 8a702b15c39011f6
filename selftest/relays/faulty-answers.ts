/** Relays that damage replies and streams, or cannot read unusual forms of them. */
import { readBlocks, readData, readInspected, readRelayEvents, refuseText } from './read-events.ts';
import {
  type ClientCall,
  type FaultyRelay,
  faultyRelay,
  type FrontAnswer,
  type JsonMap,
  type RelayEvent,
} from './relay-modifier.ts';
import { choicesIn, messagesIn, textOf, withChoices, withChunkText, without, withReplyText } from './rewrite.ts';
import { jsonAnswer } from './small-relay.ts';

/** Fails on such a reply, chunk or event, as a strict parser does. */
function unless<Read = JsonMap>(isRefused: (value: Read) => boolean): (value: Read) => Read {
  return (value) => {
    if (isRefused(value)) throw new Error('refused');
    return value;
  };
}

/** Changes the text of every plain reply. */
const altersReply = (title: string, change: (text: string) => string): FaultyRelay =>
  faultyRelay(title, 'text', { reply: withReplyText(change) });

const FIELDS = ['id', 'object', 'created', 'model', 'choices', 'usage', 'system_fingerprint', 'service_tier'];
const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const LONGEST = 64 * 1024;
const EMPTY_STREAM: FrontAnswer = { status: 200, headers: { 'Content-Type': 'text/event-stream' }, body: '' };
const PLAIN_REPLY = jsonAnswer(200, {
  choices: [{ index: 0, message: { role: 'assistant', content: 'A reply.' }, finish_reason: 'stop' }],
});

export const ANSWER_RELAYS = {
  'relay-refuses-unknown-fields': faultyRelay('Unknown fields of a plain reply are a failure', 'understood', {
    reply: unless((reply) => Object.keys(reply).some((name) => !FIELDS.includes(name))),
  }),
  'relay-refuses-null-fields': faultyRelay('A field of a plain reply that is null is a failure', 'understood', {
    reply: unless((reply) => Object.values(reply).includes(null)),
  }),
  'relay-needs-every-field': faultyRelay('A plain reply without an id is a failure', 'odd-forms', {
    reply: unless((reply) => typeof reply['id'] !== 'string'),
  }),
  'relay-refuses-empty-text': faultyRelay('A plain reply without text is a failure', 'understood', {
    reply: unless((reply) => choicesIn(reply).some((choice) => textOf(choice) === '')),
  }),
  'relay-does-not-unpack': faultyRelay('Compressed answers are asked for, and not unpacked', 'understood', {
    requestHeaders: (usual) => ({ ...usual, 'Accept-Encoding': 'gzip' }),
    unpacks: false,
  }),
  'relay-trims-replies': altersReply('White space around a plain reply is lost', (text) => text.trim()),
  'relay-normalizes-replies': altersReply('Letters of a plain reply are composed', (text) => text.normalize('NFC')),
  'relay-escapes-markup': altersReply('Markup in a plain reply is escaped', (text) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
  ),
  'relay-replies-in-latin-1': altersReply('Letters beyond Latin-1 become question marks', (text) =>
    text.replaceAll(/[\u0100-\uffff]/g, '?'),
  ),
  'relay-cuts-long-replies': altersReply('A plain reply ends after 64 KiB', (text) => text.slice(0, LONGEST)),
  'relay-reasoning-in-text': faultyRelay('Reasoning is put in front of a plain reply', 'text', {
    reply: withChoices((choice) => ({
      ...choice,
      message: { ...choice.message, content: `${thoughtIn(choice.message)}${textOf(choice)}` },
    })),
  }),
  'relay-last-choice-first': faultyRelay('The last choice of a plain reply becomes the first', 'text', {
    reply: (reply) => ({ ...reply, choices: [{ ...choicesIn(reply).at(-1), index: 0 }] }),
  }),
  'relay-signs-replies': altersReply('A line is added to every plain reply', (text) => `${text}\n\nServed by relay.`),
  'relay-mixes-replies': faultyRelay('A plain call gets the reply of the call before', 'own-reply', {
    only: ['plain', 'plain-l*', 'plain-u*', 'stream', 'parallel'],
    reply(reply, { memory }) {
      const last = memory.get('last') ?? reply;
      memory.set('last', reply);
      return last as JsonMap;
    },
  }),
  'relay-joins-similar-questions': faultyRelay(
    'A question that begins like an earlier one gets its reply',
    'own-reply',
    {
      only: ['plain*'],
      shortcut: ({ body, isStream, memory }) =>
        isStream ? undefined : (memory.get(beginningOf(body)) as FrontAnswer | undefined),
      reply(reply, { body, memory }) {
        // Controls also differ in their words alone; the relay has to get that far.
        if (beginningOf(body).startsWith('Answer in one')) memory.set(beginningOf(body), jsonAnswer(200, reply));
        return reply;
      },
    },
  ),
  'relay-always-stop': faultyRelay('finish_reason is stop in every plain reply', 'finish-reason', {
    reply: withChoices((choice) => ({ ...choice, finish_reason: 'stop' })),
  }),
  'relay-unknown-finish-is-stop': faultyRelay('content_filter becomes stop', 'finish-reason', {
    reply: withChoices((choice) =>
      choice['finish_reason'] === 'content_filter' ? { ...choice, finish_reason: 'stop' } : choice,
    ),
  }),
  'relay-invents-usage': faultyRelay('A plain reply without token counts gets some', 'usage', {
    reply: (reply) => ({ usage: USAGE, ...reply }),
  }),
  'relay-counts-itself': faultyRelay('Token counts of plain replies are the relay’s own', 'usage', {
    reply: (reply) => (reply['usage'] === undefined ? reply : { ...reply, usage: USAGE }),
  }),
  'relay-drops-usage': faultyRelay('Plain replies have no token counts', 'usage', { reply: without('usage') }),
} satisfies Record<string, FaultyRelay>;

function thoughtIn(message: JsonMap = {}): string {
  const thought = message['reasoning_content'];
  return typeof thought === 'string' ? thought : '';
}

function beginningOf(body: JsonMap): string {
  return messagesIn(body)[0]?.content.slice(0, 20) ?? '';
}

function lastLineOf({ name, data }: RelayEvent): RelayEvent {
  return { name, data: data.split('\n').at(-1) ?? '' };
}

export const ODD_FORM_RELAYS = {
  'relay-refuses-retry-blocks': faultyRelay('A block with nothing but a retry line is a failure', 'odd-forms', {
    readEvents: refuseText(/retry: \d+\n\n/),
  }),
  'relay-refuses-lone-cr': faultyRelay('A stream with CR line ends is a failure', 'odd-forms', {
    readEvents: refuseText(/\r[^\n]/),
  }),
  'relay-refuses-named-chunks': faultyRelay('A chunk in an event with a name of its own is a failure', 'odd-forms', {
    event: unless(({ name }) => name === 'chunk'),
  }),
  'relay-refuses-data-without-choices': faultyRelay('Data without choices is a failure', 'odd-forms', {
    event: unless(({ name, data }) => name === '' && data.startsWith('{') && !/"(?:choices|error)"/.test(data)),
  }),
  'relay-one-data-line': faultyRelay('Only the last data line of a block is read', 'odd-forms', { event: lastLineOf }),
  'relay-skips-bad-data': faultyRelay('Only the last data line of a block is read, and others are skipped', 'text', {
    event: (event) => {
      const last = lastLineOf(event);
      return /^(\{.*\}|\[DONE\])$/.test(last.data) ? last : undefined;
    },
    trustsClose: true,
    trustsDone: true,
    only: ['plain', 'stream*'],
  }),
  'relay-drops-named-events': faultyRelay('The data of events with a name is lost', 'text', {
    event: (event) => (['', 'message', 'error'].includes(event.name) ? event : undefined),
    trustsClose: true,
    trustsDone: true,
    only: ['plain', 'stream*'],
  }),
  'relay-needs-done': faultyRelay('A stream without an end marker is a failure', 'odd-forms', {
    async *readEvents(bytes) {
      for await (const event of readRelayEvents(bytes)) {
        yield event;
        if (event.data === '[DONE]') return;
      }
      throw new Error('no end marker');
    },
  }),
  'relay-loses-cr-streams': faultyRelay('A stream with CR line ends becomes an empty reply', 'text', {
    // A CR that no LF follows.
    readEvents: readInspected(
      (text, event) => !/\r[^\n]/.test(text) || event?.data.includes('"finish_reason":"stop"') === true,
    ),
  }),
} satisfies Record<string, FaultyRelay>;

const textsSoFar = new WeakMap<ClientCall, string>();

/** The text of the first choice up to this chunk. */
function addText(call: ClientCall, chunk: JsonMap): string {
  const [choice] = choicesIn(chunk);
  const text = (textsSoFar.get(call) ?? '') + (choice ? textOf(choice) : '');
  textsSoFar.set(call, text);
  return text;
}

const chunkCounts = new WeakMap<ClientCall, number>();

export const STREAM_RELAYS = {
  'relay-splits-at-blank-lines': faultyRelay(
    'A stream is split at two line feeds, so that CRLF and CR are not understood',
    ['understood', 'odd-forms'],
    { readEvents: (bytes) => readData(readBlocks(bytes, '\n\n')) },
  ),
  'relay-decodes-every-read': faultyRelay('A character that is cut by the network is lost', 'text', {
    async *readEvents(bytes) {
      async function* recode(): AsyncGenerator<Uint8Array> {
        for await (const part of bytes) yield Buffer.from(Buffer.from(part).toString());
      }
      yield* readRelayEvents(recode());
    },
  }),
  'relay-needs-space': faultyRelay('Data without a space after the colon is not understood', 'understood', {
    readEvents: refuseText(/data:\{/),
  }),
  'relay-refuses-comments': faultyRelay('A comment in a stream is a failure', ['understood', 'odd-forms'], {
    readEvents: refuseText(/^:/m),
  }),
  'relay-refuses-byte-order-mark': faultyRelay('A byte order mark is a failure', 'understood', {
    readEvents: refuseText(/^\uFEFF/),
  }),
  'relay-refuses-long-lines': faultyRelay('A line of more than 64 KiB is a failure', 'understood', {
    event: unless(({ data }) => data.length > 64 * 1024),
  }),
  'relay-skips-long-lines': faultyRelay('A line of more than 64 KiB is lost', 'text', {
    event: (event) => (event.data.length > 64 * 1024 ? undefined : event),
    only: ['plain', 'stream*'],
  }),
  // As readers of lines do that have a limit and whose error nobody looks at.
  'relay-ends-at-long-lines': faultyRelay('A stream ends in [DONE] before a line of more than 64 KiB', 'text', {
    async *readEvents(bytes) {
      for await (const event of readRelayEvents(bytes)) {
        if (event.data.length > 64 * 1024) return;
        yield event;
      }
    },
    trustsClose: true,
    only: ['plain', 'stream*'],
  }),
  'relay-ends-at-lone-cr': faultyRelay('A stream with CR line ends just closes, without text', 'text', {
    readEvents: refuseText(/\r[^\n]/),
    failure: (_failure, { isStream }, usual) => (isStream ? EMPTY_STREAM : usual),
    only: ['plain', 'stream*'],
  }),
  'relay-answers-odd-streams-plainly': faultyRelay('A stream with CR line ends becomes a JSON reply', 'text', {
    readEvents: refuseText(/\r[^\n]/),
    failure: (_failure, { isStream }, usual) => (isStream ? PLAIN_REPLY : usual),
    only: ['plain', 'stream*'],
  }),
  'relay-refuses-message-events': faultyRelay('An event that has a name is a failure', ['understood', 'odd-forms'], {
    event: unless(({ name }) => name !== '' && name !== 'error'),
  }),
  'relay-refuses-chunk-fields': faultyRelay('An unknown field of a chunk is a failure', 'understood', {
    chunk: unless((each) => 'x_new' in each),
  }),
  'relay-needs-a-choice': faultyRelay('A chunk without choices is a failure', 'understood', {
    chunk: unless((each) => choicesIn(each).length === 0),
  }),
  'relay-drops-text-with-finish': faultyRelay('Text in the chunk with finish_reason is lost', 'text', {
    chunk: withChoices((choice) => (typeof choice['finish_reason'] === 'string' ? { ...choice, delta: {} } : choice)),
  }),
  'relay-drops-last-piece': faultyRelay('The last piece of a stream is lost', 'text', {
    chunk: (chunk) =>
      choicesIn(chunk).some((choice) => textOf(choice).endsWith('here.') && choice['finish_reason'] === null)
        ? []
        : [chunk],
  }),
  'relay-trims-pieces': faultyRelay('White space around every piece is lost', 'text', {
    chunk: withChunkText((text) => text.trim()),
  }),
  'relay-repeats-text': faultyRelay('Every piece of a stream repeats the text so far', 'text', {
    chunk: (chunk, call) => {
      const soFar = addText(call, chunk);
      return withChunkText(() => soFar)(chunk);
    },
  }),
  'relay-joins-choices': faultyRelay('The texts of all streamed choices are joined', 'text', {
    chunk: withChoices((choice) => ({ ...choice, index: 0 })),
  }),
  'relay-streams-reasoning-as-text': faultyRelay('Streamed reasoning becomes part of the text', 'text', {
    chunk: withChoices((choice) => {
      const thought = choice.delta?.['reasoning_content'];
      return typeof thought === 'string' ? { ...choice, delta: { content: thought } } : choice;
    }),
  }),
  'relay-limits-chunks': faultyRelay('A stream ends after 300 chunks', 'text', {
    chunk(chunk, call) {
      const number = (chunkCounts.get(call) ?? 0) + 1;
      chunkCounts.set(call, number);
      return number > 300 && choicesIn(chunk).some((choice) => textOf(choice) !== '') ? [] : [chunk];
    },
  }),
  'relay-mixes-streams': faultyRelay('Parallel streams get pieces of each other', 'own-reply', {
    only: ['stream', 'plain', 'parallel', 'parallel-streams'],
    // Of calls at the same time, the piece at the same place of the text.
    chunk(chunk, call) {
      const before = textsSoFar.get(call)?.length ?? 0;
      const key = `piece ${before} to ${addText(call, chunk).length}`;
      const last = call.memory.get(key) as { readonly at: number; readonly chunk: JsonMap } | undefined;
      call.memory.set(key, { at: performance.now(), chunk });
      return [last && performance.now() - last.at < 50 ? last.chunk : chunk];
    },
  }),
  'relay-streams-always-stop': faultyRelay('finish_reason is stop in every stream', 'finish-reason', {
    chunk: withChoices((choice) =>
      typeof choice['finish_reason'] === 'string' ? { ...choice, finish_reason: 'stop' } : choice,
    ),
  }),
  'relay-drops-streamed-usage': faultyRelay('Token counts of a stream that were asked for are lost', 'usage', {
    chunk: ({ usage: _usage, ...chunk }) => (choicesIn(chunk).length === 0 ? [] : [chunk]),
  }),
  'relay-holds-streams-back': faultyRelay('A stream leaves when it is complete', 'pieces', {
    only: ['plain*', 'stream*', 'break-*'],
    holdBack: Number.POSITIVE_INFINITY,
  }),
  'relay-gathers-pieces': faultyRelay('Pieces are gathered for 1.6 s', 'pieces', {
    only: ['plain', 'stream', 'stream-pieces'],
    holdBack: 1_600,
  }),
} satisfies Record<string, FaultyRelay>;
