/** Legal oddities of plain answers: completions, lists, errors. */
import { all, alter, isChat, onErrors, onStatus, put } from '../change.ts';
import { type Json, isObject } from '../json.ts';
import type { Variant } from '../modifier.ts';

const FIRST = '/choices/0';
const items = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);

/** A field that nobody knows in every object of an answer, however deep. */
function withUnknownFields(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(withUnknownFields);
  if (!isObject(value)) return value;
  const known = Object.entries(value).map(([name, inner]) => [name, withUnknownFields(inner)] as const);
  return { x_new: { since: 'v1', list: [1, null, 'two'] }, ...Object.fromEntries(known) };
}

const MANY = Array.from({ length: 500 }, (_, at) => ({ id: `sea-${at}`, object: 'model', owned_by: 'reference' }));

export const ANSWER_VARIANTS = {
  'unknown-fields-everywhere': {
    title: 'Every object of every answer has a field that nobody knows',
    completion: withUnknownFields,
    list: withUnknownFields,
    error: withUnknownFields,
    chunks: (chunks) => chunks.map((chunk) => ({ ...chunk, x_new: true, system_fingerprint: 'fp_1' })),
  },
  'unknown-headers': {
    title: 'Answers have headers that nobody knows',
    answer: (reply) => ({
      ...reply,
      headers: { ...reply.headers, 'x-request-id': 'req-1', 'x-ratelimit-remaining-requests': '99', server: 'sea/1.0' },
    }),
  },
  'created-in-milliseconds': {
    title: 'created counts milliseconds',
    reply: (reply) => ({ ...reply, created: reply.created * 1000 }),
  },
  'created-zero': {
    title: 'created is 0',
    reply: (reply) => ({ ...reply, created: 0 }),
  },
  'created-with-zero-fraction': {
    title: 'created is written 1.7e9, which is an integer',
    only: isChat,
    answer: onStatus(200, (reply) =>
      'json' in reply.body
        ? {
            ...reply,
            body: {
              pieces: [
                { bytes: JSON.stringify(reply.body.json).replace(/"created":\d+/, '"created":1.7e9'), waitMs: 0 },
              ],
            },
          }
        : reply,
    ),
  },
  'model-snapshot-in-reply': {
    title: 'The reply names the snapshot that an alias stands for',
    reply: (reply) => ({ ...reply, model: `${reply.model}-2026-03-01` }),
  },
  'two-choices': {
    title: 'A reply has two choices',
    completion: all(
      alter('/choices', (choices) => [
        ...items(choices),
        { index: 1, message: { role: 'assistant', content: 'Another.' }, finish_reason: 'stop' },
      ]),
    ),
  },
  'choice-without-text': {
    title: 'A reply that ran out of tokens has empty text',
    reply: (reply) => (reply.finishReason === 'length' ? { ...reply, pieces: reply.pieces.map(() => '') } : reply),
  },
  'refusal-and-tools': {
    title: 'Messages carry a refusal, tool calls and annotations, all unset',
    completion: all(
      put(`${FIRST}/message/refusal`, null),
      put(`${FIRST}/message/tool_calls`, []),
      put(`${FIRST}/logprobs`, null),
      put('/service_tier', 'default'),
    ),
  },
  'error-null-beside-choices': {
    title: 'A completion says error: null',
    completion: all(put('/error', null), put(`${FIRST}/error`, null)),
    list: put('/error', null),
  },
  'thinking-model': {
    title: 'A thinking model spends a small budget on reasoning and says nothing',
    reply: (reply) => (reply.finishReason === 'length' ? { ...reply, pieces: reply.pieces.map(() => '') } : reply),
    completion: all(
      put(`${FIRST}/message/reasoning_content`, 'Let me think about the sea.'),
      alter('/usage', (usage) =>
        isObject(usage)
          ? { ...usage, completion_tokens_details: { reasoning_tokens: usage['completion_tokens'] ?? 0 } }
          : usage,
      ),
    ),
    chunks: (chunks) =>
      chunks.map(
        alter('/choices/0/delta', (delta) =>
          isObject(delta) && delta['content'] === '' ? { ...delta, content: null, reasoning_content: ' hm' } : delta,
        ),
      ),
  },
  'usage-details': {
    title: 'usage breaks its counts down, with a cost that has a fraction',
    completion: all(
      put('/usage/prompt_tokens_details', { cached_tokens: 0 }),
      put('/usage/cost', 0.00012),
      put('/usage/queue_time', 0.0042),
    ),
  },
  'one-token-more': {
    title: 'The end-of-text token is counted on top of max_tokens',
    completion: all(
      alter('/usage/completion_tokens', (count) => Number(count) + 1),
      alter('/usage/total_tokens', (count) => Number(count) + 1),
    ),
  },
  'cached-answers': {
    title: 'The same text for everybody, from a cache',
    reply: (reply) => ({ ...reply, pieces: reply.pieces.map((_, at) => (at % 2 === 0 ? ' wave' : ' after')) }),
  },
  'many-models': {
    title: 'Five hundred models',
    models: (models) => [...models, ...MANY],
  },
  'one-model': {
    title: 'A single model for keys that may call everything',
    list: (list) => ({
      ...list,
      data: items(list['data']).filter((model) => isObject(model) && model['id'] === 'sea-small'),
    }),
  },
  'unicode-model-ids': {
    title: 'Model ids have slashes, colons, spaces and letters outside ASCII',
    models: (models) => [
      ...models,
      { id: 'org/sea:latest@v1', object: 'model', owned_by: '' },
      { id: 'большое море', object: 'model', owned_by: 'reference' },
    ],
  },
  'deprecated-by-status': {
    title: 'A deprecated model is marked by a status',
    list: alter('/data/2', (model) =>
      isObject(model) ? { id: 'sea-old', object: 'model', owned_by: 'reference', status: 'deprecated' } : model,
    ),
  },
  'deprecated-by-date': {
    title: 'A deprecated model is marked by the date of its retirement',
    list: alter('/data/2', (model) =>
      isObject(model)
        ? {
            id: 'sea-old',
            object: 'model',
            owned_by: 'reference',
            retires_at: '2030-06-30',
            lifecycle: { stage: 'deprecated' },
          }
        : model,
    ),
  },
  'deprecated-first': {
    title: 'The deprecated model stands first in the list',
    models: (models) => models.toReversed(),
  },
  'models-alias-and-canonical': {
    title: 'One model exposed under two ids',
    source: 'https://github.com/diegosouzapw/OmniRoute/issues/4424',
    models: (models) => [...models, { id: 'provider/sea-large', object: 'model', owned_by: 'reference' }],
  },
  'models-legacy-field-gone': {
    title: 'Legacy per-model field disappears or changes type',
    source: 'https://github.com/openai-php/client/issues/246',
    list: put('/data/0/permission', { allow: true }),
  },
  'refusals-422': {
    title: 'Invalid requests are refused with 422',
    refusal: (reason) => (reason.status === 400 ? { ...reason, status: 422 } : reason),
  },
  'refusals-403': {
    title: 'Invalid requests are refused with 403, a status of the contract',
    refusal: (reason) => (reason.status === 400 ? { ...reason, status: 403 } : reason),
  },
  'unknown-model-403': {
    title: 'An unknown model is refused as one that the key may not call',
    refusal: (reason) => (reason.rule === 'model-unknown' ? { ...reason, status: 403 } : reason),
  },
  'forbidden-model-404': {
    title: 'A model that the key may not call is refused as unknown',
    refusal: (reason) => (reason.rule === 'model-forbidden' ? { ...reason, status: 404 } : reason),
  },
  'error-extra-members': {
    title: 'Errors carry param, status and a request id',
    error: (body, { status }) => all(put('/error/param', null), put('/status', status), put('/request_id', 'r1'))(body),
  },
  'error-nested-json-message': {
    title: 'Upstream JSON pasted into error.message',
    source: 'https://github.com/JohnnyZ93/oai-compatible-copilot/issues/81',
    error: (body) => put('/error/message', JSON.stringify(body))(body),
  },
  'error-stack-trace': {
    title: 'Stack trace or file paths in error.message',
    source: 'https://github.com/BerriAI/litellm/issues/30948',
    error: alter(
      '/error/message',
      (message) =>
        `${typeof message === 'string' ? message : ''}\nTraceback (most recent call last):\n  File "/usr/lib/python3/site-packages/proxy.py", line 1, in call\n`,
    ),
  },
  'errors-with-charset': {
    title: 'Errors are labelled with a charset',
    answer: onErrors((reply) => ({
      ...reply,
      headers: { ...reply.headers, 'content-type': 'application/json; charset=utf-8' },
    })),
  },
} satisfies Record<string, Variant>;
