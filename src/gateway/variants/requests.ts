/** Legal oddities in who is let in, what is accepted, and how large it may be. */
import { createHash } from 'node:crypto';
import { KEYS } from '../access.ts';
import { refusalReply } from '../answer.ts';
import { type Call, promptOf } from '../call.ts';
import { alter, put } from '../change.ts';
import { letPass, refuseIf } from '../change-answer.ts';
import { isChat, isModels, isPlain, isStream } from '../call-tests.ts';
import { type Variant, row } from '../modifier.ts';
import { refusal } from '../refusals.ts';

const NULLABLE = ['max_tokens', 'temperature', 'top_p', 'stream'];

/** The number among plain chat calls: those of valid requests are over by then, and every connection is in use. */
const RARE = 40;

export const ACCESS_VARIANTS = {
  'auth-lowercase-scheme-rejected': row('The scheme bearer in lower case is refused', {
    source: 'https://github.com/SamSaffron/term-llm/pull/414',
    authorize: (caller, call) => (call.headers.authorization?.startsWith('Bearer ') ? caller : undefined),
  }),
  'auth-x-api-key-accepted': row('A key in x-api-key is also accepted', {
    authorize: (caller, call, keys) => caller ?? (call.headers['x-api-key'] === keys.full ? 'full' : undefined),
  }),
  'auth-other-form-400': row('The valid key in another form of the header is refused with 400', {
    refusal: (reason, call) =>
      reason.rule === 'key' && call.bearer === undefined && call.headers.authorization?.includes(KEYS.full)
        ? { ...reason, status: 400, code: 'malformed_header' }
        : reason,
  }),
  'auth-401-leaks-internals': row('The message of a 401 exposes a table name and a hash of the key', {
    source: 'https://github.com/BerriAI/litellm/issues/39757',
    error: (body, { rule }, call) => {
      const key = call.bearer ?? '';
      const hash = createHash('sha256').update(key).digest('hex');
      const message = `Proxy error: key sk-...${key.slice(-4)} (hash ${hash}) is not in table VerificationToken.`;
      return rule === 'key' ? put('/error/message', message)(body) : body;
    },
  }),
  'auth-403-lists-allowlist': row('The message of a 403 lists all models that the key may call', {
    source: 'https://github.com/BerriAI/litellm/issues/40217',
    error: (body, { rule }) =>
      rule === 'model-forbidden' ? put('/error/message', 'This key may only call: sea-small.')(body) : body,
  }),
  'restricted-403-once': row('A restricted key is refused its list and its stream with 403 the first time', {
    only: (call) => call.bearer === KEYS.restricted && (isModels(call) || isStream(call)),
    refuse: refuseIf((call) => call.attempt === 1, 403),
  }),
  'auth-401-once-on-used-connection': row('One request on a used connection gets a 401, which goes away', {
    only: (call) => isPlain(call) && call.ordinal === RARE,
    authorize: (caller, { previous }) => (previous ? undefined : caller),
  }),
  'auth-401-without-challenge': row('A 401 has no WWW-Authenticate header', {
    refusal: (reason) => (reason.rule === 'key' ? { ...reason, headers: {} } : reason),
  }),
  'revoked-key-told': row('The 401 to a revoked key says that it was revoked', {
    error: (body, { rule }, call) =>
      rule === 'key' && call.bearer === KEYS.revoked ? put('/error/code', 'key_revoked')(body) : body,
  }),
  'fields-need-others': row('Fields that mean nothing without another one are refused without it', {
    refuse: ({ body }) =>
      (body['stream_options'] !== undefined && body['stream'] !== true) ||
      (body['parallel_tool_calls'] !== undefined && body['tools'] === undefined) ||
      (body['tool_choice'] !== undefined && body['tools'] === undefined),
  }),
  'model-without-reasoning': row('The model refuses reasoning_effort and verbosity, and metadata without store', {
    refuse: ({ body }) =>
      body['reasoning_effort'] !== undefined ||
      body['verbosity'] !== undefined ||
      (body['metadata'] !== undefined && body['store'] !== true),
  }),
  'field-names-in-any-case': row('Names of fields are read in any letter case', {
    refuse: ({ body }) => typeof body['Temperature'] === 'number' && body['Temperature'] > 2,
  }),
  'expired-key-told': row('The 401 to an expired key says when it expired', {
    error: (body, { rule }, call) =>
      rule === 'key' && call.bearer === KEYS.expired
        ? put('/error/message', 'This key expired on 2026-01-31.')(body)
        : body,
  }),
  'error-quota-429': row('An exhausted key is refused with 429', {
    source: 'https://github.com/langchain-ai/langchainjs/issues/1929',
    refusal: (reason) => (reason.rule === 'quota' ? { ...reason, status: 429, code: 'insufficient_quota' } : reason),
  }),
  'exhausted-key-403': row('An exhausted key is refused with 403', {
    refusal: (reason) => (reason.rule === 'quota' ? { ...reason, status: 403 } : reason),
  }),
  'exhausted-key-has-credit': row('The exhausted key still has credit', { refusal: letPass('quota') }),
  'limited-key-without-limit': row('The limited key never meets a rate limit', { refusal: letPass('rate') }),
  'param-empty-messages-accepted': row('An empty messages array is accepted', {
    source: 'https://github.com/llm-d/llm-d-inference-sim/pull/674',
    refusal: letPass('messages-empty'),
  }),
  'param-null-rejected': row('null for an optional parameter is refused', {
    source: 'https://github.com/ggml-org/llama.cpp/issues/25515',
    refuse: (call) => NULLABLE.some((name) => call.body[name] === null),
  }),
  'empty-content-refused': row('Empty content is refused', {
    refuse: (call) => /"content":\s*""/.test(call.text ?? ''),
  }),
  'long-text-refused': row('Text of more than 4,000 characters is refused with 413', {
    refuse: refuseIf((call) => (call.text?.length ?? 0) > 4000, 413, 'The text is too long.'),
  }),
  'query-refused': row('An unknown query parameter is refused', { refuse: (call) => call.query.size > 0 }),
  'accept-event-stream-refused': row('A plain request with Accept text/event-stream is refused with 406', {
    refuse: refuseIf(
      (call) => call.endpoint === 'chat' && !call.streamed && call.headers.accept === 'text/event-stream',
      406,
    ),
  }),
  'content-type-required': row('A body without the content type application/json is refused with 415', {
    refuse: refuseIf(
      (call) => call.endpoint === 'chat' && !/^application\/json\b/i.test(call.headers['content-type'] ?? ''),
      415,
    ),
  }),
  'messages-in-many-tongues': row('Error messages are not in English', {
    error: alter('/error/message', () => 'Запрос отклонён: 海が荒れています 🌊'),
  }),
} satisfies Record<string, Variant>;

const MiB = 1024 * 1024;
const isLarge = (call: Call): boolean => isChat(call) && (call.text?.length ?? 0) > MiB;

export const SIZE_VARIANTS = {
  'large-body-413': row('A body of more than 1 MiB is refused with 413 and the error body', {
    only: isLarge,
    before: () => refusalReply(refusal('body-size', 413, 'request_too_large', 'The body is too large.')),
  }),
  'large-body-closed': row('The connection is closed on a body of more than 1 MiB', {
    only: isLarge,
    before: () => ({ kind: 'hang-up', how: 'reset' }),
  }),
  'context-refused': row('A prompt of more than 4,000 words is refused with 400 and the error body', {
    only: (call) => isChat(call) && promptOf(call.body).split(' ').length > 4_000,
    before: () => refusalReply(refusal('invented', 400, 'context_length_exceeded', 'The prompt is too long.')),
  }),
} satisfies Record<string, Variant>;
