/** Faults in completions: fields, usage, choices and status (parts 1, 2, 4, and what common clients rely on). */
import { all, alter, drop, put } from '../change.ts';
import { letPass, onStatus, replaceBody, setHeader, setStatus, shorten } from '../change-answer.ts';
import { isPlain, isStream } from '../call-tests.ts';
import { type Json, isObject, itemsOf } from '../json.ts';
import { breaking, type Fault, fault, row } from '../modifier.ts';
import { jsonReply, textReply } from '../answer.ts';

const count = (value: Json | undefined): number => (typeof value === 'number' ? value : 0);
const FIRST = '/choices/0';

const lacks = (title: string, breaks: string, pointer: string): Fault =>
  fault(title, breaks, { completion: drop(pointer) });

const has = (title: string, breaks: string, pointer: string, value: Json): Fault =>
  fault(title, breaks, { completion: put(pointer, value) });

const shortAndStop: typeof shorten = (reply, call) => ({ ...shorten(reply, call), finishReason: 'stop' });

export const COMPLETION_FAULTS = {
  'completion-second-choice-empty': fault('A second choice has no message', 'choice.message-present', {
    completion: alter('/choices', (choices) => [...itemsOf(choices), { index: 1, finish_reason: 'stop' }]),
  }),
  'chat-top-level-array': fault('The completion is wrapped in an array', 'completion.object-body', {
    completion: (completion) => [completion],
  }),
  'chat-top-level-string': fault('The completion is a JSON string', 'completion.object-body', {
    completion: (completion) => JSON.stringify(completion),
  }),
  'chat-null': fault('The completion is null', 'completion.object-body', { completion: () => null }),
  'chat-id-number': fault('id is a number', 'completion.id-type', { completion: alter('/id', () => Date.now()) }),
  'chat-id-null': fault('id is null', 'completion.id-type', { completion: put('/id', null) }),
  'chat-id-missing': fault('The completion has no id', 'completion.id-present', {
    source: 'https://github.com/dongri/openai-api-rs/pull/146',
    completion: drop('/id'),
  }),
  'chat-id-empty': has('The id of plain completions is empty', 'completion.ids-differ', '/id', ''),
  'chat-id-constant': fault('Every completion has the same id', 'completion.ids-differ', {
    reply: () => ({ id: 'chatcmpl-0' }),
  }),
  'chat-marker-wrong': has('object is text_completion', 'completion.object', '/object', 'text_completion'),
  'chat-marker-of-chunk': fault('object is chat.completion.chunk', 'completion.object', {
    completion: put('/object', 'chat.completion.chunk'),
  }),
  'chat-marker-missing': lacks('The completion has no object', 'completion.object-present', '/object'),
  'chat-created-float': fault('created is not an integer', 'completion.created-type', {
    source: 'https://github.com/siyuan-note/siyuan/issues/14787',
    completion: put('/created', 1746709563.492141),
  }),
  'chat-created-string': fault('created is an ISO date string', 'completion.created-type', {
    completion: put('/created', '2026-03-01T12:00:00Z'),
  }),
  'chat-created-missing': lacks('The completion has no created', 'completion.created-present', '/created'),
  'chat-created-microseconds': fault('created is in microseconds', 'completion.created-date', {
    completion: alter('/created', (created) => count(created) * 1e6),
  }),
  'chat-model-null': fault('model is null', 'completion.model-type', { completion: put('/model', null) }),
  'chat-model-object': has('model is an object', 'completion.model-type', '/model', { id: 'sea-large' }),
  'chat-model-missing': lacks('The completion has no model', 'completion.model-present', '/model'),
  'chat-usage-null': fault('usage is null', 'completion.usage-type', { completion: put('/usage', null) }),
  'chat-usage-array': fault('usage is an array', 'completion.usage-type', { completion: put('/usage', [5, 7, 12]) }),
  'chat-usage-missing': lacks('The completion has no usage', 'completion.usage-present', '/usage'),
  'chat-usage-empty': fault(
    'usage is an empty object',
    ['usage.prompt-tokens-present', 'usage.completion-tokens-present', 'usage.total-tokens-present'],
    { completion: put('/usage', {}) },
  ),
  'chat-usage-fractional-tokens': fault('completion_tokens is a fraction', 'usage.completion-tokens-type', {
    source: 'https://github.com/philschmid/easyllm/pull/42',
    completion: put('/usage/completion_tokens', 0.25),
  }),
  'chat-usage-prompt-string': fault('prompt_tokens is a string', 'usage.prompt-tokens-type', {
    completion: alter('/usage/prompt_tokens', (value) => String(count(value))),
  }),
  'chat-usage-prompt-null': has('prompt_tokens is null', 'usage.prompt-tokens-type', '/usage/prompt_tokens', null),
  'chat-usage-completion-null': fault('completion_tokens is null', 'usage.completion-tokens-type', {
    completion: put('/usage/completion_tokens', null),
  }),
  'chat-usage-total-string': fault('total_tokens is a string', 'usage.total-tokens-type', {
    completion: alter('/usage/total_tokens', (value) => String(count(value))),
  }),
  'chat-usage-prompt-missing': fault('usage has no prompt_tokens', 'usage.prompt-tokens-present', {
    completion: drop('/usage/prompt_tokens'),
  }),
  ...breaking('usage.completion-tokens-present', {
    'chat-usage-completion-missing': row('usage has no completion_tokens', {
      source: 'https://github.com/agentgateway/agentgateway/issues/1464',
      completion: drop('/usage/completion_tokens'),
    }),
    'chat-usage-total-below-prompt': row('total_tokens is below prompt_tokens, and completion_tokens is missing', {
      source: 'https://github.com/SecretiveShell/MCP-Bridge/issues/48',
      completion: put('/usage', { prompt_tokens: 1066, total_tokens: 103 }),
    }),
  }),
  'chat-usage-total-missing': lacks('usage has no total_tokens', 'usage.total-tokens-present', '/usage/total_tokens'),
  'chat-usage-not-summing': fault('total_tokens is not the sum of the other two', 'usage.total-is-sum', {
    source: 'https://github.com/QuantumNous/new-api/issues/1358',
    completion: alter('/usage/total_tokens', (total) => count(total) + 68),
  }),
  'chat-usage-total-off-by-one': fault('total_tokens is one more than the sum of the other two', 'usage.total-is-sum', {
    completion: alter('/usage/total_tokens', (total) => count(total) + 1),
  }),
  'chat-usage-completion-zero': fault('completion_tokens is always 0', 'usage.completion-counted', {
    source: 'https://github.com/Lightning-AI/LitServe',
    completion: alter('/usage', (usage) => {
      const prompt = isObject(usage) ? count(usage['prompt_tokens']) : 0;
      return { prompt_tokens: prompt, completion_tokens: 0, total_tokens: prompt };
    }),
  }),
  'chat-usage-negative': fault('Token counts are negative', 'usage.not-negative', {
    completion: put('/usage', { prompt_tokens: -1, completion_tokens: -1, total_tokens: -2 }),
  }),
  'chat-error-beside-choices': fault('A completion contains an error next to its choices', 'completion.no-error', {
    completion: put('/error', { message: 'The model stumbled.', type: 'server_error', code: 'stumbled' }),
  }),
  'chat-labelled-text': fault('Completions are labelled text/plain', 'wire.json-labelled', {
    onPlain: setHeader('content-type', 'text/plain; charset=utf-8'),
  }),
  'chat-unlabelled': fault('Completions have no content type', 'wire.json-labelled', {
    onPlain: (reply) => ({ ...reply, headers: {} }),
  }),
  'chat-empty-body': fault('A completion has an empty body', 'endpoint.chat-json', {
    onPlain: replaceBody('application/json', ''),
  }),
  'chat-raw-text': fault('The body is the plain text of the reply', 'endpoint.chat-json', {
    onPlain: replaceBody('text/plain', 'The sea lifts its grey back.'),
  }),
  'chat-choices-null': fault('choices is null', 'completion.choices-type', {
    source: 'https://github.com/langchain-ai/langchain/pull/35236',
    completion: put('/choices', null),
  }),
  'chat-choices-object': fault('choices is an object instead of an array', 'completion.choices-type', {
    completion: alter('/choices', (choices) => itemsOf(choices)[0]),
  }),
  'chat-choices-of-strings': fault('choices contains strings instead of objects', 'completion.choices-type', {
    completion: put('/choices', ['The sea lifts its grey back.']),
  }),
  'chat-choices-empty': fault('choices is an empty array', 'service.reply', {
    source: 'https://github.com/farion1231/cc-switch/pull/3987',
    completion: put('/choices', []),
  }),
  'chat-choices-missing': fault('The completion has no choices', 'service.reply', { completion: drop('/choices') }),
  'chat-message-missing': fault('A choice has text instead of message', 'service.reply', {
    completion: all(drop(`${FIRST}/message`), put(`${FIRST}/text`, 'The sea.')),
  }),
  'chat-delta-in-place-of-message': fault('A choice has delta instead of message', 'service.reply', {
    completion: all(drop(`${FIRST}/message`), put(`${FIRST}/delta`, { role: 'assistant', content: 'The sea.' })),
  }),
  'chat-message-string': has('message is a string', 'choice.message-type', `${FIRST}/message`, 'The sea.'),
  'chat-message-null': fault('message is null', 'choice.message-type', { completion: put(`${FIRST}/message`, null) }),
  'chat-choice-index-missing': fault('A choice has no index', 'choice.index-present', {
    source: 'https://github.com/agentgateway/agentgateway/issues/2371',
    completion: drop(`${FIRST}/index`),
  }),
  'chat-choice-index-string': has('index is a string', 'choice.index-type', `${FIRST}/index`, '0'),
  'chat-choice-index-null': fault('index is null', 'choice.index-type', { completion: put(`${FIRST}/index`, null) }),
  'chat-choice-index-from-one': has('The index of choices starts at 1', 'choice.index-values', `${FIRST}/index`, 1),
  'chat-choice-index-repeated': fault('Two choices have the same index', 'choice.index-values', {
    completion: alter('/choices', (choices) => [...itemsOf(choices), ...itemsOf(choices)]),
  }),
  'chat-one-reply-two-choices': fault('One reply is split into two choices without index', 'choice.index-present', {
    source: 'https://github.com/SecretiveShell/MCP-Bridge/issues/48',
    completion: all(
      drop(`${FIRST}/index`),
      alter('/choices', (choices) => [
        ...itemsOf(choices),
        { message: { role: 'assistant', content: ' And the rest of it.' }, finish_reason: 'stop' },
      ]),
    ),
  }),
  'chat-finish-reason-null': has('finish_reason is null', 'choice.finish-reason-type', `${FIRST}/finish_reason`, null),
  'chat-finish-reason-object': fault('finish_reason is an object', 'choice.finish-reason-type', {
    completion: alter(`${FIRST}/finish_reason`, (reason) => ({ type: reason ?? null })),
  }),
  'chat-cut-says-stop': fault('A reply that was cut at max_tokens says stop', 'choice.finish-length', {
    source: 'https://github.com/mudler/LocalAI/issues/3533',
    reply: () => ({ finishReason: 'stop' }),
  }),
  ...breaking('choice.finish-length', {
    'chat-short-cut-says-stop': row('Short replies that were cut say stop', { only: isPlain, reply: shortAndStop }),
    'stream-short-cut-says-stop': row('Short streams that were cut say stop', {
      only: isStream,
      reply: shortAndStop,
    }),
  }),
  'chat-finish-reason-missing': fault('A choice has no finish_reason', 'choice.finish-reason-present', {
    completion: drop(`${FIRST}/finish_reason`),
  }),
  'chat-finish-reason-empty': fault('finish_reason is an empty string', 'choice.finish-reason-present', {
    completion: put(`${FIRST}/finish_reason`, ''),
  }),
  'chat-role-missing': lacks('The message has no role', 'choice.message-role', `${FIRST}/message/role`),
  'chat-role-unknown': has('The role of the message is bot', 'choice.message-role', `${FIRST}/message/role`, 'bot'),
  'chat-role-null': has('The role of the message is null', 'choice.message-role', `${FIRST}/message/role`, null),
  'chat-role-user': has('The role of the message is user', 'choice.role-assistant', `${FIRST}/message/role`, 'user'),
  'chat-content-array': fault('The content of the message is a list of parts', 'choice.message-content', {
    source: 'https://github.com/vercel/ai/issues/13703',
    completion: alter(`${FIRST}/message/content`, (text) => [{ type: 'text', text: text ?? '' }]),
  }),
  'chat-content-null': fault('The content of the message is null', 'choice.message-content', {
    completion: put(`${FIRST}/message/content`, null),
  }),
  'chat-content-missing': lacks('The message has no content', 'choice.message-content', `${FIRST}/message/content`),
  'chat-choice-error': fault('A choice contains an error', 'choice.no-error', {
    completion: put(`${FIRST}/error`, { message: 'The provider went away.', code: 502 }),
  }),
  'chat-second-model-content-null': fault('One model replies with content null', 'choice.message-content', {
    only: (call) => call.body['model'] === 'sea-old',
    completion: put(`${FIRST}/message/content`, null),
  }),
  'chat-status-201': fault('Completions have status 201', 'endpoint.chat-answers', { onPlain: setStatus(201) }),
  'chat-status-202-queued': fault('Completions are queued: status 202 and a job id', 'endpoint.chat-answers', {
    onPlain: () => jsonReply(202, { id: 'job-1', status: 'queued' }),
  }),
  'chat-redirect': fault('Chat requests are redirected', 'endpoint.chat-answers', {
    onChat: () => jsonReply(308, {}, { location: '/v1/chat/completions/' }),
  }),
  'chat-two-texts': fault('A completion is followed by a second JSON value', 'endpoint.chat-json', {
    onPlain: replaceBody('application/json', (text) => `${text}\n{"done":true}\n`),
  }),
  'chat-json-not-a-number': fault('A completion contains NaN, which is not JSON', 'endpoint.chat-json', {
    onPlain: replaceBody('application/json', (text) => text.replace(/"created":\d+/, '"created":NaN')),
  }),
  'chat-model-substituted': fault('An unknown model is silently replaced by a default model', 'request.unknown-model', {
    source: 'https://github.com/icebear0828/codex-proxy/issues/660',
    refusal: letPass('model-unknown'),
    reply: (reply) => (reply.model.startsWith('sea-') ? reply : { model: 'sea-large' }),
  }),
  'chat-model-echo-false': fault('An unknown model is answered under the requested name', 'request.unknown-model', {
    source: 'https://github.com/ddalcu/mlx-serve/pull/258',
    refusal: letPass('model-unknown'),
  }),
  'chat-plain-text-200': fault(
    'An unknown model gets plain text with status 200',
    ['request.unknown-model', 'endpoint.chat-json'],
    {
      source: 'https://github.com/HKUDS/nanobot/pull/2289',
      only: isPlain,
      answer: onStatus(404, () => textReply(200, 'text/plain', 'unsupported model')),
    },
  ),
} satisfies Record<string, Fault>;
