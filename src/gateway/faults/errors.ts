/** Faults in error bodies and statuses (part 7). */
import { type Refusal, jsonReply, textReply } from '../answer.ts';
import { all, type Change, drop, put } from '../change.ts';
import {
  cutBody,
  errorAnswer,
  onErrors,
  onStatus,
  onSuccess,
  redirect,
  refuseWith,
  replaceBody,
  setHeader,
} from '../change-answer.ts';
import { isChat, isModels, isPlain, isStream } from '../call-tests.ts';
import type { JsonObject } from '../json.ts';
import { breaking, type Fault, fault, row } from '../modifier.ts';

const HTML = '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>';

/** Changes only error bodies with this status. */
const on =
  (status: number, change: Change) =>
  (body: JsonObject, refusal: Refusal): JsonObject =>
    refusal.status === status ? change(body) : body;

const message = (text: string): ReturnType<typeof put> => put('/error/message', text);

/** What strangers should not learn from an error. */
const LEAKS = {
  'error-shows-upstream-address': row('Errors show the address of the upstream', {
    error: on(400, message('dial tcp 10.0.3.7:8000: connect: connection refused')),
  }),
  'error-shows-upstream-name': row('Errors show the name of the upstream', {
    error: on(404, message('Post "http://vllm-0.models.svc.cluster.local/v1/chat/completions": EOF')),
  }),
  'error-shows-file': row('Errors show a file of the gateway, with its line', {
    error: on(400, message('validation failed at /app/gateway/handlers/chat.py:42')),
  }),
  'error-shows-stack-trace': row('Errors show a stack trace', {
    error: on(
      401,
      message(
        'TypeError: key is null\n    at check (/srv/app/keys.js:10:7)\n    at run (/srv/app/main.js:3:1)\n    at next (node:internal:5:5)',
      ),
    ),
  }),
};

export const ERRORS_FAULTS = {
  'error-code-integer': fault('error.code is a number', 'errors.code', {
    source: 'https://github.com/agentgateway/agentgateway/issues/2664',
    error: (body, { status }) => put('/error/code', status)(body),
  }),
  'error-code-null': fault('error.code is null', 'errors.code', {
    source: 'https://github.com/tenstorrent/tt-inference-server/pull/2772',
    error: put('/error/code', null),
  }),
  'error-code-missing': fault('error.code is missing', 'errors.code', { error: drop('/error/code') }),
  'error-code-missing-400': fault('error.code is missing for invalid requests', 'errors.code', {
    error: on(400, drop('/error/code')),
  }),
  'error-code-integer-402': fault('error.code is a number for an exhausted key', 'errors.code', {
    error: on(402, put('/error/code', 402)),
  }),
  'error-code-missing-in-streams': fault('error.code is missing for streaming requests', 'errors.code', {
    only: isStream,
    error: drop('/error/code'),
  }),
  'error-type-missing': fault('error.type is missing', 'errors.type', {
    source: 'https://github.com/open-webui/open-webui/issues/16817',
    error: drop('/error/type'),
  }),
  'error-type-null': fault('error.type is null', 'errors.type', { error: put('/error/type', null) }),
  'error-type-missing-401': fault('error.type is missing when the model list is refused with 401', 'errors.type', {
    only: isModels,
    error: on(401, drop('/error/type')),
  }),
  'error-type-missing-429': fault('error.type is missing when the rate limit is exceeded', 'errors.type', {
    error: on(429, drop('/error/type')),
  }),
  'error-message-array': fault('error.message is a list', 'errors.message', {
    source: 'https://github.com/ayunis-core/ayunis-core/pull/705',
    error: on(400, put('/error/message', ['messages must be an array', 'model must be a string'])),
  }),
  'error-message-missing': fault('error has msg instead of message', 'errors.message', {
    error: all(drop('/error/message'), put('/error/msg', 'No.')),
  }),
  'error-message-null': fault('error.message is null', 'errors.message', { error: put('/error/message', null) }),
  'error-message-empty': fault('error.message is an empty string', 'errors.message-not-empty', {
    error: put('/error/message', ''),
  }),
  'error-string': fault('error is a string', 'errors.object', { error: (_body, { message }) => ({ error: message }) }),
  'error-detail': fault('The body has detail instead of error', 'errors.object', {
    error: (_body, { message }) => ({ detail: message }),
  }),
  'error-flat': fault('message, type and code are at the top level', 'errors.object', {
    error: (body) => body['error'] ?? null,
  }),
  'error-null': fault('error is null', 'errors.object', { error: put('/error', null) }),
  'error-403-reason-message': fault('The body of a 403 is {reason, message}', 'errors.object', {
    source: 'https://github.com/lobehub/lobehub/pull/19404',
    error: on(403, () => ({ reason: 'NOT_ENOUGH_BALANCE', message: 'Balance is 0.' })),
  }),
  'error-array-wrapped': fault('The error body is wrapped in an array', 'errors.json', {
    source: 'https://github.com/coreply/coreply/issues/18',
    error: (body) => [body],
  }),
  'error-html': fault('Errors are HTML pages', 'errors.json', {
    source: 'https://github.com/letta-ai/letta-code/pull/1179',
    answer: onErrors(replaceBody('text/html', HTML)),
  }),
  'error-html-403': fault("The body of a 403 is a firewall's HTML page", 'errors.json', {
    answer: onStatus(403, replaceBody('text/html', '<html><body>Forbidden</body></html>')),
  }),
  'error-text-401': fault('The body of a 401 is plain text', 'errors.json', {
    answer: onStatus(401, replaceBody('text/plain', 'Unauthorized')),
  }),
  'error-empty-body': fault('Errors have no body', 'errors.json', { answer: onErrors(replaceBody('', '')) }),
  'error-empty-body-404': fault('An unknown model is refused without a body', 'errors.json', {
    only: isChat,
    answer: onStatus(404, replaceBody('', '')),
  }),
  'error-event-for-stream': fault('Errors of streaming requests are sent as events', 'errors.json', {
    only: isStream,
    answer: onErrors(replaceBody('text/event-stream', (text) => `data: ${text}\n\ndata: [DONE]\n\n`)),
  }),
  'error-truncated-json': fault('The JSON of errors is cut off, with a matching Content-Length', 'errors.json', {
    answer: onErrors(replaceBody('application/json', (text) => text.slice(0, 40))),
  }),
  'error-labelled-text': fault('Errors are labelled text/plain', 'wire.json-labelled', {
    answer: onErrors(setHeader('content-type', 'text/plain')),
  }),
  'transport-waf-403-cut': fault('The body of a 403 breaks off', 'errors.json', {
    source: 'https://github.com/RooCodeInc/Roo-Code/issues/5724',
    answer: onStatus(403, cutBody),
  }),
  'error-200-validation-string': fault(
    'top_p 0 is refused with status 200',
    ['limits.top-p-in-range', 'completion.no-error'],
    {
      source: 'https://github.com/Azure/azure-sdk-for-net/issues/44135',
      answer: onSuccess(
        ({ body }) => body['top_p'] === 0,
        () => jsonReply(200, { error: 'Input validation error', error_type: 'validation' }),
      ),
    },
  ),
  'error-200-for-limits': fault(
    'Values out of range are refused with status 200',
    ['limits.max-tokens', 'limits.temperature', 'limits.top-p'],
    { refusal: refuseWith(200, 'max-tokens-range', 'temperature-range', 'top-p-range') },
  ),
  'error-200-for-wrong-types': fault(
    'A temperature that is not a number is refused with status 200',
    ['request.temperature-type', 'errors.refusal-in-form'],
    { refusal: refuseWith(200, 'temperature-type') },
  ),
  'error-redirect-for-unknown-role': fault(
    'An unknown role is redirected to a help page',
    ['message.unknown-role', 'errors.refusal-in-form'],
    { refusal: redirect('role-unknown') },
  ),
  'error-redirect-for-unknown-model': fault(
    'An unknown model is redirected to a help page',
    ['request.unknown-model', 'errors.refusal-in-form'],
    { refusal: redirect('model-unknown') },
  ),
  'error-200-flat-not-found': fault(
    'An unknown model gets status 200 and an error at the top level',
    ['request.unknown-model', 'service.reply'],
    {
      source: 'https://github.com/runpod-workers/worker-vllm/issues/57',
      only: isPlain,
      answer: onStatus(404, () =>
        jsonReply(200, { code: 404, message: 'No such model.', object: 'error', param: null, type: 'NotFoundError' }),
      ),
    },
  ),
  'error-unknown-model-503': fault('An unknown model is refused with 503', 'errors.no-server-error', {
    source: 'https://github.com/Wei-Shaw/sub2api/pull/1489',
    refusal: refuseWith(503, 'model-unknown'),
  }),
  'param-malformed-json-500-text': fault(
    'Malformed JSON causes a 500 with plain text',
    ['errors.no-server-error', 'errors.json'],
    {
      source: 'https://github.com/sgl-project/sglang/issues/3805',
      only: (call) => isChat(call) && call.parsed === undefined,
      answer: onStatus(400, () => textReply(500, 'text/plain', 'Internal Server Error')),
    },
  ),
  ...breaking('errors.no-leak', LEAKS),
  ...breaking('errors.passing-server-error', {
    'error-503-once-html': row("The first chat request gets a 503 with a proxy's HTML page", {
      answer: onSuccess(
        (call) => isChat(call) && call.attempt === 1 && call.ordinal === 1,
        () => textReply(503, 'text/html', HTML),
      ),
    }),
    'error-500-once-without-code': row('The first request gets a 500 without error.code', {
      only: (call) => isModels(call) && call.number === 1,
      before: () => jsonReply(500, { error: { message: 'The cache is cold.', type: 'server_error' } }),
    }),
  }),
  'error-every-chat-503': fault('Every chat request gets a 503', ['endpoint.chat-answers', 'errors.no-server-error'], {
    onChat: () => errorAnswer(503),
  }),
} satisfies Record<string, Fault>;
