/** Faults in error bodies and statuses (part 7). */
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

/** Changes the error body of the given statuses. */
const on =
  (statuses: readonly number[], change: Change) =>
  (body: JsonObject, { status }: Refusal): JsonObject =>
    statuses.includes(status) ? change(body) : body;

/** Redirects to a help page instead of refusing for one of these reasons. */
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
    title: 'error.code is missing',
    breaks: ['errors.code'],
    error: drop('/error/code'),
  },
  'error-code-missing-400': {
    title: 'error.code is missing for invalid requests',
    breaks: ['errors.code'],
    error: on([400], drop('/error/code')),
  },
  'error-code-integer-402': {
    title: 'error.code is a number for an exhausted key',
    breaks: ['errors.code'],
    error: on([402], put('/error/code', 402)),
  },
  'error-code-missing-in-streams': {
    title: 'error.code is missing for streaming requests',
    breaks: ['errors.code'],
    only: isStream,
    error: drop('/error/code'),
  },
  'error-type-missing': {
    title: 'error.type is missing',
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
    title: 'error.type is missing when the model list is refused with 401',
    breaks: ['errors.type'],
    only: isModels,
    error: on([401], drop('/error/type')),
  },
  'error-type-missing-429': {
    title: 'error.type is missing when the rate limit is exceeded',
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
    title: 'error has msg instead of message',
    breaks: ['errors.message'],
    error: (body) => ({ ...put('/error/msg', 'No.')(drop('/error/message')(body)) }),
  },
  'error-message-null': {
    title: 'error.message is null',
    breaks: ['errors.message'],
    error: put('/error/message', null),
  },
  'error-message-empty': {
    title: 'error.message is an empty string',
    breaks: ['errors.message-not-empty'],
    error: put('/error/message', ''),
  },
  'error-string': {
    title: 'error is a string',
    breaks: ['errors.object'],
    error: (_body, { message }) => ({ error: message }),
  },
  'error-detail': {
    title: 'The body has detail instead of error',
    breaks: ['errors.object'],
    error: (_body, { message }) => ({ detail: message }),
  },
  'error-flat': {
    title: 'message, type and code are at the top level',
    breaks: ['errors.object'],
    error: (body) => body['error'] ?? null,
  },
  'error-null': {
    title: 'error is null',
    breaks: ['errors.object'],
    error: put('/error', null),
  },
  'error-403-reason-message': {
    title: 'The body of a 403 is {reason, message}',
    source: 'https://github.com/lobehub/lobehub/pull/19404',
    breaks: ['errors.object'],
    error: (body, { status }) => (status === 403 ? { reason: 'NOT_ENOUGH_BALANCE', message: 'Balance is 0.' } : body),
  },
  'error-array-wrapped': {
    title: 'The error body is wrapped in an array',
    source: 'https://github.com/coreply/coreply/issues/18',
    breaks: ['errors.json'],
    error: (body) => [body],
  },
  'error-html': {
    title: 'Errors are HTML pages',
    source: 'https://github.com/letta-ai/letta-code/pull/1179',
    breaks: ['errors.json'],
    answer: onErrors(replaceBody('text/html', HTML)),
  },
  'error-html-403': {
    title: "The body of a 403 is a firewall's HTML page",
    breaks: ['errors.json'],
    answer: onStatus(403, replaceBody('text/html', '<html><body>Forbidden</body></html>')),
  },
  'error-text-401': {
    title: 'The body of a 401 is plain text',
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
    title: 'Errors of streaming requests are sent as events',
    breaks: ['errors.json'],
    only: isStream,
    answer: onErrors((reply) => {
      const text = 'json' in reply.body ? JSON.stringify(reply.body.json) : '';
      return replaceBody('text/event-stream', `data: ${text}\n\ndata: [DONE]\n\n`)(reply);
    }),
  },
  'error-truncated-json': {
    title: 'The JSON of errors is cut off, with a matching Content-Length',
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
    title: 'The body of a 403 breaks off',
    source: 'https://github.com/RooCodeInc/Roo-Code/issues/5724',
    breaks: ['errors.json'],
    answer: onStatus(403, cutBody),
  },
  'error-200-validation-string': {
    title: 'top_p 0 is refused with status 200',
    source: 'https://github.com/Azure/azure-sdk-for-net/issues/44135',
    breaks: ['limits.top-p-in-range', 'completion.no-error'],
    only: isTopPZero,
    answer: onStatus(200, () => jsonReply(200, { error: 'Input validation error', error_type: 'validation' })),
  },
  'error-200-for-limits': {
    title: 'Values out of range are refused with status 200',
    breaks: ['limits.max-tokens', 'limits.temperature', 'limits.top-p'],
    refusal: refuseWith(200, 'max-tokens-range', 'temperature-range', 'top-p-range'),
  },
  'error-200-for-wrong-types': {
    title: 'A temperature that is not a number is refused with status 200',
    breaks: ['request.temperature-type', 'errors.refusal-in-form'],
    refusal: refuseWith(200, 'temperature-type'),
  },
  'error-redirect-for-unknown-role': {
    title: 'An unknown role is redirected to a help page',
    breaks: ['message.unknown-role', 'errors.refusal-in-form'],
    refusal: redirect('role-unknown'),
  },
  'error-redirect-for-unknown-model': {
    title: 'An unknown model is redirected to a help page',
    breaks: ['request.unknown-model', 'errors.refusal-in-form'],
    refusal: redirect('model-unknown'),
  },
  'error-200-flat-not-found': {
    title: 'An unknown model gets status 200 and an error at the top level',
    source: 'https://github.com/runpod-workers/worker-vllm/issues/57',
    breaks: ['request.unknown-model', 'service.reply'],
    only: isPlain,
    answer: onStatus(404, () =>
      jsonReply(200, { code: 404, message: 'No such model.', object: 'error', param: null, type: 'NotFoundError' }),
    ),
  },
  'error-unknown-model-503': {
    title: 'An unknown model is refused with 503',
    source: 'https://github.com/Wei-Shaw/sub2api/pull/1489',
    breaks: ['errors.no-server-error'],
    refusal: refuseWith(503, 'model-unknown'),
  },
  'param-malformed-json-500-text': {
    title: 'Malformed JSON causes a 500 with plain text',
    source: 'https://github.com/sgl-project/sglang/issues/3805',
    breaks: ['errors.no-server-error', 'errors.json'],
    answer: (reply, call) =>
      call.endpoint === 'chat' && reply.status === 400 && call.parsed === undefined
        ? textReply(500, 'text/plain', 'Internal Server Error')
        : reply,
  },
  'error-503-once-html': {
    title: "The first chat request gets a 503 with a proxy's HTML page",
    breaks: ['errors.passing-server-error'],
    only: (call) => call.endpoint === 'chat' && call.attempt === 1 && call.ordinal === 1,
    answer: onStatus(200, () => textReply(503, 'text/html', HTML)),
  },
  'error-500-once-without-code': {
    title: 'The first request gets a 500 without error.code',
    breaks: ['errors.passing-server-error'],
    only: (call) => isModels(call) && call.number === 1,
    before: () => jsonReply(500, { error: { message: 'The cache is cold.', type: 'server_error' } }),
  },
  'error-every-chat-503': {
    title: 'Every chat request gets a 503',
    breaks: ['endpoint.chat-answers', 'errors.no-server-error'],
    only: isChat,
    answer: onStatus(200, () => errorAnswer(503)),
  },
} satisfies Record<string, Fault>;
