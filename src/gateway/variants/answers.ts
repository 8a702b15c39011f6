/** Legal oddities of plain answers: completions, lists, errors. */
import { all, alter, put } from '../change.ts';
import { changeJson, onErrors, setHeader, shorten } from '../change-answer.ts';
import type { Composition } from '../composition.ts';
import { type Json, isObject, itemsOf } from '../json.ts';
import { type Variant, row } from '../modifier.ts';
import { promptOf } from '../call.ts';

const FIRST = '/choices/0';

/** A field that nobody knows in every object of an answer, however deep. */
function withUnknownFields(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(withUnknownFields);
  if (!isObject(value)) return value;
  const known = Object.entries(value).map(([name, inner]) => [name, withUnknownFields(inner)] as const);
  return { x_new: { since: 'v1', list: [1, null, 'two'] }, ...Object.fromEntries(known) };
}

const MANY = Array.from({ length: 500 }, (_, at) => ({ id: `sea-${at}`, object: 'model', owned_by: 'reference' }));

/** Addresses, paths and numbers in errors that tell nothing of the inside. */
const HONEST_TEXTS = [
  'See https://docs.gateway.example/errors/limits.html#L42 for the limits.',
  'Upgrade to version 10.2.3.4 or later.',
  'line 3 of messages: the role is missing',
  'Too many requests from 10.1.2.3. Your IP address is 192.168.0.7.',
  'The server at http://127.0.0.1:8080/v1 and [::1]:8080 cannot take this (fe80::1).',
  'Image URLs must not point to 10.0.0.0/8 or 192.168.0.0/16.',
  'The key errors.internal has no text. See /v1/chat/completions.',
  'JSON parse error at /messages/0/content: unexpected end (line 1, column 10).',
];

/** This text instead, in as many tokens as the reply has. */
function sayInTokens({ pieces }: Composition, text: string): readonly string[] {
  const words = text.split(/\s+/);
  return pieces.map((piece, at) => (words[at] ? ` ${words[at]}` : piece));
}

export const ANSWER_VARIANTS = {
  'unknown-fields-everywhere': row('Every object in every answer has an unknown field', {
    completion: withUnknownFields,
    list: withUnknownFields,
    error: withUnknownFields,
    chunks: (chunks) => chunks.map((chunk) => ({ ...chunk, x_new: true, system_fingerprint: 'fp_1' })),
  }),
  'unknown-headers': row('Answers have unknown headers', {
    answer: (reply) => ({
      ...reply,
      headers: { ...reply.headers, 'x-request-id': 'req-1', 'x-ratelimit-remaining-requests': '99', server: 'sea/1.0' },
    }),
  }),
  'created-in-milliseconds': row('created is in milliseconds', {
    reply: (reply) => ({ created: reply.created * 1000 }),
  }),
  'created-zero': row('created is 0', { reply: () => ({ created: 0 }) }),
  'created-with-zero-fraction': row('created is an integer in exponent notation, such as 1.7e9', {
    onChat: changeJson((text) => text.replace(/"created":\d+/, '"created":1.7e9')),
  }),
  'model-snapshot-in-reply': row('The reply names a model snapshot instead of the requested alias', {
    reply: (reply) => ({ model: `${reply.model}-2026-03-01` }),
  }),
  'two-choices': row('A reply has two choices', {
    completion: all(
      alter('/choices', (choices) => [
        ...itemsOf(choices),
        { index: 1, message: { role: 'assistant', content: 'Another.' }, finish_reason: 'stop' },
      ]),
    ),
  }),
  'choice-without-text': row('A reply that reached max_tokens has empty text', {
    reply: (reply) => (reply.finishReason === 'length' ? { pieces: reply.pieces.map(() => '') } : reply),
  }),
  'no-text-no-tokens': row('A reply without text counts no tokens', {
    reply: (reply) => (reply.finishReason === 'length' ? { pieces: [] } : reply),
  }),
  'one-token-says-stop': row('A reply of one token says stop, longer ones that are cut say length', {
    reply: (reply) => (reply.pieces.length === 1 ? { finishReason: 'stop' } : reply),
  }),
  'short-replies': row('Replies are short, and say length only if they were cut', {
    reply: shorten,
  }),
  'refusal-and-tools': row('Replies have empty refusal, tool_calls and logprobs fields', {
    completion: all(
      put(`${FIRST}/message/refusal`, null),
      put(`${FIRST}/message/tool_calls`, []),
      put(`${FIRST}/logprobs`, null),
      put('/service_tier', 'default'),
    ),
  }),
  'error-null-beside-choices': row('Completions and chunks have error: null', {
    completion: all(put('/error', null), put(`${FIRST}/error`, null)),
    list: put('/error', null),
    chunk: all(put('/error', null), put(`${FIRST}/error`, null)),
  }),
  'error-false-beside-choices': row('A completion has error: false, and its choices an empty error', {
    completion: all(put('/error', false), put(`${FIRST}/error`, '')),
    list: put('/error', ''),
    chunks: (chunks) => chunks.map((chunk) => ({ ...chunk, error: false })),
  }),
  'thinking-model': row('A reasoning model uses up a small max_tokens and returns no text', {
    reply: (reply) => (reply.finishReason === 'length' ? { pieces: reply.pieces.map(() => '') } : reply),
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
  }),
  'usage-details': row('usage has detailed counts and a fractional cost', {
    completion: all(
      put('/usage/prompt_tokens_details', { cached_tokens: 0 }),
      put('/usage/cost', 0.00012),
      put('/usage/queue_time', 0.0042),
    ),
  }),
  'one-token-more': row('The end-of-text token does not count towards max_tokens', {
    completion: all(
      alter('/usage/completion_tokens', (count) => Number(count) + 1),
      alter('/usage/total_tokens', (count) => Number(count) + 1),
    ),
  }),
  'honest-error-texts': row('Errors link to documentation, and name places, versions and the address of the caller', {
    error: (body, _refusal, { number }) =>
      put('/error/message', HONEST_TEXTS[number % HONEST_TEXTS.length] ?? '')(body),
  }),
  'cached-answers': row('Every reply has the same text, as from a cache', {
    reply: (reply) => ({ pieces: reply.pieces.map((_, at) => (at % 2 === 0 ? ' wave' : ' after')) }),
  }),
  'cached-by-body': row('A cache behind the key check answers a body that it knows', {
    answer: (reply, { cached }) => (reply.status === 200 && cached) || reply,
  }),
  'echo-model': row('The model repeats its prompt', {
    reply: (reply, { body }) => ({ pieces: sayInTokens(reply, promptOf(body)) }),
  }),
  'echo-in-reasoning': row('The reasoning repeats the prompt', {
    completion: (completion, { body }) => put(`${FIRST}/message/reasoning_content`, promptOf(body))(completion),
    chunks: (chunks, { body }) =>
      chunks.map((chunk, at) => (at === 1 ? put('/choices/0/delta/reasoning_content', promptOf(body))(chunk) : chunk)),
  }),
  'many-models': row('The list has five hundred models', { models: (models) => [...models, ...MANY] }),
  'one-model': row('The list has a single model', {
    list: (list) => ({
      ...list,
      data: itemsOf(list['data']).filter((model) => isObject(model) && model['id'] === 'sea-small'),
    }),
  }),
  'unicode-model-ids': row('Model ids contain slashes, colons, spaces and non-ASCII letters', {
    models: (models) => [
      ...models,
      { id: 'org/sea:latest@v1', object: 'model', owned_by: '' },
      { id: 'большое море', object: 'model', owned_by: 'reference' },
    ],
  }),
  'deprecated-by-status': row('A deprecated model is marked with a status', {
    list: alter('/data/2', (model) =>
      isObject(model) ? { id: 'sea-old', object: 'model', owned_by: 'reference', status: 'deprecated' } : model,
    ),
  }),
  'deprecated-by-date': row('A deprecated model is marked with its retirement date', {
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
  }),
  'deprecated-first': row('The deprecated model comes first in the list', {
    models: (models) => models.toReversed(),
  }),
  'models-alias-and-canonical': row('One model is listed under two ids', {
    source: 'https://github.com/diegosouzapw/OmniRoute/issues/4424',
    models: (models) => [...models, { id: 'provider/sea-large', object: 'model', owned_by: 'reference' }],
  }),
  'models-legacy-field-gone': row('The legacy field permission of a model is an object', {
    source: 'https://github.com/openai-php/client/issues/246',
    list: put('/data/0/permission', { allow: true }),
  }),
  'refusals-422': row('Invalid requests are refused with 422', {
    refusal: (reason) => (reason.status === 400 ? { ...reason, status: 422 } : reason),
  }),
  'refusals-403': row('Invalid requests are refused with 403', {
    refusal: (reason) => (reason.status === 400 ? { ...reason, status: 403 } : reason),
  }),
  'unknown-model-403': row('An unknown model is refused like a forbidden one', {
    refusal: (reason) => (reason.rule === 'model-unknown' ? { ...reason, status: 403 } : reason),
  }),
  'forbidden-model-404': row('A forbidden model is refused like an unknown one', {
    refusal: (reason) => (reason.rule === 'model-forbidden' ? { ...reason, status: 404 } : reason),
  }),
  'error-extra-members': row('Errors have param, status and a request id', {
    error: (body, { status }) => all(put('/error/param', null), put('/status', status), put('/request_id', 'r1'))(body),
  }),
  'error-nested-json-message': row('error.message contains upstream JSON', {
    source: 'https://github.com/JohnnyZ93/oai-compatible-copilot/issues/81',
    error: (body) => put('/error/message', JSON.stringify(body))(body),
  }),
  'error-stack-trace': row('error has a stack trace beside its message', {
    error: put('/error/stack', 'Error: refused\n    at call (/srv/proxy.js:1:1)\n    at main (/srv/proxy.js:9:1)'),
  }),
  'errors-with-charset': row('The content type of errors has a charset', {
    answer: onErrors(setHeader('content-type', 'application/json; charset=utf-8')),
  }),
} satisfies Record<string, Variant>;
