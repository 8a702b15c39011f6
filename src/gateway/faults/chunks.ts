/** Faults in the chunks of a stream, which common clients rely on (parts 1, 4). */
import { all, alter, chunkAt, drop, eventAt, insertChunk, insertEvent, put } from '../change.ts';
import { type JsonObject, isObject } from '../json.ts';
import { type Fault, fault } from '../modifier.ts';

const CHOICE = '/choices/0';
const DELTA = '/choices/0/delta';

const USAGE = { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 };

/** Changes the chunks between the first, which has the role, and the last. */
const contentChunks =
  (change: (chunk: JsonObject, index: number) => JsonObject) =>
  (chunks: readonly JsonObject[]): readonly JsonObject[] =>
    chunks.map((chunk, index) => (index === 0 || index === chunks.length - 1 ? chunk : change(chunk, index)));

/** Splits an event in the middle of its JSON. */
const split = (text: string, between: string): string => {
  const middle = text.length >> 1;
  return text.slice(0, middle) + between + text.slice(middle);
};

export const CHUNKS_FAULTS = {
  'stream-comment-as-data': fault('A keep-alive comment is sent as a data event', 'stream.data-json', {
    source: 'https://github.com/mnfst/llm-gateway/issues/2053',
    events: insertEvent(1, 'data: : OPENROUTER PROCESSING\n\n'),
  }),
  'stream-heartbeat-splits-event': fault(
    'A heartbeat comment splits an event',
    ['stream.data-json', 'stream.block-data'],
    {
      source: 'https://github.com/router-for-me/CLIProxyAPI/issues/4047',
      events: eventAt(1, (text) => split(text, '\n\n: keep-alive\n\n')),
    },
  ),
  'stream-data-python': fault('A chunk is a Python literal instead of JSON', 'stream.data-json', {
    events: eventAt(1, (text) => text.replaceAll('"', "'").replaceAll('null', 'None')),
  }),
  'stream-keepalive-json-event': fault(
    'A heartbeat is sent as a JSON data event',
    ['stream.chunk-object', 'stream.chunk-id', 'stream.chunk-model', 'stream.chunk-choices'],
    {
      source: 'https://github.com/Prism-Shadow/agenthub/pull/174',
      events: insertEvent(2, 'data: {"type":"keepalive","sequence_number":3}\n\n'),
    },
  ),
  'stream-data-empty': fault('An event has empty data', 'stream.data-not-empty', {
    events: insertEvent(1, 'data:\n\n'),
  }),
  'stream-object-wrong': fault('object of the chunks is chat.completion', 'stream.chunk-object', {
    source: 'https://github.com/microsoft/foundry-local/issues/31',
    chunk: put('/object', 'chat.completion'),
  }),
  'stream-object-missing': fault('Chunks have no object', 'stream.chunk-object', { chunk: drop('/object') }),
  'stream-last-object-empty': fault('object of the last chunk is an empty string', 'stream.chunk-object', {
    chunks: chunkAt(-1, put('/object', '')),
  }),
  'stream-id-empty': fault('id of the chunks is an empty string', 'stream.chunk-id', {
    source: 'https://github.com/huggingface/text-generation-inference/issues/1782',
    chunk: put('/id', ''),
  }),
  'stream-id-missing': fault('Chunks have no id', 'stream.chunk-id', { chunk: drop('/id') }),
  'stream-id-number': fault('id of the chunks is a number', 'stream.chunk-id', { chunk: put('/id', 7) }),
  'stream-id-changes': fault('Each chunk has an id of its own', 'stream.id-constant', {
    chunk: (chunk, at) => put('/id', `chunk-${at}`)(chunk),
  }),
  'stream-last-id-differs': fault('The last chunk has a different id', 'stream.id-constant', {
    chunks: chunkAt(-1, put('/id', 'chatcmpl-last')),
  }),
  'stream-model-null': fault('model of the chunks is null', 'stream.chunk-model', {
    source: 'https://github.com/microsoft/foundry-local/issues/144',
    chunk: all(put('/model', null), put(`${CHOICE}/message`, { role: 'assistant', content: '' })),
  }),
  'stream-model-empty': fault('model of the chunks is an empty string', 'stream.chunk-model', {
    chunk: put('/model', ''),
  }),
  'stream-model-missing': fault('Chunks have no model', 'stream.chunk-model', { chunk: drop('/model') }),
  'stream-choices-key-missing': fault('The last chunk has usage and no choices', 'stream.chunk-choices', {
    source: 'https://github.com/langchain-ai/langchain/pull/28624',
    chunks: insertChunk(-1, (chunk) => drop('/choices')({ ...chunk, usage: USAGE })),
  }),
  'stream-choices-null': fault('choices of the last chunk is null', 'stream.chunk-choices', {
    chunks: insertChunk(-1, (chunk) => ({ ...chunk, choices: null, usage: USAGE })),
  }),
  'stream-choice-index-grows': fault('index of the choice counts tokens', 'stream.choice-index', {
    source: 'https://github.com/microsoft/foundry-local/issues/144',
    chunk: (chunk, at) => put(`${CHOICE}/index`, at)(chunk),
  }),
  'stream-choice-index-missing': fault('The choices of chunks have no index', 'stream.choice-index', {
    chunk: drop(`${CHOICE}/index`),
  }),
  'stream-choice-index-one': fault('The only choice has index 1', 'stream.choice-index', {
    chunk: put(`${CHOICE}/index`, 1),
  }),
  'stream-choice-index-of-last': fault(
    'The last chunk gives the only choice a different index',
    'stream.choice-index',
    { chunks: chunkAt(-1, put(`${CHOICE}/index`, 1)) },
  ),
  'stream-choice-without-delta': fault(
    'A choice has no delta',
    ['stream.choice-delta', 'stream.chunk-id', 'stream.chunk-model'],
    {
      source: 'https://github.com/microsoft/autogen/issues/6465',
      chunks: insertChunk(-2, (chunk) => ({
        ...chunk,
        id: '',
        model: '',
        choices: [{ index: 0, finish_reason: null, content_filter_results: {} }],
      })),
    },
  ),
  'stream-delta-null': fault('delta of the last chunk is null', 'stream.choice-delta', {
    chunks: chunkAt(-1, put(DELTA, null)),
  }),
  'stream-message-in-place-of-delta': fault(
    'Choices have message instead of delta',
    ['stream.choice-delta', 'stream.carries-text'],
    {
      chunks: contentChunks(
        alter(CHOICE, (choice) => {
          if (!isObject(choice)) return choice;
          const { delta = null, ...rest } = choice;
          return { ...rest, message: delta };
        }),
      ),
    },
  ),
  'stream-content-array': fault('delta.content is a list of parts', 'stream.delta-content', {
    source: 'https://github.com/vercel/ai/pull/4820',
    chunks: insertChunk(2, (chunk) => ({
      ...chunk,
      choices: [{ index: 0, delta: { content: [{ type: 'reference', reference_ids: [1] }] }, finish_reason: null }],
    })),
  }),
  'stream-content-number': fault('delta.content is a number', 'stream.delta-content', {
    chunks: chunkAt(1, put(`${DELTA}/content`, 42)),
  }),
  'stream-role-missing': fault('No delta has a role', 'stream.role-first', { chunk: drop(`${DELTA}/role`) }),
  'stream-role-late': fault('The role comes only in the last delta', 'stream.role-first', {
    chunks: (chunks) => chunkAt(-1, put(`${DELTA}/role`, 'assistant'))(chunkAt(0, drop(`${DELTA}/role`))(chunks)),
  }),
  'stream-role-emptied': fault('Later deltas have an empty role', 'stream.role-first', {
    chunks: contentChunks(put(`${DELTA}/role`, '')),
  }),
  'stream-role-user': fault('The role of the first delta is user', 'stream.role-first', {
    chunks: chunkAt(0, put(`${DELTA}/role`, 'user')),
  }),
  'stream-cumulative': fault('Each delta repeats the whole text so far', 'stream.increments', {
    chunks: (chunks) => {
      let text = '';
      return chunks.map(
        alter(`${DELTA}/content`, (content) => {
          if (typeof content !== 'string') return content;
          text += content;
          return text;
        }),
      );
    },
  }),
  'stream-utf8-corrupted': fault('Multi-byte characters are replaced by U+FFFD', 'stream.no-replacement-character', {
    source: 'https://github.com/api7/aisix/issues/111',
    chunks: (chunks) => chunkAt(1, put(`${DELTA}/content`, 'mar\uFFFD\uFFFDe'))(chunks),
  }),
  'stream-character-in-halves': fault('A character is split into two halves', 'stream.whole-characters', {
    only: ({ streamed }) => streamed,
    reply: (reply) => (reply.pieces.length < 4 ? reply : { pieces: reply.pieces.toSpliced(1, 2, ' \uD83C', '\uDF0A') }),
  }),
  'stream-finish-stop-everywhere': fault(
    'finish_reason is stop in every chunk',
    ['stream.finish-once', 'choice.finish-length'],
    {
      source: 'https://github.com/lhenault/simpleAI/issues/39',
      chunk: put(`${CHOICE}/finish_reason`, 'stop'),
    },
  ),
  'stream-finish-empty-until-end': fault(
    'finish_reason is an empty string before the last chunk',
    'stream.finish-once',
    { chunks: contentChunks(put(`${CHOICE}/finish_reason`, '')) },
  ),
  'stream-finish-twice': fault('Two chunks finish the same choice', 'stream.finish-once', {
    chunks: (chunks) => [...chunks, ...chunks.slice(-1)],
  }),
  'stream-finish-missing': fault('No chunk has a finish_reason', 'stream.finishes', {
    chunks: (chunks) => chunks.slice(0, -1),
  }),
  'stream-text-after-finish': fault('Text comes after finish_reason', 'stream.nothing-after-finish', {
    chunks: (chunks) => [...chunks, ...chunks.slice(1, 2)],
  }),
  'stream-choice-error': fault('A choice of a chunk contains an error', 'stream.no-choice-error', {
    chunks: chunkAt(-1, put(`${CHOICE}/error`, { message: 'The provider went away.', code: 502 })),
  }),
  'stream-lines-of-text': fault(
    'Tokens are sent as plain text instead of chunks',
    ['stream.has-choices', 'stream.data-json'],
    {
      event: (text) => (text.includes('[DONE]') ? text : `data: ${/"content":"([^"]+)"/.exec(text)?.[1] ?? 'ok'}\n\n`),
    },
  ),
} satisfies Record<string, Fault>;
