/** Faults in authentication and permissions (part 5). */
import { put } from '../change.ts';
import { errorAnswer, letPass, onStatus, refuseIf, refuseWith, replaceBody, setHeader } from '../change-answer.ts';
import { isChat, isModels, isPlain, isStream } from '../call-tests.ts';
import { type Answer, jsonReply, refusalReply, textReply } from '../answer.ts';
import type { Call } from '../call.ts';
import { KEYS, type Keys, MODELS } from '../access.ts';
import { breaking, type Fault, fault, row } from '../modifier.ts';
import { malformedBody, refusal } from '../refusals.ts';

/** Broken by whoever does not look at the key: one that is unknown, one that was revoked, and one that expired. */
const ANY_KEY = ['auth.required', 'auth.revoked-key', 'auth.expired-key'];
const LOGIN_PAGE = '<!doctype html><title>Sign in</title><form>Name and password</form>';

/** Gives the full role to callers that pass the test. */
function acceptIf(test: (sent: string, key: string, call: Call) => boolean): NonNullable<Fault['authorize']> {
  return (caller, call, keys: Keys) => caller ?? (test(call.bearer ?? '', keys.full, call) ? 'full' : undefined);
}

const isNoModel = ({ body: { model } }: Call): boolean =>
  typeof model === 'string' && !MODELS.some(({ id }) => id === model);

const authorizationOf = (call: Call): string => call.headers.authorization ?? '';

const UNKNOWN_TENANT = refusal('invented', 400, 'unknown_tenant', 'No tenant has this name.');

/** User and password. */
const basicOf = (call: Call): readonly string[] =>
  Buffer.from(/^Basic (.+)/.exec(authorizationOf(call))?.[1] ?? '', 'base64')
    .toString()
    .split(':');

const reportBody = (call: Call): Answer | undefined => {
  const [first] = isChat(call) ? malformedBody(call) : [];
  return first === undefined ? undefined : refusalReply(first);
};

const isRestricted = (call: Call): boolean => call.bearer === KEYS.restricted;

const isRevoked = (call: Call): boolean => call.bearer === KEYS.revoked;

export const AUTH_FAULTS = {
  ...breaking(ANY_KEY, {
    'auth-any-bearer-accepted': row('Any bearer token is accepted', {
      source: 'https://github.com/elasticdotventures/_b00t_/issues/529',
      authorize: acceptIf((sent) => sent !== ''),
    }),
    'auth-prefix-is-enough': row('Any key with the right prefix is accepted', {
      authorize: acceptIf((sent) => sent.startsWith('sk-service-')),
    }),
    'auth-models-open': row('The model list is served without a key', {
      source: 'https://github.com/RWKV-Vibe/rwkv_lightning/pull/1',
      only: isModels,
      refusal: letPass('key'),
    }),
    'auth-chat-open': row('Chat requests are answered without a key', { only: isChat, refusal: letPass('key') }),
    'auth-stream-open': row('Streams are answered without a key', { only: isStream, refusal: letPass('key') }),
    'auth-cache-before-key': row('A cache by body answers before the key is looked at', {
      before: (call) => call.cached,
    }),
    'auth-cache-before-key-for-streams': row('A cache by body answers streams before the key is looked at', {
      only: isStream,
      before: (call) => call.cached,
    }),
    'auth-unknown-key-403': row('An unknown key is refused with 403', {
      only: (call) => call.bearer !== undefined,
      refusal: refuseWith(403, 'key'),
    }),
    'auth-missing-key-404': row('The model list without a key is refused with 404', {
      only: isModels,
      refusal: refuseWith(404, 'key'),
    }),
    'auth-error-200': row('Chat requests without a key get an error with status 200', {
      only: isChat,
      refusal: refuseWith(200, 'key'),
    }),
    'auth-empty-list-200': row('Without a key, the model list is empty instead of refused', {
      only: isModels,
      answer: onStatus(401, () => jsonReply(200, { object: 'list', data: [] })),
    }),
    'auth-login-redirect-html': row('A request without a key is redirected to an HTML login page', {
      source: 'https://github.com/huanyingtianhe/agents-chat/pull/21',
      answer: onStatus(401, () => setHeader('location', '/login')(textReply(302, 'text/html', LOGIN_PAGE))),
    }),
    'auth-login-page-200': row('A request without a key gets a login page with status 200', {
      answer: onStatus(401, () => textReply(200, 'text/html', LOGIN_PAGE)),
    }),
  }),
  'auth-lost-after-error': fault('After an error, a connection no longer takes the key', 'auth.bearer', {
    authorize: (caller, { previous }) => ((previous?.status ?? 200) >= 400 ? undefined : caller),
  }),
  ...breaking('auth.required', {
    'auth-no-key-accepted': row('A request without a key is accepted, while a wrong key is refused', {
      authorize: acceptIf((_sent, _key, call) => authorizationOf(call) === ''),
    }),
    'auth-empty-bearer-accepted': row('An empty bearer token is accepted', {
      authorize: acceptIf((_sent, _key, call) => /^bearer\s*$/i.test(authorizationOf(call))),
    }),
    'auth-longer-key-accepted': row('The valid key with an extra character is accepted', {
      authorize: acceptIf((sent, key) => sent.startsWith(key)),
    }),
    'auth-dashed-key-accepted': row('Whatever follows a hyphen after the key is ignored', {
      source: 'https://github.com/QuantumNous/new-api',
      authorize: acceptIf((sent, key) => sent.startsWith(`${key}-`)),
    }),
    'auth-shorter-key-accepted': row('The valid key with a missing character is accepted', {
      authorize: acceptIf((sent, key) => sent.length > 20 && key.startsWith(sent)),
    }),
    'auth-shorter-key-accepted-for-chat': row('On chat, the valid key may lack a character', {
      only: isChat,
      authorize: acceptIf((sent, key) => sent.length > 20 && key.startsWith(sent)),
    }),
    'auth-no-prefix-accepted-for-chat': row('On chat, any key without the prefix is accepted', {
      only: isChat,
      authorize: acceptIf((sent) => sent !== '' && !sent.startsWith('sk-')),
    }),
    'auth-basic-accepted-for-chat': row('On chat, any Basic credentials are accepted', {
      only: isChat,
      authorize: acceptIf((_sent, _key, call) => /^basic /i.test(authorizationOf(call))),
    }),
    'auth-empty-bearer-accepted-for-chat': row('On chat, an empty bearer token is accepted', {
      only: isChat,
      authorize: acceptIf((_sent, _key, call) => /^bearer\s*$/i.test(authorizationOf(call))),
    }),
    'auth-key-case-ignored': row('The key is compared without regard to case', {
      authorize: acceptIf((sent, key) => sent.toLowerCase() === key.toLowerCase()),
    }),
    'auth-last-character-ignored': row('The last character of the key is not compared', {
      authorize: acceptIf((sent, key) => sent.length === key.length && sent.startsWith(key.slice(0, -1))),
    }),
    'auth-prefix-alone-accepted': row('The prefix of keys is accepted as a key', {
      authorize: acceptIf((sent) => sent === 'sk-service-'),
    }),
    'auth-unknown-model-first': row('Without a key, an unknown model gets 404', {
      refusal: (reason, call) =>
        reason.rule === 'key' && isNoModel(call) ? { ...reason, status: 404, code: 'unknown_model' } : reason,
    }),
    'auth-empty-body-first': row('Without a key, a request without a body gets 400', {
      only: isChat,
      refusal: (reason, call) =>
        reason.rule === 'key' && call.text === '' ? { ...reason, status: 400, code: 'missing_body' } : reason,
    }),
    'auth-longer-key-accepted-for-chat': row(
      'The valid key with an extra character is accepted for chat completions only',
      { only: isPlain, authorize: acceptIf((sent, key) => sent.startsWith(key)) },
    ),
    'auth-missing-key-403': row('A missing or malformed Authorization header is refused with 403', {
      source: 'https://github.com/fastapi/fastapi/issues/2026',
      only: (call) => call.bearer === undefined,
      refusal: refuseWith(403, 'key'),
    }),
    'auth-unknown-key-400': row('A key without the prefix is refused with 400', {
      only: (call) => call.bearer !== undefined && !call.bearer.startsWith('sk-service-'),
      refusal: refuseWith(400, 'key'),
    }),
    'auth-body-before-key': row('A malformed body is reported before the missing key', { before: reportBody }),
    'auth-body-before-refused-key': row('No key is valid, and a malformed body is reported before the key is refused', {
      authorize: () => undefined,
      before: reportBody,
    }),
  }),
  'auth-basic-accepted': fault('Any Basic credentials are accepted', ['auth.required', 'auth.other-form'], {
    authorize: acceptIf((_sent, _key, call) => /^basic /i.test(authorizationOf(call))),
  }),
  'auth-key-behind-basic-accepted': fault('The valid key is accepted with the scheme Basic', 'auth.other-form', {
    authorize: acceptIf((_sent, key, call) => authorizationOf(call) === `Basic ${key}`),
  }),
  'auth-scheme-ignored': fault('The valid key is accepted with any scheme', 'auth.other-form', {
    authorize: acceptIf((_sent, key, call) => authorizationOf(call).split(' ')[1] === key),
  }),
  'auth-bare-key-accepted': fault('The valid key is accepted without a scheme', 'auth.other-form', {
    authorize: acceptIf((_sent, key, call) => authorizationOf(call) === key),
  }),
  'auth-revoked-key-accepted': fault('A revoked key is still accepted from a cache', 'auth.revoked-key', {
    source: 'https://github.com/latitude-dev/latitude-llm/issues/4538',
    authorize: (caller, call, keys) => caller ?? (call.bearer === keys.revoked ? 'full' : undefined),
  }),
  'auth-expired-key-accepted': fault('The date of expiry of a key is not looked at', 'auth.expired-key', {
    authorize: (caller, call, keys) => caller ?? (call.bearer === keys.expired ? 'full' : undefined),
  }),
  'auth-revoked-key-streams': fault('A revoked key still gets streams', 'auth.revoked-key', {
    only: isStream,
    authorize: (caller, call, keys) => caller ?? (call.bearer === keys.revoked ? 'full' : undefined),
  }),
  'auth-revoked-key-403': fault('A revoked key is refused with 403', 'auth.revoked-key', {
    authorize: (caller, call, keys) => (call.bearer === keys.revoked ? 'full' : caller),
    refuse: (call) => (isRevoked(call) ? refusal('invented', 403, 'key_revoked', 'This key was revoked.') : undefined),
  }),
  'auth-bare-key-accepted-for-chat': fault('On chat, the valid key is accepted without a scheme', 'auth.other-form', {
    only: isChat,
    authorize: acceptIf((_sent, key, call) => authorizationOf(call) === key),
  }),
  'auth-word-after-key-accepted': fault('Words after the key are ignored', 'auth.other-form', {
    authorize: acceptIf((_sent, key, call) => authorizationOf(call).startsWith(`Bearer ${key} `)),
  }),
  'auth-word-before-scheme-accepted': fault('Words before the scheme are ignored', 'auth.other-form', {
    authorize: acceptIf((_sent, key, call) => authorizationOf(call).endsWith(` Bearer ${key}`)),
  }),
  'auth-word-before-key-accepted': fault('Words between the scheme and the key are ignored', 'auth.other-form', {
    authorize: acceptIf(
      (_sent, key, call) => authorizationOf(call).startsWith('Bearer ') && authorizationOf(call).endsWith(` ${key}`),
    ),
  }),
  'auth-basic-password-accepted': fault('The valid key is accepted as a Basic password', 'auth.other-form', {
    authorize: acceptIf((_sent, key, call) => basicOf(call)[1] === key),
  }),
  ...breaking('auth.key-in-query', {
    'auth-key-in-query-accepted-for-chat': row('On chat, the key is accepted in the query string', {
      only: isChat,
      authorize: acceptIf((_sent, key, call) => call.query.get('api_key') === key),
    }),
    'auth-key-in-query': row('A key in the query string is accepted', {
      authorize: (caller, call, keys) => caller ?? ([...call.query.values()].includes(keys.full) ? 'full' : undefined),
    }),
    'auth-key-in-query-other-form': row('A key in the query string selects another form of the list', {
      source: 'https://github.com/QuantumNous/new-api',
      only: isModels,
      authorize: (caller, call, keys) => caller ?? ([...call.query.values()].includes(keys.full) ? 'full' : undefined),
      list: (list, call) => (call.query.has('key') ? { models: [{ name: 'sea-large' }] } : list),
    }),
  }),
  'auth-all-refused-400': fault(
    'Every request is refused with 400, with and without a key',
    'endpoint.models-answers',
    { refusal: () => UNKNOWN_TENANT, refuse: () => UNKNOWN_TENANT },
  ),
  'auth-unknown-key-500': fault('The key lookup crashes on an unknown key', 'errors.no-server-error', {
    only: (call) => call.bearer !== undefined,
    refusal: refuseWith(500, 'key'),
  }),
  'auth-error-string': fault('error is a string in the body of a 401', 'errors.object', {
    source: 'https://github.com/decolua/9router/pull/3025',
    error: (body, { status }) => (status === 401 ? { error: 'API key required for remote API access' } : body),
  }),
  'auth-raw-key-no-scheme': fault(
    'The key is accepted only without the Bearer scheme',
    ['auth.bearer', 'auth.other-form'],
    {
      source: 'https://github.com/1LCB/ollama-gateway/issues/3',
      authorize: (_caller, call, keys) => (authorizationOf(call) === keys.full ? 'full' : undefined),
    },
  ),
  'auth-key-without-prefix': fault('Keys do not start with sk-service-', 'auth.key-prefix', {
    keys: { full: 'pk-live-q7Zt3mKx9LwB2vRfYd8HsNc4' },
  }),
  'auth-key-echo': fault('The error message repeats the refused key', 'auth.key-echo', {
    error: (body, { rule }, call) =>
      rule === 'key' ? put('/error/message', `Incorrect API key provided: ${call.bearer ?? 'none'}.`)(body) : body,
  }),
  'auth-key-echo-header': fault('A response header repeats the key', 'auth.key-echo', {
    answer: (reply, call) => (call.bearer === undefined ? reply : setHeader('x-debug-key', call.bearer)(reply)),
  }),
  'auth-restricted-call-answered': fault('A restricted key can call a forbidden model', 'auth.restricted-call', {
    refusal: letPass('model-forbidden'),
  }),
  'auth-restricted-stream-answered': fault(
    'A restricted key can call a forbidden model if it asks for a stream',
    'auth.restricted-call',
    { only: isStream, refusal: letPass('model-forbidden') },
  ),
  'auth-restricted-stream-200-error': fault(
    'A forbidden model is refused with status 200 if a stream was asked for',
    'auth.restricted-call',
    { only: isStream, refusal: refuseWith(200, 'model-forbidden') },
  ),
  'auth-restricted-list-403': fault(
    'A restricted key is refused its list with 403, while its calls are answered',
    'endpoint.models-answers',
    { only: (call) => isModels(call) && isRestricted(call), refuse: refuseIf(() => true, 403) },
  ),
  'auth-restricted-allowed-stream-403': fault(
    'A restricted key gets 403 for a stream from a model that it may call',
    'stream.answers',
    { only: (call) => isStream(call) && isRestricted(call), refuse: refuseIf(() => true, 403) },
  ),
  'auth-exhausted-stream-text': fault(
    'The refusal of an exhausted key is plain text if a stream was asked for',
    'errors.json',
    { only: isStream, answer: onStatus(402, replaceBody('text/plain', 'Your credit is used up.')) },
  ),
  'auth-exhausted-500': fault('An exhausted key causes a 500', 'errors.no-server-error', {
    refusal: refuseWith(500, 'quota'),
  }),
  'auth-exhausted-200-error': fault(
    'An exhausted key is refused with status 200',
    ['errors.refusal-in-form', 'completion.no-error'],
    { only: isPlain, refusal: refuseWith(200, 'quota') },
  ),
  'auth-exhausted-stream-200-error': fault(
    'An exhausted key is refused with status 200 if a stream was asked for',
    'errors.refusal-in-form',
    { only: isStream, refusal: refuseWith(200, 'quota') },
  ),
  'auth-restricted-call-200-error': fault('A forbidden model is refused with status 200', 'auth.restricted-call', {
    refusal: refuseWith(200, 'model-forbidden'),
  }),
  'auth-restricted-call-500': fault('A forbidden model causes a 500', 'errors.no-server-error', {
    answer: onStatus(403, () => errorAnswer(500)),
  }),
} satisfies Record<string, Fault>;
