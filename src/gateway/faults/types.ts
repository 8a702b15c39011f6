/** Faults in how a request is read: wrong types, roles, unknown fields, and the choice between stream and plain reply (part 2). */
import { isObject } from '../json.ts';
import { letPass, onSuccess, refuseIf, refuseWith, replaceBody } from '../change-answer.ts';
import { hasUnknownMember, isChat, isPlain, messagesOf, rolesOf, unknownFields } from '../call-tests.ts';
import type { Call } from '../call.ts';
import { breaking, type Fault, fault, row } from '../modifier.ts';

const hasRole =
  (role: string) =>
  (call: Call): boolean =>
    rolesOf(call).includes(role);

const hasUnknownField = ({ body }: Call): boolean => unknownFields(body).length > 0;
const isBeyondAscii = (text: string): boolean => Buffer.byteLength(text) > text.length;

const labelledWithCharset = (call: Call): boolean => /;\s*charset=/i.test(call.headers['content-type'] ?? '');

export const TYPES_FAULTS = {
  'param-model-type-accepted': fault(
    'A model that is not a string is replaced by a default model',
    'request.model-type',
    { refusal: letPass('model-type') },
  ),
  'param-messages-string-accepted': fault('messages as a string is accepted', 'request.messages-type', {
    refusal: letPass('messages-type'),
  }),
  'param-message-string-accepted': fault('A message as a string is accepted', 'request.messages-type', {
    only: (call) => messagesOf(call).some((message) => typeof message === 'string'),
    refusal: letPass('message-type'),
  }),
  ...breaking('tolerance.unknown-request-field', {
    'tol-stop-refused': row('stop is refused', { refuse: (call) => call.body['stop'] !== undefined }),
    'tol-tools-refused': row('tools is refused', { refuse: (call) => call.body['tools'] !== undefined }),
    'tol-prompt-cache-key-refused': row('prompt_cache_key is refused', {
      refuse: (call) => call.body['prompt_cache_key'] !== undefined,
    }),
    'tol-seed-refused': row('seed is refused', { refuse: (call) => call.body['seed'] !== undefined }),
    'tol-parallel-tool-calls-refused': row('parallel_tool_calls is refused', {
      refuse: (call) => call.body['parallel_tool_calls'] !== undefined,
    }),
    'param-unknown-field-rejected': row('An unknown request field is refused', {
      source: 'https://github.com/vllm-project/vllm/pull/10463',
      refuse: refuseIf(hasUnknownField, 422, 'Extra inputs are not permitted.'),
    }),
  }),
  'param-max-tokens-string-accepted': fault('max_tokens as a string is accepted', 'request.max-tokens-type', {
    only: (call) => typeof call.body['max_tokens'] === 'string',
    refusal: letPass('max-tokens-type'),
  }),
  'param-max-tokens-fraction-accepted': fault('A fractional max_tokens is accepted', 'request.max-tokens-type', {
    only: (call) => Number.isFinite(call.body['max_tokens']),
    refusal: letPass('max-tokens-type'),
  }),
  'param-temperature-string-accepted': fault('temperature as a string is accepted', 'request.temperature-type', {
    refusal: letPass('temperature-type'),
  }),
  'param-top-p-string-accepted': fault('top_p as a string is accepted', 'request.top-p-type', {
    refusal: letPass('top-p-type'),
  }),
  'param-stream-string-accepted': fault('stream as a string is accepted', 'request.stream-type', {
    refusal: letPass('stream-type'),
  }),
  'param-wrong-type-coerced': fault(
    'Wrong types of stream and max_tokens are ignored',
    ['request.stream-type', 'request.max-tokens-type'],
    {
      source: 'https://github.com/tenstorrent/tt-inference-server/pull/2772',
      refusal: letPass('stream-type', 'max-tokens-type'),
    },
  ),
  'param-wrong-type-500': fault('A value of the wrong type causes a 500', 'errors.no-server-error', {
    refusal: (reason) => (reason.rule.endsWith('-type') ? refuseWith(500)(reason) : reason),
  }),
  'param-role-type-accepted': fault('A role that is not a string is accepted', 'message.role-type', {
    refusal: letPass('role-type'),
  }),
  'param-content-type-accepted': fault('Content that is not a string is accepted', 'message.content-type', {
    refusal: letPass('content-type'),
  }),
  'param-unknown-role-accepted': fault('An unknown role is accepted', 'message.unknown-role', {
    refusal: letPass('role-unknown'),
  }),
  'param-unknown-role-dropped': fault(
    'A message with an unknown role is dropped if another message is left',
    'message.unknown-role',
    { refusal: (reason, call) => (reason.rule === 'role-unknown' && messagesOf(call).length > 1 ? undefined : reason) },
  ),
  'param-unknown-role-500': fault('An unknown role causes a 500', 'errors.no-server-error', {
    refusal: refuseWith(500, 'role-unknown'),
  }),
  'param-system-role-rejected': fault(
    'A system message causes a 500 without a body',
    ['message.roles', 'errors.json'],
    {
      source: 'https://github.com/EricLBuehler/mistral.rs/issues/506',
      answer: onSuccess(hasRole('system'), (reply) => ({ ...replaceBody('', '')(reply), status: 500 })),
    },
  ),
  ...breaking('message.roles', {
    'param-system-role-400': row('The role system is refused with 400', { refuse: hasRole('system') }),
    'param-assistant-role-refused': row('The role assistant is refused', { refuse: hasRole('assistant') }),
    'param-requires-undocumented-field': row('Assistant messages without an undocumented field are refused', {
      source: 'https://github.com/charmbracelet/crush/issues/2754',
      refuse: (call) =>
        messagesOf(call).some(
          (message) =>
            isObject(message) && message['role'] === 'assistant' && message['reasoning_content'] === undefined,
        ),
    }),
  }),
  'param-several-turns-refused': fault(
    'A conversation of more than four messages is refused',
    'request.several-messages',
    { refuse: (call) => new Set(rolesOf(call)).size > 1 && messagesOf(call).length > 4 },
  ),
  'param-consecutive-roles-refused': fault(
    'Two messages in a row with the same role are refused',
    'request.consecutive-roles',
    { refuse: (call) => rolesOf(call).some((role, index, roles) => index > 0 && role === roles[index - 1]) },
  ),
  'param-non-ascii-refused': fault('Non-ASCII text is refused', 'message.any-text', {
    refuse: (call) => isBeyondAscii(call.text ?? ''),
  }),
  'param-non-ascii-500': fault('Non-ASCII text causes a 500', 'message.any-text', {
    refuse: refuseIf((call) => isBeyondAscii(call.text ?? ''), 500),
  }),
  'param-unknown-field-500': fault(
    'An unknown request field causes a 500',
    ['tolerance.unknown-request-field', 'errors.no-server-error'],
    { refuse: refuseIf(hasUnknownField, 500) },
  ),
  'param-unknown-message-field-rejected': fault(
    'An unknown message field is refused',
    'tolerance.unknown-message-field',
    { refuse: (call) => messagesOf(call).some(hasUnknownMember) },
  ),
  'param-charset-refused-with-top-p': fault('A charset is refused beside top_p', 'wire.charset-accepted', {
    refuse: (call) => labelledWithCharset(call) && call.body['top_p'] !== undefined,
  }),
  'param-charset-refused': fault('A content type with a charset is refused', 'wire.charset-accepted', {
    only: isChat,
    refuse: refuseIf(labelledWithCharset, 415, 'Unsupported media type.'),
  }),
  ...breaking(['request.stream-default', 'endpoint.chat-json'], {
    'param-streams-by-default': row('Replies are streamed unless stream is false', {
      only: (call) => isPlain(call) && call.body['stream'] === undefined,
      streams: () => true,
    }),
    'param-streams-always': row('Replies are always streamed', { streams: () => true }),
    'param-stream-false-streams': row('stream false is answered with a stream', {
      only: (call) => call.body['stream'] === false,
      streams: () => true,
    }),
    'param-streams-by-accept': row('Replies are streamed if Accept allows event streams', {
      streams: (asked, call) => asked || (call.headers.accept ?? '').includes('text/event-stream'),
    }),
  }),
} satisfies Record<string, Fault>;
