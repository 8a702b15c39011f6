/** Faults in how a request is read: wrong types, roles, unknown fields, and the choice between stream and plain reply (part 2). */
import type { Refusal, Rule } from '../answer.ts';
import { isObject, type Json } from '../json.ts';
import { replaceBody, isChat, isPlain, letPass, onStatus, refuseIf, refuseWith } from '../change.ts';
import type { Call } from '../call.ts';
import type { Fault } from '../modifier.ts';

const messagesOf = (call: Call): readonly Json[] => {
  const { messages } = call.body;
  return Array.isArray(messages) ? (messages as readonly Json[]) : [];
};
const rolesOf = (call: Call): readonly (Json | undefined)[] =>
  messagesOf(call).map((message) => (isObject(message) ? message['role'] : undefined));
const hasRole =
  (role: string) =>
  (call: Call): boolean =>
    rolesOf(call).includes(role);

const KNOWN = new Set(['model', 'messages', 'max_tokens', 'temperature', 'top_p', 'stream']);
const hasUnknownField = (call: Call): boolean => Object.keys(call.body).some((name) => !KNOWN.has(name));
const hasUnknownMessageField = (call: Call): boolean =>
  messagesOf(call).some(
    (message) => isObject(message) && Object.keys(message).some((name) => name !== 'role' && name !== 'content'),
  );
const isBeyondAscii = (text: string): boolean => Buffer.byteLength(text) > text.length;

/** Only values of one type are let pass. */
const letTypePass =
  (rule: Rule, name: string, type: string) =>
  (reason: Refusal, call: Call): Refusal | undefined =>
    reason.rule === rule && typeof call.body[name] === type ? undefined : reason;

const labelledWithCharset = (call: Call): boolean => /;\s*charset=/i.test(call.headers['content-type'] ?? '');

export const TYPES_FAULTS = {
  'param-model-type-accepted': {
    title: 'A model that is not a string is replaced by a default model',
    breaks: ['request.model-type'],
    refusal: letPass('model-type'),
  },
  'param-messages-string-accepted': {
    title: 'messages as a string is accepted',
    breaks: ['request.messages-type'],
    refusal: letPass('messages-type'),
  },
  'param-message-string-accepted': {
    title: 'A message as a string is accepted',
    breaks: ['request.messages-type'],
    refusal: letPass('message-type'),
  },
  'param-max-tokens-string-accepted': {
    title: 'max_tokens as a string is accepted',
    breaks: ['request.max-tokens-type'],
    refusal: letTypePass('max-tokens-type', 'max_tokens', 'string'),
  },
  'param-max-tokens-fraction-accepted': {
    title: 'A fractional max_tokens is accepted',
    breaks: ['request.max-tokens-type'],
    only: (call) => Number.isFinite(call.body['max_tokens']),
    refusal: letPass('max-tokens-type'),
  },
  'param-temperature-string-accepted': {
    title: 'temperature as a string is accepted',
    breaks: ['request.temperature-type'],
    refusal: letPass('temperature-type'),
  },
  'param-top-p-string-accepted': {
    title: 'top_p as a string is accepted',
    breaks: ['request.top-p-type'],
    refusal: letPass('top-p-type'),
  },
  'param-stream-string-accepted': {
    title: 'stream as a string is accepted',
    breaks: ['request.stream-type'],
    refusal: letPass('stream-type'),
  },
  'param-wrong-type-coerced': {
    title: 'Wrong types of stream and max_tokens are ignored',
    source: 'https://github.com/tenstorrent/tt-inference-server/pull/2772',
    breaks: ['request.stream-type', 'request.max-tokens-type'],
    refusal: letPass('stream-type', 'max-tokens-type'),
  },
  'param-wrong-type-500': {
    title: 'A value of the wrong type causes a 500',
    breaks: ['errors.no-server-error'],
    refusal: (reason) => (reason.rule.endsWith('-type') ? refuseWith(500)(reason) : reason),
  },
  'param-role-type-accepted': {
    title: 'A role that is not a string is accepted',
    breaks: ['message.role-type'],
    refusal: letPass('role-type'),
  },
  'param-content-type-accepted': {
    title: 'Content that is not a string is accepted',
    breaks: ['message.content-type'],
    refusal: letPass('content-type'),
  },
  'param-unknown-role-accepted': {
    title: 'An unknown role is accepted',
    breaks: ['message.unknown-role'],
    refusal: letPass('role-unknown'),
  },
  'param-unknown-role-500': {
    title: 'An unknown role causes a 500',
    breaks: ['errors.no-server-error'],
    refusal: refuseWith(500, 'role-unknown'),
  },
  'param-system-role-rejected': {
    title: 'A system message causes a 500 without a body',
    source: 'https://github.com/EricLBuehler/mistral.rs/issues/506',
    breaks: ['message.roles', 'errors.json'],
    only: hasRole('system'),
    answer: onStatus(200, (reply) => ({ ...replaceBody('', '')(reply), status: 500 })),
  },
  'param-system-role-400': {
    title: 'The role system is refused with 400',
    breaks: ['message.roles'],
    refuse: refuseIf(hasRole('system')),
  },
  'param-assistant-role-refused': {
    title: 'The role assistant is refused',
    breaks: ['message.roles'],
    refuse: refuseIf(hasRole('assistant')),
  },
  'param-requires-undocumented-field': {
    title: 'Assistant messages without an undocumented field are refused',
    source: 'https://github.com/charmbracelet/crush/issues/2754',
    breaks: ['message.roles'],
    refuse: refuseIf((call) =>
      messagesOf(call).some(
        (message) => isObject(message) && message['role'] === 'assistant' && message['reasoning_content'] === undefined,
      ),
    ),
  },
  'param-several-turns-refused': {
    title: 'A conversation of more than four messages is refused',
    breaks: ['request.several-messages'],
    refuse: refuseIf((call) => new Set(rolesOf(call)).size > 1 && messagesOf(call).length > 4),
  },
  'param-consecutive-roles-refused': {
    title: 'Two messages in a row with the same role are refused',
    breaks: ['request.consecutive-roles'],
    refuse: refuseIf((call) => rolesOf(call).some((role, index, roles) => index > 0 && role === roles[index - 1])),
  },
  'param-non-ascii-refused': {
    title: 'Non-ASCII text is refused',
    breaks: ['message.any-text'],
    refuse: refuseIf((call) => isBeyondAscii(call.text ?? '')),
  },
  'param-non-ascii-500': {
    title: 'Non-ASCII text causes a 500',
    breaks: ['message.any-text'],
    refuse: refuseIf((call) => isBeyondAscii(call.text ?? ''), 500),
  },
  'param-unknown-field-rejected': {
    title: 'An unknown request field is refused',
    source: 'https://github.com/vllm-project/vllm/pull/10463',
    breaks: ['tolerance.unknown-request-field'],
    refuse: refuseIf(hasUnknownField, 422, 'Extra inputs are not permitted.'),
  },
  'param-unknown-field-500': {
    title: 'An unknown request field causes a 500',
    breaks: ['tolerance.unknown-request-field', 'errors.no-server-error'],
    refuse: refuseIf(hasUnknownField, 500),
  },
  'param-unknown-message-field-rejected': {
    title: 'An unknown message field is refused',
    breaks: ['tolerance.unknown-message-field'],
    refuse: refuseIf(hasUnknownMessageField),
  },
  'param-charset-refused': {
    title: 'A content type with a charset is refused',
    breaks: ['wire.charset-accepted'],
    only: isChat,
    refuse: refuseIf(labelledWithCharset, 415, 'Unsupported media type.'),
  },
  'param-streams-by-default': {
    title: 'Replies are streamed unless stream is false',
    breaks: ['request.stream-default', 'endpoint.chat-json'],
    only: (call) => isPlain(call) && call.body['stream'] === undefined,
    streams: () => true,
  },
  'param-streams-always': {
    title: 'Replies are always streamed',
    breaks: ['request.stream-default', 'endpoint.chat-json'],
    streams: () => true,
  },
  'param-stream-false-streams': {
    title: 'stream false is answered with a stream',
    breaks: ['request.stream-default', 'endpoint.chat-json'],
    only: (call) => call.body['stream'] === false,
    streams: () => true,
  },
  'param-streams-by-accept': {
    title: 'Replies are streamed if Accept allows event streams',
    breaks: ['request.stream-default', 'endpoint.chat-json'],
    streams: (asked, call) => asked || (call.headers.accept ?? '').includes('text/event-stream'),
  },
} satisfies Record<string, Fault>;
