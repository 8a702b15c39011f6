/** Faults in authentication and permissions (part 5). */
import { errorAnswer, isChat, isModels, isPlain, isStream, letPass, put, refuseWith } from '../change.ts';
import { jsonReply, refusalReply, textReply } from '../answer.ts';
import type { Call } from '../call.ts';
import type { Keys } from '../keys.ts';
import type { Fault } from '../modifier.ts';
import { malformedBody } from '../refusals.ts';

const LOGIN_PAGE = '<!doctype html><title>Sign in</title><form>Name and password</form>';

/** Gives the full role to callers that pass the test. */
function acceptIf(test: (sent: string, key: string, call: Call) => boolean): NonNullable<Fault['authorize']> {
  return (caller, call, keys: Keys) => caller ?? (test(call.bearer ?? '', keys.full, call) ? 'full' : undefined);
}

const authorizationOf = (call: Call): string => call.headers.authorization ?? '';

export const AUTH_FAULTS = {
  'auth-any-bearer-accepted': {
    title: 'Any bearer token is accepted',
    source: 'https://github.com/elasticdotventures/_b00t_/issues/529',
    breaks: ['auth.required'],
    authorize: acceptIf((sent) => sent !== ''),
  },
  'auth-prefix-is-enough': {
    title: 'Any key with the right prefix is accepted',
    breaks: ['auth.required'],
    authorize: acceptIf((sent) => sent.startsWith('sk-service-')),
  },
  'auth-no-key-accepted': {
    title: 'A request without a key is accepted, while a wrong key is refused',
    breaks: ['auth.required'],
    authorize: acceptIf((_sent, _key, call) => authorizationOf(call) === ''),
  },
  'auth-empty-bearer-accepted': {
    title: 'An empty bearer token is accepted',
    breaks: ['auth.required'],
    authorize: acceptIf((_sent, _key, call) => /^bearer\s*$/i.test(authorizationOf(call))),
  },
  'auth-basic-accepted': {
    title: 'Any Basic credentials are accepted',
    breaks: ['auth.required'],
    authorize: acceptIf((_sent, _key, call) => /^basic /i.test(authorizationOf(call))),
  },
  'auth-key-behind-basic-accepted': {
    title: 'The valid key is accepted with the scheme Basic',
    breaks: ['auth.required'],
    authorize: acceptIf((_sent, key, call) => authorizationOf(call) === `Basic ${key}`),
  },
  'auth-scheme-ignored': {
    title: 'The valid key is accepted with any scheme',
    breaks: ['auth.required'],
    authorize: acceptIf((_sent, key, call) => authorizationOf(call).split(' ')[1] === key),
  },
  'auth-bare-key-accepted': {
    title: 'The valid key is accepted without a scheme',
    breaks: ['auth.required'],
    authorize: acceptIf((_sent, key, call) => authorizationOf(call) === key),
  },
  'auth-longer-key-accepted': {
    title: 'The valid key with an extra character is accepted',
    breaks: ['auth.required'],
    authorize: acceptIf((sent, key) => sent.startsWith(key)),
  },
  'auth-shorter-key-accepted': {
    title: 'The valid key with a missing character is accepted',
    breaks: ['auth.required'],
    authorize: acceptIf((sent, key) => sent.length > 20 && key.startsWith(sent)),
  },
  'auth-models-open': {
    title: 'The model list is served without a key',
    source: 'https://github.com/RWKV-Vibe/rwkv_lightning/pull/1',
    breaks: ['auth.required'],
    only: isModels,
    refusal: letPass('key'),
  },
  'auth-chat-open': {
    title: 'Chat requests are answered without a key',
    breaks: ['auth.required'],
    only: isChat,
    refusal: letPass('key'),
  },
  'auth-stream-open': {
    title: 'Streams are answered without a key',
    breaks: ['auth.required'],
    only: isStream,
    refusal: letPass('key'),
  },
  'auth-longer-key-accepted-for-chat': {
    title: 'The valid key with an extra character is accepted for chat completions only',
    breaks: ['auth.required'],
    only: isPlain,
    authorize: acceptIf((sent, key) => sent.startsWith(key)),
  },
  'auth-missing-key-403': {
    title: 'A missing or malformed Authorization header is refused with 403',
    source: 'https://github.com/fastapi/fastapi/issues/2026',
    breaks: ['auth.required'],
    only: (call) => call.bearer === undefined,
    refusal: refuseWith(403, 'key'),
  },
  'auth-unknown-key-403': {
    title: 'An unknown key is refused with 403',
    breaks: ['auth.required'],
    only: (call) => call.bearer !== undefined,
    refusal: refuseWith(403, 'key'),
  },
  'auth-unknown-key-400': {
    title: 'A key without the prefix is refused with 400',
    breaks: ['auth.required'],
    only: (call) => call.bearer !== undefined && !call.bearer.startsWith('sk-service-'),
    refusal: refuseWith(400, 'key'),
  },
  'auth-missing-key-404': {
    title: 'The model list without a key is refused with 404',
    breaks: ['auth.required'],
    only: isModels,
    refusal: refuseWith(404, 'key'),
  },
  'auth-body-before-key': {
    title: 'A malformed body is reported before the missing key',
    breaks: ['auth.required'],
    only: isChat,
    before: (call) => {
      const [first] = malformedBody(call);
      return first === undefined ? undefined : refusalReply(first);
    },
  },
  'auth-unknown-key-500': {
    title: 'The key lookup crashes on an unknown key',
    breaks: ['errors.no-server-error'],
    only: (call) => call.bearer !== undefined,
    refusal: refuseWith(500, 'key'),
  },
  'auth-error-200': {
    title: 'Chat requests without a key get an error with status 200',
    breaks: ['auth.required'],
    only: isChat,
    refusal: refuseWith(200, 'key'),
  },
  'auth-empty-list-200': {
    title: 'Without a key, the model list is empty instead of refused',
    breaks: ['auth.required'],
    only: isModels,
    answer: (reply) => (reply.status === 401 ? jsonReply(200, { object: 'list', data: [] }) : reply),
  },
  'auth-error-string': {
    title: 'error is a string in the body of a 401',
    source: 'https://github.com/decolua/9router/pull/3025',
    breaks: ['errors.object'],
    error: (body, { status }) => (status === 401 ? { error: 'API key required for remote API access' } : body),
  },
  'auth-login-redirect-html': {
    title: 'A request without a key is redirected to an HTML login page',
    source: 'https://github.com/huanyingtianhe/agents-chat/pull/21',
    breaks: ['auth.required'],
    answer: (reply) =>
      reply.status === 401
        ? { ...textReply(302, 'text/html', LOGIN_PAGE), headers: { location: '/login', 'content-type': 'text/html' } }
        : reply,
  },
  'auth-login-page-200': {
    title: 'A request without a key gets a login page with status 200',
    breaks: ['auth.required'],
    answer: (reply) => (reply.status === 401 ? textReply(200, 'text/html', LOGIN_PAGE) : reply),
  },
  'auth-raw-key-no-scheme': {
    title: 'The key is accepted only without the Bearer scheme',
    source: 'https://github.com/1LCB/ollama-gateway/issues/3',
    breaks: ['auth.bearer', 'auth.required'],
    authorize: (_caller, call, keys) => (authorizationOf(call) === keys.full ? 'full' : undefined),
  },
  'auth-key-without-prefix': {
    title: 'Keys do not start with sk-service-',
    breaks: ['auth.key-prefix'],
    keys: { full: 'pk-live-q7Zt3mKx9LwB2vRfYd8HsNc4' },
  },
  'auth-key-in-query': {
    title: 'A key in the query string is accepted',
    breaks: ['auth.key-in-query'],
    authorize: (caller, call, keys) => caller ?? ([...call.query.values()].includes(keys.full) ? 'full' : undefined),
  },
  'auth-key-echo': {
    title: 'The error message repeats the refused key',
    breaks: ['auth.key-echo'],
    error: (body, { rule }, call) =>
      rule === 'key' ? put('/error/message', `Incorrect API key provided: ${call.bearer ?? 'none'}.`)(body) : body,
  },
  'auth-key-echo-header': {
    title: 'A response header repeats the key',
    breaks: ['auth.key-echo'],
    answer: (reply, call) =>
      call.bearer === undefined ? reply : { ...reply, headers: { ...reply.headers, 'x-debug-key': call.bearer } },
  },
  'auth-restricted-call-answered': {
    title: 'A restricted key can call a forbidden model',
    breaks: ['auth.restricted-call'],
    refusal: letPass('model-forbidden'),
  },
  'auth-restricted-call-200-error': {
    title: 'A forbidden model is refused with status 200',
    breaks: ['auth.restricted-call'],
    refusal: refuseWith(200, 'model-forbidden'),
  },
  'auth-restricted-call-500': {
    title: 'A forbidden model causes a 500',
    breaks: ['errors.no-server-error'],
    answer: (reply) => (reply.status === 403 ? errorAnswer(500) : reply),
  },
} satisfies Record<string, Fault>;
