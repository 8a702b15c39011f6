/** Faults in the fields and the usage of a completion (part 2, and what common clients rely on). */
import { alter, drop, isPlain, onStatus, put, replaceBody } from '../change.ts';
import type { Json } from '../json.ts';
import type { Fault } from '../modifier.ts';

const count = (value: Json | undefined): number => (typeof value === 'number' ? value : 0);

export const COMPLETION_FAULTS = {
  'chat-top-level-array': {
    title: 'The completion is wrapped in an array',
    breaks: ['completion.object-body'],
    completion: (completion) => [completion],
  },
  'chat-top-level-string': {
    title: 'The completion is a JSON string',
    breaks: ['completion.object-body'],
    completion: (completion) => JSON.stringify(completion),
  },
  'chat-null': {
    title: 'The completion is null',
    breaks: ['completion.object-body'],
    completion: () => null,
  },
  'chat-id-number': {
    title: 'id is a number',
    breaks: ['completion.id-type'],
    completion: alter('/id', () => Date.now()),
  },
  'chat-id-null': {
    title: 'id is null',
    breaks: ['completion.id-type'],
    completion: put('/id', null),
  },
  'chat-id-missing': {
    title: 'The completion has no id',
    source: 'https://github.com/dongri/openai-api-rs/pull/146',
    breaks: ['completion.id-present'],
    completion: drop('/id'),
  },
  'chat-id-constant': {
    title: 'Every completion has the same id',
    breaks: ['completion.ids-differ'],
    reply: (reply) => ({ ...reply, id: 'chatcmpl-0' }),
  },
  'chat-marker-wrong': {
    title: 'object is text_completion',
    breaks: ['completion.object'],
    completion: put('/object', 'text_completion'),
  },
  'chat-marker-of-chunk': {
    title: 'object is chat.completion.chunk',
    breaks: ['completion.object'],
    completion: put('/object', 'chat.completion.chunk'),
  },
  'chat-marker-missing': {
    title: 'The completion has no object',
    breaks: ['completion.object-present'],
    completion: drop('/object'),
  },
  'chat-created-float': {
    title: 'created is not an integer',
    source: 'https://github.com/siyuan-note/siyuan/issues/14787',
    breaks: ['completion.created-type'],
    completion: put('/created', 1746709563.492141),
  },
  'chat-created-string': {
    title: 'created is an ISO date string',
    breaks: ['completion.created-type'],
    completion: put('/created', '2026-03-01T12:00:00Z'),
  },
  'chat-created-missing': {
    title: 'The completion has no created',
    breaks: ['completion.created-present'],
    completion: drop('/created'),
  },
  'chat-model-null': {
    title: 'model is null',
    breaks: ['completion.model-type'],
    completion: put('/model', null),
  },
  'chat-model-object': {
    title: 'model is an object',
    breaks: ['completion.model-type'],
    completion: put('/model', { id: 'sea-large' }),
  },
  'chat-model-missing': {
    title: 'The completion has no model',
    breaks: ['completion.model-present'],
    completion: drop('/model'),
  },
  'chat-usage-null': {
    title: 'usage is null',
    breaks: ['completion.usage-type'],
    completion: put('/usage', null),
  },
  'chat-usage-array': {
    title: 'usage is an array',
    breaks: ['completion.usage-type'],
    completion: put('/usage', [5, 7, 12]),
  },
  'chat-usage-missing': {
    title: 'The completion has no usage',
    breaks: ['completion.usage-present'],
    completion: drop('/usage'),
  },
  'chat-usage-empty': {
    title: 'usage is an empty object',
    breaks: ['usage.prompt-tokens-present', 'usage.completion-tokens-present', 'usage.total-tokens-present'],
    completion: put('/usage', {}),
  },
  'chat-usage-fractional-tokens': {
    title: 'completion_tokens is a fraction',
    source: 'https://github.com/philschmid/easyllm/pull/42',
    breaks: ['usage.completion-tokens-type'],
    completion: put('/usage/completion_tokens', 0.25),
  },
  'chat-usage-prompt-string': {
    title: 'prompt_tokens is a string',
    breaks: ['usage.prompt-tokens-type'],
    completion: alter('/usage/prompt_tokens', (value) => String(count(value))),
  },
  'chat-usage-prompt-null': {
    title: 'prompt_tokens is null',
    breaks: ['usage.prompt-tokens-type'],
    completion: put('/usage/prompt_tokens', null),
  },
  'chat-usage-completion-null': {
    title: 'completion_tokens is null',
    breaks: ['usage.completion-tokens-type'],
    completion: put('/usage/completion_tokens', null),
  },
  'chat-usage-total-string': {
    title: 'total_tokens is a string',
    breaks: ['usage.total-tokens-type'],
    completion: alter('/usage/total_tokens', (value) => String(count(value))),
  },
  'chat-usage-prompt-missing': {
    title: 'usage has no prompt_tokens',
    breaks: ['usage.prompt-tokens-present'],
    completion: drop('/usage/prompt_tokens'),
  },
  'chat-usage-completion-missing': {
    title: 'usage has no completion_tokens',
    source: 'https://github.com/agentgateway/agentgateway/issues/1464',
    breaks: ['usage.completion-tokens-present'],
    completion: drop('/usage/completion_tokens'),
  },
  'chat-usage-total-missing': {
    title: 'usage has no total_tokens',
    breaks: ['usage.total-tokens-present'],
    completion: drop('/usage/total_tokens'),
  },
  'chat-usage-total-below-prompt': {
    title: 'total_tokens is below prompt_tokens, and completion_tokens is missing',
    source: 'https://github.com/SecretiveShell/MCP-Bridge/issues/48',
    breaks: ['usage.completion-tokens-present'],
    completion: put('/usage', { prompt_tokens: 1066, total_tokens: 103 }),
  },
  'chat-usage-not-summing': {
    title: 'total_tokens is not the sum of the other two',
    source: 'https://github.com/QuantumNous/new-api/issues/1358',
    breaks: ['usage.total-is-sum'],
    completion: alter('/usage/total_tokens', (total) => count(total) + 68),
  },
  'chat-usage-total-off-by-one': {
    title: 'total_tokens is one more than the sum of the other two',
    breaks: ['usage.total-is-sum'],
    completion: alter('/usage/total_tokens', (total) => count(total) + 1),
  },
  'chat-usage-negative': {
    title: 'Token counts are negative',
    breaks: ['usage.not-negative'],
    completion: put('/usage', { prompt_tokens: -1, completion_tokens: -1, total_tokens: -2 }),
  },
  'chat-error-beside-choices': {
    title: 'A completion contains an error besides its choices',
    breaks: ['completion.no-error'],
    completion: put('/error', { message: 'The model stumbled.', type: 'server_error', code: 'stumbled' }),
  },
  'chat-labelled-text': {
    title: 'Completions are labelled text/plain',
    breaks: ['wire.json-labelled'],
    only: isPlain,
    answer: onStatus(200, (reply) => ({ ...reply, headers: { 'content-type': 'text/plain; charset=utf-8' } })),
  },
  'chat-unlabelled': {
    title: 'Completions have no content type',
    breaks: ['wire.json-labelled'],
    only: isPlain,
    answer: onStatus(200, (reply) => ({ ...reply, headers: {} })),
  },
  'chat-empty-body': {
    title: 'A completion has an empty body',
    breaks: ['endpoint.chat-json'],
    only: isPlain,
    answer: onStatus(200, replaceBody('application/json', '')),
  },
  'chat-raw-text': {
    title: 'The body is the plain text of the reply',
    breaks: ['endpoint.chat-json'],
    only: isPlain,
    answer: onStatus(200, replaceBody('text/plain', 'The sea lifts its grey back.')),
  },
} satisfies Record<string, Fault>;
