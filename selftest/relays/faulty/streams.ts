/** Relays that misread, alter, lose or delay streams. */
import { type ClientCall, type FaultyRelay, faultyRelay, type JsonMap } from '../relay-modifier.ts';
import { refuseEvents, refuseText } from '../misread-events.ts';
import { readRelayEvents } from '../read-events.ts';
import { choicesIn, textOf, withChoices, withChunkText } from '../rewrite.ts';

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
    {
      async *readEvents(bytes) {
        const decoder = new TextDecoder();
        let rest = '';
        for await (const part of bytes) {
          const blocks = (rest + decoder.decode(part, { stream: true })).split('\n\n');
          rest = blocks.pop() ?? '';
          for (const block of blocks) {
            const data = block.split('\n').flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trim()] : []));
            if (data.length > 0) yield { name: '', data: data.join('\n') };
          }
        }
      },
    },
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
    readEvents: refuseEvents(({ data }) => data.length > 64 * 1024),
  }),
  'relay-refuses-message-events': faultyRelay('An event that has a name is a failure', ['understood', 'odd-forms'], {
    readEvents: refuseEvents(({ name }) => name !== '' && name !== 'error'),
  }),
  'relay-refuses-chunk-fields': faultyRelay('An unknown field of a chunk is a failure', 'understood', {
    chunk(chunk) {
      if ('x_new' in chunk) throw new Error('unknown field');
      return [chunk];
    },
  }),
  'relay-needs-a-choice': faultyRelay('A chunk without choices is a failure', 'understood', {
    chunk(chunk) {
      if (choicesIn(chunk).length === 0) throw new Error('no choice');
      return [chunk];
    },
  }),
  'relay-drops-text-with-finish': faultyRelay('Text in the chunk with finish_reason is lost', 'text', {
    chunk: (chunk) => [
      withChoices(chunk, (choice) => (typeof choice['finish_reason'] === 'string' ? { ...choice, delta: {} } : choice)),
    ],
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
      const sofar = addText(call, chunk);
      return withChunkText(() => sofar)(chunk);
    },
  }),
  'relay-joins-choices': faultyRelay('The texts of all streamed choices are joined', 'text', {
    chunk: (chunk) => [withChoices(chunk, (choice) => ({ ...choice, index: 0 }))],
  }),
  'relay-streams-reasoning-as-text': faultyRelay('Streamed reasoning becomes part of the text', 'text', {
    chunk: (chunk) => [
      withChoices(chunk, (choice) => {
        const thought = choice.delta?.['reasoning_content'];
        return typeof thought === 'string' ? { ...choice, delta: { content: thought } } : choice;
      }),
    ],
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
    chunk: (chunk) => [
      withChoices(chunk, (choice) =>
        typeof choice['finish_reason'] === 'string' ? { ...choice, finish_reason: 'stop' } : choice,
      ),
    ],
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
