/**
 * Gateways whose fault hides behind an ordinary request that no case sends: a script, a number inside the range, the
 * seventh message, two values together, the call after a refusal. Each answers everything else as it should.
 */
import { textReply } from '../../src/gateway/answer.ts';
import type { Call } from '../../src/gateway/call.ts';
import { drop, put } from '../../src/gateway/change.ts';
import { letPass, refuseIf } from '../../src/gateway/change-answer.ts';
import {
  contentsOf,
  hasNumber,
  hasUnknownMember,
  isChat,
  isPlain,
  isStream,
  messagesOf,
  rolesOf,
  says,
  unknownFields,
} from '../../src/gateway/call-tests.ts';
import { refuses } from '../../src/gateway/faults/parameters.ts';
import { type Fault, fault } from '../../src/gateway/modifier.ts';
import type { Json, JsonObject } from '../../src/gateway/json.ts';

const both =
  (...tests: readonly ((call: Call) => boolean)[]) =>
  (call: Call): boolean =>
    tests.every((test) => test(call));

/** Separated by spaces. */
const roleList = (call: Call): string => rolesOf(call).map(String).join(' ');

/** A text that is refused, or answered with another status. */
const refusesText = (title: string, pattern: RegExp, status = 400, only = isChat): Fault =>
  fault(title, 'message.any-text', { refuse: refuseIf(both(only, says(pattern)), status) });

/** Values of fields that the contract does not have. */
const unknownAtTop = ({ body }: Call): readonly Json[] => unknownFields(body).flatMap((name) => body[name] ?? null);

function depthOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value as JsonObject).map(depthOf));
}

/** The firewall in front of the gateway answers with a page of its own. */
const firewall = (test: (call: Call) => boolean) => ({
  before: (call: Call) =>
    test(call) ? textReply(403, 'text/html', '<html><body>Request blocked.</body></html>') : undefined,
});

const TEXTS = {
  'hidden-hebrew': refusesText('Hebrew text is answered with 500', /\p{Script=Hebrew}/u, 500),
  'hidden-arabic-in-streams': refusesText('A stream for Arabic text is refused', /\p{Script=Arabic}/u, 400, isStream),
  'hidden-cyrillic-in-streams': fault('A stream for Cyrillic text is answered with 500', 'message.any-text', {
    refuse: refuseIf(both(isStream, says(/\p{Script=Cyrillic}/u)), 500),
  }),
  'hidden-devanagari': refusesText('Devanagari text is refused', /\p{Script=Devanagari}/u),
  'hidden-combining-marks': refusesText('A letter with a combining mark is refused', /[\u0300-\u036F]/),
  'hidden-joiners': refusesText('Text with a zero-width joiner is refused', /\u200D/),
  'hidden-astral-letters': fault('A letter beyond the basic plane is answered with 500', 'message.any-text', {
    refuse: refuseIf(says(/[\u{10000}-\u{1EFFF}\u{20000}-\u{3FFFF}]/u), 500),
  }),
  'hidden-json-text': refusesText('A text that starts with a brace is refused', /^\{/),
  'hidden-closing-tag': fault(
    'A firewall blocks text with a closing tag, with a page of its own',
    ['message.any-text', 'errors.json'],
    firewall(says(/<\//)),
  ),
  'hidden-escaped-escape': refusesText('Text with a backslash before a u is refused', /\\u/),
  'hidden-leading-space': refusesText('Text that starts with a space is refused', /^ /),
  'hidden-percent': refusesText('Text with a percent sign is answered with 500', /%/, 500),
  'hidden-windows-line-end': fault('Text with a Windows line end is answered with 500', 'errors.no-server-error', {
    refuse: refuseIf(says(/\r\n/), 500),
  }),
  'hidden-tab': fault('Text with a tab is answered with 500', 'errors.no-server-error', {
    refuse: refuseIf(says(/\t/), 500),
  }),
  'hidden-skin-tone': refusesText('An emoji with a skin tone is refused', /\p{Emoji_Modifier}/u),
  'hidden-zero-width-space': refusesText('Text with a zero-width space is refused', /\u200B/),
  'hidden-done-in-streams': refusesText('A stream for text with [DONE] inside is refused', /\[DONE\]/, 400, isStream),
  'hidden-code-block': refusesText('Text with a block of code is answered with 500', /```/, 500),
  'hidden-700-characters': fault('Text of more than 700 characters is refused', 'message.ordinary-length', {
    refuse: says(/^[^]{701}/),
  }),
} satisfies Record<string, Fault>;

const NUMBERS = {
  'hidden-temperature-above-one': fault('A temperature between 1 and 2 is refused', 'limits.temperature-in-range', {
    refuse: hasNumber('temperature', (value) => value > 1 && value < 2),
  }),
  'hidden-temperature-decimals': fault(
    'A temperature with more than two decimals is refused',
    'limits.temperature-in-range',
    { refuse: hasNumber('temperature', (value) => !Number.isInteger(Math.round(value * 1e9) / 1e7)) },
  ),
  'hidden-temperature-fine': fault(
    'A temperature with more than ten decimals is refused',
    'limits.temperature-in-range',
    { refuse: hasNumber('temperature', (value) => /\.\d{11}/.test(String(value))) },
  ),
  'hidden-top-p-small': fault('A top_p below 0.1 is answered with 500', 'limits.top-p-in-range', {
    refuse: refuseIf(
      hasNumber('top_p', (value) => value > 0 && value < 0.1),
      500,
    ),
  }),
  'hidden-256-tokens': refuses('A max_tokens of 256 or more is refused', 'max-tokens', (value) => value >= 256),
  'hidden-tokens-ignored': fault('A max_tokens between 17 and 35 has no effect', 'request.max-tokens-is-maximum', {
    budget: (tokens) => (tokens > 16 && tokens < 36 ? Infinity : tokens),
  }),
  'hidden-tokens-overrun': fault(
    'A max_tokens between 2 and 10 is exceeded by three',
    'request.max-tokens-is-maximum',
    { budget: (tokens) => (tokens > 1 && tokens <= 10 ? tokens + 3 : tokens) },
  ),
  'hidden-indented': fault('A body with indented lines is refused', 'request.json-spelling', {
    refuse: (call) => /^\{\n {2}"/.test(call.text ?? ''),
  }),
  'hidden-exponent': fault('A temperature written with an exponent is refused', 'request.json-spelling', {
    refuse: (call) => /"temperature"\s*:\s*[\d.]+[eE]/.test(call.text ?? ''),
  }),
} satisfies Record<string, Fault>;

const TOGETHER = {
  'hidden-hot-and-narrow': fault('A temperature above 1 with a top_p below 0.5 is refused', 'endpoint.chat-answers', {
    refuse: both(
      isPlain,
      hasNumber('temperature', (value) => value > 1),
      hasNumber('top_p', (value) => value < 0.5),
    ),
  }),
  'hidden-stream-with-sampling': fault('A stream with both temperature and top_p is refused', 'stream.answers', {
    refuse: both(isStream, ({ body }) => 'temperature' in body && 'top_p' in body),
  }),
  'hidden-stream-of-long-talk': fault(
    'A stream for more than three messages is answered with 500',
    'request.several-messages',
    {
      refuse: refuseIf(
        both(isStream, (call) => messagesOf(call).length > 3),
        500,
      ),
    },
  ),
  'hidden-usage-lost': fault('A reply to a system message with top_p has no usage', 'completion.usage-present', {
    only: both(isPlain, (call) => rolesOf(call).includes('system') && 'top_p' in call.body),
    completion: drop('/usage'),
  }),
  'hidden-chunk-type': fault('Chunks of a stream with top_p have a number as their id', 'stream.chunk-id', {
    only: both(isStream, ({ body }) => 'top_p' in body),
    chunks: (chunks) => chunks.map((chunk) => put('/id', 7)(chunk)),
  }),
} satisfies Record<string, Fault>;

const MESSAGES = {
  'hidden-seventh-message': fault('A conversation of seven messages or more is refused', 'request.several-messages', {
    refuse: (call) => messagesOf(call).length >= 7,
  }),
  'hidden-twenty-messages': fault(
    'A conversation of more than twenty messages is refused',
    'request.several-messages',
    { refuse: (call) => messagesOf(call).length > 20 },
  ),
  'hidden-assistant-first': fault('A conversation that the assistant opens is refused', 'message.roles', {
    refuse: (call) => rolesOf(call)[0] === 'assistant',
  }),
  'hidden-late-system': fault('A system message after another role is refused', 'message.roles', {
    refuse: (call) => /(user|assistant) system/.test(roleList(call)),
  }),
  'hidden-three-in-a-row': fault('Three messages of one role in a row are refused', 'request.consecutive-roles', {
    refuse: (call) => /\b(\w+) \1 \1\b/.test(roleList(call)),
  }),
} satisfies Record<string, Fault>;

const UNKNOWN_FIELDS = {
  'hidden-deep-unknown': fault(
    'An unknown field nested three levels deep is answered with 500',
    ['tolerance.unknown-request-field', 'errors.no-server-error'],
    { refuse: refuseIf((call) => unknownAtTop(call).some((value) => depthOf(value) >= 3), 500) },
  ),
  'hidden-dotted-unknown': fault(
    'An unknown field with a dot in its name is refused',
    'tolerance.unknown-request-field',
    { refuse: ({ body }) => Object.keys(body).some((name) => name.includes('.')) },
  ),
  'hidden-null-unknown': fault('An unknown field that is null is refused', 'tolerance.unknown-request-field', {
    refuse: (call) => unknownAtTop(call).includes(null),
  }),
  'hidden-unknown-in-later-message': fault(
    'An unknown field in a message after the first is refused',
    'tolerance.unknown-message-field',
    { refuse: (call) => messagesOf(call).slice(1).some(hasUnknownMember) },
  ),
} satisfies Record<string, Fault>;

const ACCEPTED = {
  'hidden-temperature-rounded': fault('A temperature up to 2.05 is rounded and accepted', 'limits.temperature', {
    only: hasNumber('temperature', (value) => value < 2.05),
    refusal: letPass('temperature-range'),
  }),
  'hidden-top-p-beside-temperature': fault(
    'A top_p beyond its range is accepted beside a temperature',
    'limits.top-p',
    { only: ({ body }) => 'temperature' in body, refusal: letPass('top-p-range') },
  ),
  'hidden-no-tokens-in-talk': fault('A max_tokens of 0 is accepted with several messages', 'limits.max-tokens', {
    only: (call) => messagesOf(call).length > 1 && call.body['max_tokens'] === 0,
    refusal: letPass('max-tokens-range'),
  }),
  'hidden-third-content-missing': fault(
    'From the third message on, content may be missing',
    'message.content-required',
    {
      only: (call) =>
        contentsOf(call)
          .slice(0, 2)
          .every((content) => content !== undefined),
      refusal: letPass('content-missing'),
    },
  ),
  'hidden-last-role-missing': fault('The last of three messages or more needs no role', 'message.role-required', {
    only: (call) =>
      messagesOf(call).length >= 3 &&
      rolesOf(call)
        .slice(0, -1)
        .every((role) => role !== undefined),
    refusal: letPass('role-missing'),
  }),
  'hidden-huge-temperature': fault('A temperature of 1000 or more is answered with 500', 'errors.no-server-error', {
    refusal: (reason, call) =>
      reason.rule === 'temperature-range' && Number(call.body['temperature']) >= 1000
        ? { ...reason, status: 500, type: 'server_error' }
        : reason,
  }),
  'hidden-wrong-stream': fault('A stream with a wrong top_p is answered with 500', 'errors.no-server-error', {
    refusal: (reason, call) =>
      reason.rule === 'top-p-range' && isStream(call) ? { ...reason, status: 500, type: 'server_error' } : reason,
  }),
  'hidden-error-code-of-talks': fault(
    'Errors in answer to several messages have a number as their code',
    'errors.code',
    { only: (call) => messagesOf(call).length > 1, error: put('/error/code', 400) },
  ),
} satisfies Record<string, Fault>;

const SEQUENCES = {
  'hidden-second-call': fault('The second call on a connection is answered with 500', 'endpoint.chat-answers', {
    refuse: refuseIf((call) => isChat(call) && call.previous?.place === 1, 500),
  }),
  'hidden-after-refused-stream': fault(
    'The call after a refused stream on the same connection is refused',
    'endpoint.chat-answers',
    { refuse: (call) => isPlain(call) && call.previous?.streamed === true && call.previous.status === 400 },
  ),
  'hidden-fourth-stream-call': fault(
    'A stream that comes fourth or later on a connection, after a plain call, is refused',
    'stream.answers',
    {
      refuse: (call) =>
        isStream(call) && call.previous !== undefined && call.previous.place >= 3 && !call.previous.streamed,
    },
  ),
} satisfies Record<string, Fault>;

const SERVER_ERROR = 'errors.no-server-error';

const failsIf = (title: string, test: (call: Call) => boolean): Fault =>
  fault(title, SERVER_ERROR, { refuse: refuseIf(both(isChat, test), 500) });

const isForm = ({ text = '' }: Call): boolean => text.startsWith('model=');
const hasNull = (call: Call): boolean => messagesOf(call).includes(null);
const isListAgain = ({ endpoint, ordinal }: Call): boolean => endpoint === 'models' && ordinal > 1;

/** What every exploration asks, whatever its seed. */
export const FIXED_FAULTS: Readonly<Record<string, Fault>> = {
  'fixed-lone-surrogate': failsIf('Half a character is answered with 500', says(/\p{Surrogate}/u)),
  'fixed-nul': failsIf('Text with NUL is answered with 500', says(/\0/)),
  'fixed-nul-in-streams': failsIf('A stream for text with NUL is answered with 500', both(isStream, says(/\0/))),
  'fixed-escape-sequence': failsIf('Text with a terminal sequence is answered with 500', says(/(?!\n)\p{Cc}\[/u)),
  'fixed-empty-text': failsIf('Empty text is answered with 500', says(/^$/)),
  'fixed-tokens-int32': failsIf(
    'A max_tokens of more than 32 bits is answered with 500',
    hasNumber('max_tokens', (value) => value >= 2 ** 31),
  ),
  'fixed-tokens-int64': failsIf(
    'A max_tokens of more than 64 bits is answered with 500',
    hasNumber('max_tokens', (value) => value >= 2 ** 63),
  ),
  'fixed-nesting': fault(
    'An unknown field nested 32 levels deep is answered with 500',
    ['tolerance.unknown-request-field', SERVER_ERROR],
    { refuse: refuseIf((call) => unknownAtTop(call).some((value) => depthOf(value) >= 32), 500) },
  ),
  'fixed-form-500': fault('A form is answered with 500', SERVER_ERROR, {
    refusal: (reason, call) => (isForm(call) ? { ...reason, status: 500, type: 'server_error' } : reason),
  }),
  'fixed-form-answered': fault('A form is answered with a completion', 'endpoint.chat-body-json', {
    refusal: (reason, call) => (isForm(call) ? undefined : reason),
  }),
  'fixed-null-message-500': fault('null among messages is answered with 500', SERVER_ERROR, {
    refusal: (reason, call) => (hasNull(call) ? { ...reason, status: 500, type: 'server_error' } : reason),
  }),
  'fixed-null-message-answered': fault('null among messages is ignored', 'request.messages-type', {
    only: hasNull,
    refusal: letPass('message-type'),
  }),
  'fixed-second-list-500': fault(
    'The list is answered with 500 when it is asked again',
    ['endpoint.models-answers', SERVER_ERROR],
    { refuse: refuseIf(isListAgain, 500) },
  ),
  'fixed-second-list-bare': fault('The second list is an array without its object', 'list.object-body', {
    list: (list, call) => (isListAgain(call) ? (list['data'] ?? null) : list),
  }),
};

export const HIDDEN_FAULTS: Readonly<Record<string, Fault>> = {
  ...TEXTS,
  ...NUMBERS,
  ...TOGETHER,
  ...MESSAGES,
  ...UNKNOWN_FIELDS,
  ...ACCEPTED,
  ...SEQUENCES,
};
