/** Faults in who is let in (part 5). */
import { errorAnswer, isChat, isModels, isPlain, isStream, letPass, put, refuseWith } from '../change.ts';
import { jsonReply, refusalReply, textReply } from '../answer.ts';
import type { Call } from '../call.ts';
import type { Keys } from '../keys.ts';
import type { Fault } from '../modifier.ts';
import { malformedBody } from '../refusals.ts';

const LOGIN_PAGE = '<!doctype html><title>Sign in</title><form>Name and password</form>';

/** The full role for a bearer that the test takes for the full key. */
function takes(test: (sent: string, key: string, call: Call) => boolean): NonNullable<Fault['authorize']> {
  return (caller, call, keys: Keys) => caller ?? (test(call.bearer ?? '', keys.full, call) ? 'full' : undefined);
}

const authorizationOf = (call: Call): string => call.headers.authorization ?? '';

export const AUTH_FAULTS = {
  'auth-any-bearer-accepted': {
    title: 'Any bearer string is let through',
    source: 'https://github.com/elasticdotventures/_b00t_/issues/529',
    breaks: ['auth.required'],
    authorize: takes((sent) => sent !== ''),
  },
  'auth-prefix-is-enough': {
    title: 'Any key with the right prefix is let through',
    breaks: ['auth.required'],
    authorize: takes((sent) => sent.startsWith('sk-service-')),
  },
  'auth-no-key-accepted': {
    title: 'A request without a key is let through, a wrong key is refused',
    breaks: ['auth.required'],
    authorize: takes((_sent, _key, call) => authorizationOf(call) === ''),
  },
  'auth-empty-bearer-accepted': {
    title: 'An empty bearer is let through',
    breaks: ['auth.required'],
    authorize: takes((_sent, _key, call) => /^bearer\s*$/i.test(authorizationOf(call))),
  },
  'auth-basic-accepted': {
    title: 'The scheme Basic is let through',
    breaks: ['auth.required'],
    authorize: takes((_sent, _key, call) => /^basic /i.test(authorizationOf(call))),
  },
  'auth-key-behind-basic-accepted': {
    title: 'The valid key is let through behind the word Basic',
    breaks: ['auth.required'],
    authorize: takes((_sent, key, call) => authorizationOf(call) === `Basic ${key}`),
  },
  'auth-scheme-ignored': {
    title: 'The valid key is let through under any scheme',
    breaks: ['auth.required'],
    authorize: takes((_sent, key, call) => authorizationOf(call).split(' ')[1] === key),
  },
  'auth-bare-key-accepted': {
    title: 'A valid key without a scheme is let through',
    breaks: ['auth.required'],
    authorize: takes((_sent, key, call) => authorizationOf(call) === key),
  },
  'auth-longer-key-accepted': {
    title: 'A valid key with a character added is let through',
    breaks: ['auth.required'],
    authorize: takes((sent, key) => sent.startsWith(key)),
  },
  'auth-shorter-key-accepted': {
    title: 'A valid key with a character missing is let through',
    breaks: ['auth.required'],
    authorize: takes((sent, key) => sent.length > 20 && key.startsWith(sent)),
  },
  'auth-models-open': {
    title: 'Model list served without a key',
    source: 'https://github.com/RWKV-Vibe/rwkv_lightning/pull/1',
    breaks: ['auth.required'],
    only: isModels,
    refusal: letPass('key'),
  },
  'auth-chat-open': {
    title: 'Chat completions answered without a key',
    breaks: ['auth.required'],
    only: isChat,
    refusal: letPass('key'),
  },
  'auth-stream-open': {
    title: 'Streams answered without a key',
    breaks: ['auth.required'],
    only: isStream,
    refusal: letPass('key'),
  },
  'auth-longer-key-accepted-for-chat': {
    title: 'A key with a character added is let through to chat completions only',
    breaks: ['auth.required'],
    only: isPlain,
    authorize: takes((sent, key) => sent.startsWith(key)),
  },
  'auth-missing-key-403': {
    title: 'Missing or malformed Authorization header gives 403',
    source: 'https://github.com/fastapi/fastapi/issues/2026',
    breaks: ['auth.required'],
    only: (call) => call.bearer === undefined,
    refusal: refuseWith(403, 'key'),
  },
  'auth-unknown-key-403': {
    title: 'An unknown key gives 403',
    breaks: ['auth.required'],
    only: (call) => call.bearer !== undefined,
    refusal: refuseWith(403, 'key'),
  },
  'auth-unknown-key-400': {
    title: 'A key without the prefix gives 400',
    breaks: ['auth.required'],
    only: (call) => call.bearer !== undefined && !call.bearer.startsWith('sk-service-'),
    refusal: refuseWith(400, 'key'),
  },
  'auth-missing-key-404': {
    title: 'The model list hides behind 404 from those without a key',
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
    title: 'Chat completions tell of a missing key with status 200',
    breaks: ['auth.required'],
    only: isChat,
    refusal: refuseWith(200, 'key'),
  },
  'auth-empty-list-200': {
    title: 'Without a key the model list is empty instead of refused',
    breaks: ['auth.required'],
    only: isModels,
    answer: (reply) => (reply.status === 401 ? jsonReply(200, { object: 'list', data: [] }) : reply),
  },
  'auth-error-string': {
    title: '401 body has error as a bare string',
    source: 'https://github.com/decolua/9router/pull/3025',
    breaks: ['errors.object'],
    error: (body, { status }) => (status === 401 ? { error: 'API key required for remote API access' } : body),
  },
  'auth-login-redirect-html': {
    title: 'Unauthenticated API call redirected to an HTML login page',
    source: 'https://github.com/huanyingtianhe/agents-chat/pull/21',
    breaks: ['auth.required'],
    answer: (reply) =>
      reply.status === 401
        ? { ...textReply(302, 'text/html', LOGIN_PAGE), headers: { location: '/login', 'content-type': 'text/html' } }
        : reply,
  },
  'auth-login-page-200': {
    title: 'Unauthenticated API call answered with a login page',
    breaks: ['auth.required'],
    answer: (reply) => (reply.status === 401 ? textReply(200, 'text/html', LOGIN_PAGE) : reply),
  },
  'auth-raw-key-no-scheme': {
    title: 'Server compares the whole Authorization value with the key',
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
    title: 'A refused key is repeated in the message',
    breaks: ['auth.key-echo'],
    error: (body, { rule }, call) =>
      rule === 'key' ? put('/error/message', `Incorrect API key provided: ${call.bearer ?? 'none'}.`)(body) : body,
  },
  'auth-key-echo-header': {
    title: 'The key comes back in a header',
    breaks: ['auth.key-echo'],
    answer: (reply, call) =>
      call.bearer === undefined ? reply : { ...reply, headers: { ...reply.headers, 'x-debug-key': call.bearer } },
  },
  'auth-restricted-call-answered': {
    title: 'A model that the key may not call is answered',
    breaks: ['auth.restricted-call'],
    refusal: letPass('model-forbidden'),
  },
  'auth-restricted-call-200-error': {
    title: 'The refusal of a forbidden model comes with status 200',
    breaks: ['auth.restricted-call'],
    refusal: refuseWith(200, 'model-forbidden'),
  },
  'auth-restricted-call-500': {
    title: 'A model that the key may not call crashes the gateway',
    breaks: ['errors.no-server-error'],
    answer: (reply) => (reply.status === 403 ? errorAnswer(500) : reply),
  },
} satisfies Record<string, Fault>;
