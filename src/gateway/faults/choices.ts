/** Faults in the choices of a completion, and in how requests are answered (parts 1, 2, 4). */
import { jsonReply, textReply } from '../answer.ts';
import { all, alter, drop, isChat, isPlain, letPass, onStatus, put, replaceBody } from '../change.ts';
import type { Json } from '../json.ts';
import type { Fault } from '../modifier.ts';

const FIRST = '/choices/0';
const items = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);

export const CHOICES_FAULTS = {
  'chat-choices-null': {
    title: 'choices is null',
    source: 'https://github.com/langchain-ai/langchain/pull/35236',
    breaks: ['completion.choices-type'],
    completion: put('/choices', null),
  },
  'chat-choices-object': {
    title: 'choices is an object instead of an array',
    breaks: ['completion.choices-type'],
    completion: alter('/choices', (choices) => items(choices)[0]),
  },
  'chat-choices-of-strings': {
    title: 'choices contains strings instead of objects',
    breaks: ['completion.choices-type'],
    completion: put('/choices', ['The sea lifts its grey back.']),
  },
  'chat-choices-empty': {
    title: 'choices is an empty array',
    source: 'https://github.com/farion1231/cc-switch/pull/3987',
    breaks: ['service.reply'],
    completion: put('/choices', []),
  },
  'chat-choices-missing': {
    title: 'The completion has no choices',
    breaks: ['service.reply'],
    completion: drop('/choices'),
  },
  'chat-message-missing': {
    title: 'A choice has text instead of message',
    breaks: ['service.reply'],
    completion: all(drop(`${FIRST}/message`), put(`${FIRST}/text`, 'The sea.')),
  },
  'chat-delta-in-place-of-message': {
    title: 'A choice has delta instead of message',
    breaks: ['service.reply'],
    completion: all(drop(`${FIRST}/message`), put(`${FIRST}/delta`, { role: 'assistant', content: 'The sea.' })),
  },
  'chat-message-string': {
    title: 'message is a string',
    breaks: ['choice.message-type'],
    completion: put(`${FIRST}/message`, 'The sea.'),
  },
  'chat-message-null': {
    title: 'message is null',
    breaks: ['choice.message-type'],
    completion: put(`${FIRST}/message`, null),
  },
  'chat-choice-index-missing': {
    title: 'A choice has no index',
    source: 'https://github.com/agentgateway/agentgateway/issues/2371',
    breaks: ['choice.index-present'],
    completion: drop(`${FIRST}/index`),
  },
  'chat-choice-index-string': {
    title: 'index is a string',
    breaks: ['choice.index-type'],
    completion: put(`${FIRST}/index`, '0'),
  },
  'chat-choice-index-null': {
    title: 'index is null',
    breaks: ['choice.index-type'],
    completion: put(`${FIRST}/index`, null),
  },
  'chat-choice-index-from-one': {
    title: 'The index of choices starts at 1',
    breaks: ['choice.index-values'],
    completion: put(`${FIRST}/index`, 1),
  },
  'chat-choice-index-repeated': {
    title: 'Two choices have the same index',
    breaks: ['choice.index-values'],
    completion: alter('/choices', (choices) => [...items(choices), ...items(choices)]),
  },
  'chat-one-reply-two-choices': {
    title: 'One reply is split into two choices without index',
    source: 'https://github.com/SecretiveShell/MCP-Bridge/issues/48',
    breaks: ['choice.index-present'],
    completion: all(
      drop(`${FIRST}/index`),
      alter('/choices', (choices) => [
        ...items(choices),
        { message: { role: 'assistant', content: ' And the rest of it.' }, finish_reason: 'stop' },
      ]),
    ),
  },
  'chat-finish-reason-null': {
    title: 'finish_reason is null',
    breaks: ['choice.finish-reason-type'],
    completion: put(`${FIRST}/finish_reason`, null),
  },
  'chat-finish-reason-object': {
    title: 'finish_reason is an object',
    breaks: ['choice.finish-reason-type'],
    completion: alter(`${FIRST}/finish_reason`, (reason) => ({ type: reason ?? null })),
  },
  'chat-finish-reason-missing': {
    title: 'A choice has no finish_reason',
    breaks: ['choice.finish-reason-present'],
    completion: drop(`${FIRST}/finish_reason`),
  },
  'chat-finish-reason-empty': {
    title: 'finish_reason is an empty string',
    breaks: ['choice.finish-reason-present'],
    completion: put(`${FIRST}/finish_reason`, ''),
  },
  'chat-role-missing': {
    title: 'The message has no role',
    breaks: ['choice.message-role'],
    completion: drop(`${FIRST}/message/role`),
  },
  'chat-role-unknown': {
    title: 'The role of the message is bot',
    breaks: ['choice.message-role'],
    completion: put(`${FIRST}/message/role`, 'bot'),
  },
  'chat-role-null': {
    title: 'The role of the message is null',
    breaks: ['choice.message-role'],
    completion: put(`${FIRST}/message/role`, null),
  },
  'chat-role-user': {
    title: 'The role of the message is user',
    breaks: ['choice.role-assistant'],
    completion: put(`${FIRST}/message/role`, 'user'),
  },
  'chat-content-array': {
    title: 'The content of the message is a list of parts',
    source: 'https://github.com/vercel/ai/issues/13703',
    breaks: ['choice.message-content'],
    completion: alter(`${FIRST}/message/content`, (text) => [{ type: 'text', text: text ?? '' }]),
  },
  'chat-content-null': {
    title: 'The content of the message is null',
    breaks: ['choice.message-content'],
    completion: put(`${FIRST}/message/content`, null),
  },
  'chat-content-missing': {
    title: 'The message has no content',
    breaks: ['choice.message-content'],
    completion: drop(`${FIRST}/message/content`),
  },
  'chat-choice-error': {
    title: 'A choice contains an error',
    breaks: ['choice.no-error'],
    completion: put(`${FIRST}/error`, { message: 'The provider went away.', code: 502 }),
  },
  'chat-second-model-content-null': {
    title: 'One model replies with content null',
    breaks: ['choice.message-content'],
    only: (call) => call.body['model'] === 'sea-old',
    completion: put(`${FIRST}/message/content`, null),
  },
  'chat-status-201': {
    title: 'Completions have status 201',
    breaks: ['endpoint.chat-answers'],
    only: isPlain,
    answer: onStatus(200, (reply) => ({ ...reply, status: 201 })),
  },
  'chat-status-202-queued': {
    title: 'Completions are queued: status 202 and a job id',
    breaks: ['endpoint.chat-answers'],
    only: isPlain,
    answer: onStatus(200, () => jsonReply(202, { id: 'job-1', status: 'queued' })),
  },
  'chat-redirect': {
    title: 'Chat requests are redirected',
    breaks: ['endpoint.chat-answers'],
    only: isChat,
    answer: onStatus(200, () => jsonReply(308, {}, { location: '/v1/chat/completions/' })),
  },
  'chat-two-texts': {
    title: 'A completion is followed by a second JSON value',
    breaks: ['endpoint.chat-json'],
    only: isPlain,
    answer: onStatus(200, (reply) => {
      const text = 'json' in reply.body ? JSON.stringify(reply.body.json) : '';
      return replaceBody('application/json', `${text}\n{"done":true}\n`)(reply);
    }),
  },
  'chat-json-not-a-number': {
    title: 'A completion contains NaN, which is not JSON',
    breaks: ['endpoint.chat-json'],
    only: isPlain,
    answer: onStatus(200, (reply) => {
      const text = 'json' in reply.body ? JSON.stringify(reply.body.json) : '';
      return replaceBody('application/json', text.replace(/"created":\d+/, '"created":NaN'))(reply);
    }),
  },
  'chat-model-substituted': {
    title: 'An unknown model is silently replaced by a default model',
    source: 'https://github.com/icebear0828/codex-proxy/issues/660',
    breaks: ['request.unknown-model'],
    refusal: letPass('model-unknown'),
    reply: (reply) => (reply.model.startsWith('sea-') ? reply : { ...reply, model: 'sea-large' }),
  },
  'chat-model-echo-false': {
    title: 'An unknown model is answered under the requested name',
    source: 'https://github.com/ddalcu/mlx-serve/pull/258',
    breaks: ['request.unknown-model'],
    refusal: letPass('model-unknown'),
  },
  'chat-plain-text-200': {
    title: 'An unknown model gets plain text with status 200',
    source: 'https://github.com/HKUDS/nanobot/pull/2289',
    breaks: ['request.unknown-model', 'endpoint.chat-json'],
    only: isPlain,
    answer: onStatus(404, () => textReply(200, 'text/plain', 'unsupported model')),
  },
} satisfies Record<string, Fault>;
