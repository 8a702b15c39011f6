/** Faults in the error body and in the statuses (part 7). */
import { type Refusal, type Rule, jsonReply, textReply } from '../answer.ts';
import type { Call } from '../call.ts';
import {
  cutBody,
  drop,
  errorAnswer,
  isChat,
  isModels,
  isPlain,
  isStream,
  onErrors,
  onStatus,
  put,
  refuseWith,
  replaceBody,
  type Change,
} from '../change.ts';
import type { JsonObject } from '../json.ts';
import type { Fault } from '../modifier.ts';

const HTML = '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>';

/** Changes the error body of some statuses only. */
const on =
  (statuses: readonly number[], change: Change) =>
  (body: JsonObject, { status }: Refusal): JsonObject =>
    statuses.includes(status) ? change(body) : body;

/** Sends those who break one of the rules to a page of help. */
const redirect =
  (...rules: readonly Rule[]) =>
  (reason: Refusal): Refusal =>
    rules.includes(reason.rule) ? { ...reason, status: 302, headers: { location: '/help' } } : reason;

const isTopPZero = (call: Call): boolean => call.body['top_p'] === 0;

export const ERRORS_FAULTS = {
  'error-code-integer': {
    title: 'error.code is a number',
    source: 'https://github.com/agentgateway/agentgateway/issues/2664',
    breaks: ['errors.code'],
    error: (body, { status }) => put('/error/code', status)(body),
  },
  'error-code-null': {
    title: 'error.code is null',
    source: 'https://github.com/tenstorrent/tt-inference-server/pull/2772',
    breaks: ['errors.code'],
    error: put('/error/code', null),
  },
  'error-code-missing': {
    title: 'error.code absent',
    breaks: ['errors.code'],
    error: drop('/error/code'),
  },
  'error-code-missing-400': {
    title: 'error.code absent in refusals of invalid requests only',
    breaks: ['errors.code'],
    error: on([400], drop('/error/code')),
  },
  'error-code-integer-402': {
    title: 'error.code is a number when a key is used up',
    breaks: ['errors.code'],
    error: on([402], put('/error/code', 402)),
  },
  'error-code-missing-in-streams': {
    title: 'error.code absent when a stream was asked for',
    breaks: ['errors.code'],
    only: isStream,
    error: drop('/error/code'),
  },
  'error-type-missing': {
    title: 'error.type absent',
    source: 'https://github.com/open-webui/open-webui/issues/16817',
    breaks: ['errors.type'],
    error: drop('/error/type'),
  },
  'error-type-null': {
    title: 'error.type is null',
    breaks: ['errors.type'],
    error: put('/error/type', null),
  },
  'error-type-missing-401': {
    title: 'error.type absent in a 401 to the model list',
    breaks: ['errors.type'],
    only: isModels,
    error: on([401], drop('/error/type')),
  },
  'error-type-missing-429': {
    title: 'error.type absent when there are too many calls',
    breaks: ['errors.type'],
    error: on([429], drop('/error/type')),
  },
  'error-message-array': {
    title: 'error.message is a list',
    source: 'https://github.com/ayunis-core/ayunis-core/pull/705',
    breaks: ['errors.message'],
    error: on([400], put('/error/message', ['messages must be an array', 'model must be a string'])),
  },
  'error-message-missing': {
    title: 'error.message is called msg',
    breaks: ['errors.message'],
    error: (body) => ({ ...put('/error/msg', 'No.')(drop('/error/message')(body)) }),
  },
  'error-message-null': {
    title: 'error.message is null',
    breaks: ['errors.message'],
    error: put('/error/message', null),
  },
  'error-message-empty': {
    title: 'error.message is empty',
    breaks: ['errors.message-not-empty'],
    error: put('/error/message', ''),
  },
  'error-string': {
    title: 'error is a string',
    breaks: ['errors.object'],
    error: (_body, { message }) => ({ error: message }),
  },
  'error-detail': {
    title: 'The error stands in detail',
    breaks: ['errors.object'],
    error: (_body, { message }) => ({ detail: message }),
  },
  'error-flat': {
    title: 'message, type and code stand at the top',
    breaks: ['errors.object'],
    error: (body) => body['error'] ?? null,
  },
  'error-null': {
    title: 'error is null',
    breaks: ['errors.object'],
    error: put('/error', null),
  },
  'error-403-reason-message': {
    title: '403 body is {reason, message}',
    source: 'https://github.com/lobehub/lobehub/pull/19404',
    breaks: ['errors.object'],
    error: (body, { status }) => (status === 403 ? { reason: 'NOT_ENOUGH_BALANCE', message: 'Balance is 0.' } : body),
  },
  'error-array-wrapped': {
    title: 'Error object wrapped in an array',
    source: 'https://github.com/coreply/coreply/issues/18',
    breaks: ['errors.json'],
    error: (body) => [body],
  },
  'error-html': {
    title: 'HTML page instead of a JSON error',
    source: 'https://github.com/letta-ai/letta-code/pull/1179',
    breaks: ['errors.json'],
    answer: onErrors(replaceBody('text/html', HTML)),
  },
  'error-html-403': {
    title: '403 comes as a page of the firewall in front',
    breaks: ['errors.json'],
    answer: onStatus(403, replaceBody('text/html', '<html><body>Forbidden</body></html>')),
  },
  'error-text-401': {
    title: '401 has a text body',
    breaks: ['errors.json'],
    answer: onStatus(401, replaceBody('text/plain', 'Unauthorized')),
  },
  'error-empty-body': {
    title: 'Errors have no body',
    breaks: ['errors.json'],
    answer: onErrors(replaceBody('', '')),
  },
  'error-empty-body-404': {
    title: 'An unknown model is refused without a body',
    breaks: ['errors.json'],
    only: isChat,
    answer: onStatus(404, replaceBody('', '')),
  },
  'error-event-for-stream': {
    title: 'The error of a stream comes as an event',
    breaks: ['errors.json'],
    only: isStream,
    answer: onErrors((reply) => {
      const text = 'json' in reply.body ? JSON.stringify(reply.body.json) : '';
      return replaceBody('text/event-stream', `data: ${text}\n\ndata: [DONE]\n\n`)(reply);
    }),
  },
  'error-truncated-json': {
    title: 'The error body is cut off in its middle, with a length to match',
    breaks: ['errors.json'],
    answer: onErrors((reply) => {
      const text = 'json' in reply.body ? JSON.stringify(reply.body.json) : '';
      return replaceBody('application/json', text.slice(0, 40))(reply);
    }),
  },
  'error-labelled-text': {
    title: 'Errors are labelled text/plain',
    breaks: ['wire.json-labelled'],
    answer: onErrors((reply) => ({ ...reply, headers: { ...reply.headers, 'content-type': 'text/plain' } })),
  },
  'transport-waf-403-cut': {
    title: 'Firewall 403 with a cut body',
    source: 'https://github.com/RooCodeInc/Roo-Code/issues/5724',
    breaks: ['errors.json'],
    answer: onStatus(403, cutBody),
  },
  'error-200-validation-string': {
    title: 'Parameter refusal reported with 200',
    source: 'https://github.com/Azure/azure-sdk-for-net/issues/44135',
    breaks: ['limits.top-p-in-range', 'completion.no-error'],
    only: isTopPZero,
    answer: onStatus(200, () => jsonReply(200, { error: 'Input validation error', error_type: 'validation' })),
  },
  'error-200-for-limits': {
    title: 'A value out of range is refused with status 200',
    breaks: ['limits.max-tokens', 'limits.temperature', 'limits.top-p'],
    refusal: refuseWith(200, 'max-tokens-range', 'temperature-range', 'top-p-range'),
  },
  'error-200-for-wrong-types': {
    title: 'A temperature that is not a number is refused with status 200',
    breaks: ['request.temperature-type', 'errors.refusal-in-form'],
    refusal: refuseWith(200, 'temperature-type'),
  },
  'error-redirect-for-unknown-role': {
    title: 'An unknown role is sent to a page of help',
    breaks: ['message.unknown-role', 'errors.refusal-in-form'],
    refusal: redirect('role-unknown'),
  },
  'error-redirect-for-unknown-model': {
    title: 'An unknown model is sent to a page of help',
    breaks: ['request.unknown-model', 'errors.refusal-in-form'],
    refusal: redirect('model-unknown'),
  },
  'error-200-flat-not-found': {
    title: 'Unknown model: 200 with a flat 404 body',
    source: 'https://github.com/runpod-workers/worker-vllm/issues/57',
    breaks: ['request.unknown-model', 'service.reply'],
    only: isPlain,
    answer: onStatus(404, () =>
      jsonReply(200, { code: 404, message: 'No such model.', object: 'error', param: null, type: 'NotFoundError' }),
    ),
  },
  'error-unknown-model-503': {
    title: 'Unknown model reported as 503',
    source: 'https://github.com/Wei-Shaw/sub2api/pull/1489',
    breaks: ['errors.no-server-error'],
    refusal: refuseWith(503, 'model-unknown'),
  },
  'param-malformed-json-500-text': {
    title: 'Malformed JSON body gives text 500',
    source: 'https://github.com/sgl-project/sglang/issues/3805',
    breaks: ['errors.no-server-error', 'errors.json'],
    answer: (reply, call) =>
      call.endpoint === 'chat' && reply.status === 400 && call.parsed === undefined
        ? textReply(500, 'text/plain', 'Internal Server Error')
        : reply,
  },
  'error-503-once-html': {
    title: 'One 503 with a page of the proxy in front, and then all is well',
    breaks: ['errors.passing-server-error'],
    only: (call) => call.endpoint === 'chat' && call.attempt === 1 && call.ordinal === 1,
    answer: onStatus(200, () => textReply(503, 'text/html', HTML)),
  },
  'error-500-once-without-code': {
    title: 'One 500 without error.code on the model list, and then all is well',
    breaks: ['errors.passing-server-error'],
    only: (call) => isModels(call) && call.number === 1,
    before: () => jsonReply(500, { error: { message: 'The cache is cold.', type: 'server_error' } }),
  },
  'error-every-chat-503': {
    title: 'Every chat request ends in 503',
    breaks: ['endpoint.chat-answers', 'errors.no-server-error'],
    only: isChat,
    answer: onStatus(200, () => errorAnswer(503)),
  },
} satisfies Record<string, Fault>;
