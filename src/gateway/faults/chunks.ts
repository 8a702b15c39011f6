/** Faults in the chunks of a stream, which common clients rely on (parts 1, 4). */
import { alter, all, chunkAt, drop, eachChunk, eachEvent, eventAt, insertChunk, insertEvent, put } from '../change.ts';
import { type JsonObject, isObject } from '../json.ts';
import type { Fault } from '../modifier.ts';

const CHOICE = '/choices/0';
const DELTA = '/choices/0/delta';

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
  'stream-comment-as-data': {
    title: 'A keep-alive comment is sent as a data event',
    source: 'https://github.com/mnfst/llm-gateway/issues/2053',
    breaks: ['stream.data-json'],
    events: insertEvent(1, 'data: : OPENROUTER PROCESSING\n\n'),
  },
  'stream-heartbeat-splits-event': {
    title: 'A heartbeat comment splits an event',
    source: 'https://github.com/router-for-me/CLIProxyAPI/issues/4047',
    breaks: ['stream.data-json'],
    events: eventAt(1, (text) => split(text, '\n\n: keep-alive\n\n')),
  },
  'stream-data-python': {
    title: 'A chunk is a Python literal instead of JSON',
    breaks: ['stream.data-json'],
    events: eventAt(1, (text) => text.replaceAll('"', "'").replaceAll('null', 'None')),
  },
  'stream-keepalive-json-event': {
    title: 'A heartbeat is sent as a JSON data event',
    source: 'https://github.com/Prism-Shadow/agenthub/pull/174',
    breaks: ['stream.chunk-object', 'stream.chunk-id', 'stream.chunk-model'],
    events: insertEvent(2, 'data: {"type":"keepalive","sequence_number":3}\n\n'),
  },
  'stream-data-empty': {
    title: 'An event has empty data',
    breaks: ['stream.data-not-empty'],
    events: insertEvent(1, 'data:\n\n'),
  },
  'stream-object-wrong': {
    title: 'object of the chunks is chat.completion',
    source: 'https://github.com/microsoft/foundry-local/issues/31',
    breaks: ['stream.chunk-object'],
    chunks: eachChunk(put('/object', 'chat.completion')),
  },
  'stream-object-missing': {
    title: 'Chunks have no object',
    breaks: ['stream.chunk-object'],
    chunks: eachChunk(drop('/object')),
  },
  'stream-last-object-empty': {
    title: 'object of the last chunk is an empty string',
    breaks: ['stream.chunk-object'],
    chunks: chunkAt(-1, put('/object', '')),
  },
  'stream-id-empty': {
    title: 'id of the chunks is an empty string',
    source: 'https://github.com/huggingface/text-generation-inference/issues/1782',
    breaks: ['stream.chunk-id'],
    chunks: eachChunk(put('/id', '')),
  },
  'stream-id-missing': {
    title: 'Chunks have no id',
    breaks: ['stream.chunk-id'],
    chunks: eachChunk(drop('/id')),
  },
  'stream-id-number': {
    title: 'id of the chunks is a number',
    breaks: ['stream.chunk-id'],
    chunks: eachChunk(put('/id', 7)),
  },
  'stream-id-changes': {
    title: 'Each chunk has an id of its own',
    breaks: ['stream.id-constant'],
    chunks: (chunks) => chunks.map((chunk, index) => put('/id', `chunk-${index}`)(chunk)),
  },
  'stream-last-id-differs': {
    title: 'The last chunk has a different id',
    breaks: ['stream.id-constant'],
    chunks: chunkAt(-1, put('/id', 'chatcmpl-last')),
  },
  'stream-model-null': {
    title: 'model of the chunks is null',
    source: 'https://github.com/microsoft/foundry-local/issues/144',
    breaks: ['stream.chunk-model'],
    chunks: eachChunk(all(put('/model', null), put(`${CHOICE}/message`, { role: 'assistant', content: '' }))),
  },
  'stream-model-empty': {
    title: 'model of the chunks is an empty string',
    breaks: ['stream.chunk-model'],
    chunks: eachChunk(put('/model', '')),
  },
  'stream-model-missing': {
    title: 'Chunks have no model',
    breaks: ['stream.chunk-model'],
    chunks: eachChunk(drop('/model')),
  },
  'stream-choice-index-grows': {
    title: 'index of the choice counts tokens',
    source: 'https://github.com/microsoft/foundry-local/issues/144',
    breaks: ['stream.choice-index'],
    chunks: (chunks) => chunks.map((chunk, index) => put(`${CHOICE}/index`, index)(chunk)),
  },
  'stream-choice-index-missing': {
    title: 'The choices of chunks have no index',
    breaks: ['stream.choice-index'],
    chunks: eachChunk(drop(`${CHOICE}/index`)),
  },
  'stream-choice-index-one': {
    title: 'The only choice has index 1',
    breaks: ['stream.choice-index'],
    chunks: eachChunk(put(`${CHOICE}/index`, 1)),
  },
  'stream-choice-without-delta': {
    title: 'A choice has no delta',
    source: 'https://github.com/microsoft/autogen/issues/6465',
    breaks: ['stream.choice-delta', 'stream.chunk-id', 'stream.chunk-model'],
    chunks: insertChunk(-2, (chunk) => ({
      ...chunk,
      id: '',
      model: '',
      choices: [{ index: 0, finish_reason: null, content_filter_results: {} }],
    })),
  },
  'stream-delta-null': {
    title: 'delta of the last chunk is null',
    breaks: ['stream.choice-delta'],
    chunks: chunkAt(-1, put(DELTA, null)),
  },
  'stream-message-in-place-of-delta': {
    title: 'Choices have message instead of delta',
    breaks: ['stream.choice-delta', 'stream.carries-text'],
    chunks: contentChunks(
      alter(CHOICE, (choice) => {
        if (!isObject(choice)) return choice;
        const { delta = null, ...rest } = choice;
        return { ...rest, message: delta };
      }),
    ),
  },
  'stream-content-array': {
    title: 'delta.content is a list of parts',
    source: 'https://github.com/vercel/ai/pull/4820',
    breaks: ['stream.delta-content'],
    chunks: insertChunk(2, (chunk) => ({
      ...chunk,
      choices: [{ index: 0, delta: { content: [{ type: 'reference', reference_ids: [1] }] }, finish_reason: null }],
    })),
  },
  'stream-content-number': {
    title: 'delta.content is a number',
    breaks: ['stream.delta-content'],
    chunks: chunkAt(1, put(`${DELTA}/content`, 42)),
  },
  'stream-role-missing': {
    title: 'No delta has a role',
    breaks: ['stream.role-first'],
    chunks: eachChunk(drop(`${DELTA}/role`)),
  },
  'stream-role-late': {
    title: 'The role comes only in the last delta',
    breaks: ['stream.role-first'],
    chunks: (chunks) => chunkAt(-1, put(`${DELTA}/role`, 'assistant'))(chunkAt(0, drop(`${DELTA}/role`))(chunks)),
  },
  'stream-role-emptied': {
    title: 'Later deltas have an empty role',
    breaks: ['stream.role-first'],
    chunks: contentChunks(put(`${DELTA}/role`, '')),
  },
  'stream-role-user': {
    title: 'The role of the first delta is user',
    breaks: ['stream.role-first'],
    chunks: chunkAt(0, put(`${DELTA}/role`, 'user')),
  },
  'stream-cumulative': {
    title: 'Each delta repeats the whole text so far',
    breaks: ['stream.increments'],
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
  },
  'stream-utf8-corrupted': {
    title: 'Multi-byte characters are replaced by U+FFFD',
    source: 'https://github.com/api7/aisix/issues/111',
    breaks: ['stream.no-replacement-character'],
    chunks: (chunks) => chunkAt(1, put(`${DELTA}/content`, 'mar\uFFFD\uFFFDe'))(chunks),
  },
  'stream-finish-key-omitted': {
    title: 'finish_reason is missing before the last chunk',
    source: 'https://github.com/mlflow/mlflow/pull/24111',
    breaks: ['stream.finish-once'],
    chunks: (chunks) =>
      chunks.map((chunk, at) => (at < chunks.length - 1 ? drop(`${CHOICE}/finish_reason`)(chunk) : chunk)),
  },
  'stream-finish-stop-everywhere': {
    title: 'finish_reason is stop in every chunk',
    source: 'https://github.com/lhenault/simpleAI/issues/39',
    breaks: ['stream.finish-once'],
    chunks: eachChunk(put(`${CHOICE}/finish_reason`, 'stop')),
  },
  'stream-finish-empty-until-end': {
    title: 'finish_reason is an empty string before the last chunk',
    breaks: ['stream.finish-once'],
    chunks: contentChunks(put(`${CHOICE}/finish_reason`, '')),
  },
  'stream-finish-twice': {
    title: 'Two chunks finish the same choice',
    breaks: ['stream.finish-once'],
    chunks: (chunks) => [...chunks, ...chunks.slice(-1)],
  },
  'stream-finish-missing': {
    title: 'No chunk has a finish_reason',
    breaks: ['stream.finishes'],
    chunks: (chunks) => chunks.slice(0, -1),
  },
  'stream-text-after-finish': {
    title: 'Text comes after finish_reason',
    breaks: ['stream.nothing-after-finish'],
    chunks: (chunks) => [...chunks, ...chunks.slice(1, 2)],
  },
  'stream-choice-error': {
    title: 'A choice of a chunk contains an error',
    breaks: ['stream.no-choice-error'],
    chunks: chunkAt(-1, put(`${CHOICE}/error`, { message: 'The provider went away.', code: 502 })),
  },
  'stream-lines-of-text': {
    title: 'Tokens are sent as plain text instead of chunks',
    breaks: ['stream.has-choices', 'stream.data-json'],
    events: eachEvent((text) =>
      text.includes('[DONE]') ? text : `data: ${/"content":"([^"]+)"/.exec(text)?.[1] ?? 'ok'}\n\n`,
    ),
  },
} satisfies Record<string, Fault>;
