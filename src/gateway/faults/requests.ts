/** Faults in which requests are answered and which are refused: their messages (part 2), their size, and how they are written (part 4). */
import { errorBody, jsonReply, piece, streamReply, textReply } from '../answer.ts';
import { type Call, promptOf } from '../call.ts';
import { errorAnswer, letPass, refuseIf } from '../change-answer.ts';
import { isChat, isStream, isWritten, messagesOf, rolesOf, says } from '../call-tests.ts';
import { breaking, type Fault, fault, row } from '../modifier.ts';
import { refusal } from '../refusals.ts';

const isSecond = (call: Call): boolean => messagesOf(call).length === 2;

export const MESSAGES_FAULTS = {
  'text-quote-refused': fault('Text with a quote is refused', 'message.any-text', { refuse: says(/"/) }),
  'text-backslash-refused': fault('Text with a backslash is refused', 'message.any-text', { refuse: says(/\\/) }),
  'text-line-break-refused': fault('Text with a line break is refused', 'message.any-text', { refuse: says(/\n/) }),
  'text-angle-bracket-refused': fault('Text with an angle bracket is refused', 'message.any-text', {
    refuse: says(/</),
  }),
  'text-over-100-refused': fault('Text of more than 100 characters is refused', 'message.ordinary-length', {
    refuse: says(/^[^]{101}/),
  }),
  'messages-assistant-last-refused': fault('A conversation that ends with the assistant is refused', 'message.roles', {
    refuse: (call) => rolesOf(call).at(-1) === 'assistant',
  }),
  'messages-system-alone-refused': fault('A system message alone is refused', 'message.roles', {
    refuse: (call) => messagesOf(call).length > 0 && rolesOf(call).every((role) => role === 'system'),
  }),
  'messages-two-assistants-refused': fault('Two assistant messages in a row are refused', 'request.consecutive-roles', {
    refuse: (call) => rolesOf(call).some((role, at, roles) => role === 'assistant' && roles[at + 1] === role),
  }),
  'messages-system-refused-in-streams': fault('A stream with a system message is refused', 'message.roles', {
    refuse: (call) => isStream(call) && rolesOf(call).includes('system'),
  }),
  'messages-assistant-refused-in-streams': fault('A stream with an assistant message is refused', 'message.roles', {
    refuse: (call) => isStream(call) && rolesOf(call).includes('assistant'),
  }),
  'messages-second-role-missing-accepted': fault('Only the first message needs a role', 'message.role-required', {
    only: isSecond,
    refusal: letPass('role-missing'),
  }),
  'messages-second-content-missing-accepted': fault(
    'Only the first message needs content',
    'message.content-required',
    { only: isSecond, refusal: letPass('content-missing') },
  ),
  'messages-null-accepted': fault('A message that is null is answered', 'message.content-required', {
    only: (call) => isChat(call) && messagesOf(call)[0] === null,
    refusal: letPass('message-type'),
  }),
} satisfies Record<string, Fault>;

const MiB = 1024 * 1024;
const NGINX_413 = '<html><head><title>413 Request Entity Too Large</title></head><body>nginx</body></html>';
const TOO_LONG = refusal('invented', 400, 'context_length_exceeded', 'The prompt exceeds the context.');

const isLarger =
  (bytes: number) =>
  (call: Call): boolean =>
    isChat(call) && (call.text?.length ?? 0) > bytes;

/** Words. More than any prompt has that does not test the context. */
const CONTEXT = 5_000;

const exceedsContext = (call: Call): boolean => promptOf(call.body).split(' ').length > CONTEXT;

export const SIZE_FAULTS = {
  'error-large-body-html': fault('A proxy refuses a body of more than 1 MiB with a web page', 'errors.json', {
    source: 'https://github.com/alexazhou/gt_ai_gateway/issues/18',
    only: isLarger(MiB),
    before: () => textReply(413, 'text/html', NGINX_413),
  }),
  'error-larger-body-html': fault('A proxy refuses a body of more than 3 MiB with a web page', 'errors.json', {
    only: isLarger(3 * MiB),
    before: () => textReply(413, 'text/html', NGINX_413),
  }),
  'error-large-body-500': fault('A body of more than 1 MiB causes a 500', 'errors.no-server-error', {
    only: isLarger(MiB),
    before: () => errorAnswer(500),
  }),
  'error-large-body-200': fault('A body of more than 1 MiB is refused with status 200', 'limits.large-body', {
    only: isLarger(MiB),
    before: () => jsonReply(200, errorBody(refusal('invented', 413, 'request_too_large', 'The body is too large.'))),
  }),
  'error-context-500': fault('A prompt over the context causes a 500', 'errors.no-server-error', {
    source: 'https://github.com/ollama/ollama/issues/2208',
    only: exceedsContext,
    before: () => errorAnswer(500),
  }),
  'error-context-text': fault('A prompt over the context is refused in plain text', 'errors.json', {
    only: exceedsContext,
    before: () => textReply(400, 'text/plain', TOO_LONG.message),
  }),
  'error-context-200-stream': fault(
    'A prompt over the context is refused inside a stream with status 200',
    'errors.refusal-in-form',
    {
      source: 'https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/2322',
      only: (call) => isStream(call) && exceedsContext(call),
      before: () => streamReply([piece(`data: ${JSON.stringify(errorBody(TOO_LONG))}\n\n`)]),
    },
  ),
} satisfies Record<string, Fault>;

const SPELLING = 'request.json-spelling';
const BEHIND = /"messages"[^]*"model"/;
const DECIMAL = /"(temperature|top_p)"\s*:\s*\d+\.0\b/;

export const SPELLINGS_FAULTS = {
  'json-key-order-refused': fault('A body in which model is not the first key is refused', SPELLING, {
    refuse: (call) => isChat(call) && Object.keys(call.body)[0] !== 'model',
  }),
  'json-white-space-refused': fault('A body with line breaks is refused', SPELLING, { refuse: isWritten(/\n/) }),
  'json-leading-space-refused': fault('A body that does not begin with a brace is refused', SPELLING, {
    refuse: isWritten(/^[^{]/),
  }),
  'json-escapes-refused': fault('Escaped letters are refused', SPELLING, { refuse: isWritten(/\\u00[0-7]/) }),
  'json-surrogates-500': fault('An escaped surrogate pair causes a 500', SPELLING, {
    refuse: refuseIf(isWritten(/\\ud8/i), 500),
  }),
  // These read the text, so that an escaped key hides what they would trip over.
  ...breaking(SPELLING, {
    'json-model-behind-messages-refused': row('"messages" before "model" is refused', { refuse: isWritten(BEHIND) }),
    'json-streamed-model-behind-messages-refused': row('"messages" before "model" is refused in streams', {
      refuse: (call) => call.streamed && isWritten(BEHIND)(call),
    }),
    'json-decimals-refused': row('"temperature" or "top_p" with .0 is refused', { refuse: isWritten(DECIMAL) }),
    'json-streamed-decimals-refused': row('"temperature" or "top_p" with .0 is refused in streams', {
      refuse: (call) => call.streamed && isWritten(DECIMAL)(call),
    }),
    'json-escaped-keys-refused': row('Escaped keys are not understood', { refuse: isWritten(/\\u00\w{3,}"\s*:/) }),
  }),
  'json-max-tokens-read-as-text': fault('max_tokens is not found if it is escaped', 'request.max-tokens-is-maximum', {
    budget: (tokens, { text = '' }) => (/"max_tokens"\s*:/.test(text) ? tokens : Number.POSITIVE_INFINITY),
  }),
  'json-decimal-temperature-refused': fault('temperature 1.0 is refused', SPELLING, {
    refuse: (call) => isWritten(/\b1\.0\b/)(call) && call.body['temperature'] === 1,
  }),
  'json-decimal-top-p-refused': fault('top_p 1.0 is refused', SPELLING, {
    refuse: (call) => isWritten(/\b1\.0\b/)(call) && call.body['top_p'] === 1,
  }),
  'json-streamed-white-space-refused': fault('A body with line breaks is refused if it asks for a stream', SPELLING, {
    refuse: (call) => isWritten(/\n/)(call) && call.streamed,
  }),
  'header-names-case-sensitive': fault('Header names in capitals are not understood', 'request.header-names', {
    authorize: (caller, { headerNames }) => (headerNames.includes('AUTHORIZATION') ? undefined : caller),
  }),
  'header-content-type-case-sensitive': fault('CONTENT-TYPE in capitals is refused', 'request.header-names', {
    refuse: refuseIf(({ headerNames }) => headerNames.includes('CONTENT-TYPE'), 415),
  }),
  'stream-flag-read-as-text': fault(
    'A stream is asked for only by "stream":true to the letter',
    'stream.event-stream',
    { streams: (asked, { text }) => asked && (text ?? '').includes('"stream":true') },
  ),
} satisfies Record<string, Fault>;
