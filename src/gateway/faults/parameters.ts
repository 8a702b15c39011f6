/** Faults in what is answered and what is refused (parts 2, 8): values out of range, values in range, required fields. */
import { drop } from '../change.ts';
import { letPass, onSuccess, redirect, refuseWith, setStatus } from '../change-answer.ts';
import { hasNumber, isChat, isPlain, isStream, isWritten } from '../call-tests.ts';
import type { Composition } from '../composition.ts';
import { breaking, type Fault, fault, row } from '../modifier.ts';

type Limited = 'max-tokens' | 'temperature' | 'top-p';

/** The field of a request whose limits the clauses are named for. */
const fieldOf = (limited: Limited): string => limited.replace('-', '_');

/** Values out of range are accepted. */
function accepts(title: string, limited: Limited, test: (value: number) => boolean, only = isChat): Fault {
  const has = hasNumber(fieldOf(limited), test);
  return fault(title, `limits.${limited}`, {
    only: (call) => only(call) && has(call),
    refusal: letPass(`${limited}-range`),
  });
}

/** Values in range are refused. */
export function refuses(title: string, limited: Limited, test: (value: number) => boolean): Fault {
  return fault(title, `limits.${limited}-in-range`, { refuse: hasNumber(fieldOf(limited), test) });
}

const sayMore = (reply: Composition): Composition => ({
  ...reply,
  pieces: Array.from({ length: 60 }, () => 'sea '),
  completionTokens: 1,
});

/** Whatever is wrong with a body, it is taken for an empty object and answered. */
const letBodyPass = letPass('body-missing', 'body-json', 'body-object', 'model-missing', 'messages-missing');

export const PARAMETERS_FAULTS = {
  ...breaking('request.max-tokens-is-maximum', {
    'param-max-tokens-ignored': row('max_tokens has no effect', {
      source: 'https://github.com/vllm-project/vllm-omni/issues/445',
      budget: () => Number.POSITIVE_INFINITY,
    }),
    'param-long-text-counts-as-one': row('max_tokens 1 is answered with 60 words that count as one token', {
      reply: (reply, call) => (call.body['max_tokens'] === 1 ? sayMore(reply) : reply),
    }),
    'param-max-tokens-overrun-by-two': row('Replies have two tokens more than max_tokens', {
      budget: (tokens) => tokens + 2,
    }),
    'param-max-tokens-ignored-in-streams': row('max_tokens has no effect on streams', {
      only: isStream,
      budget: () => Number.POSITIVE_INFINITY,
    }),
    'param-long-stream-counts-too-many': row('A stream with max_tokens 64 reports 80 completion tokens', {
      only: (call) => isStream(call) && call.body['max_tokens'] === 64,
      chunks: (chunks) => [
        ...chunks,
        { ...chunks[0], choices: [], usage: { prompt_tokens: 9, completion_tokens: 80, total_tokens: 89 } },
      ],
    }),
    'param-max-tokens-floor': row('max_tokens below 8 is raised to 8', { budget: (tokens) => Math.max(tokens, 8) }),
  }),
  'param-long-text-without-usage': fault(
    'max_tokens 1 is answered with 60 words, and usage is missing',
    ['request.max-tokens-is-maximum', 'completion.usage-present'],
    { only: (call) => isPlain(call) && call.body['max_tokens'] === 1, reply: sayMore, completion: drop('/usage') },
  ),
  'param-reasoning-over-budget': fault(
    'Reasoning tokens do not count towards max_tokens',
    'request.max-tokens-reasoning',
    {
      completion: (completion) => {
        const usage = { prompt_tokens: 9, completion_tokens: 400, total_tokens: 409 };
        return { ...completion, usage: { ...usage, completion_tokens_details: { reasoning_tokens: 399 } } };
      },
    },
  ),
  'param-max-tokens-zero-accepted': fault('max_tokens 0 is accepted', 'limits.max-tokens', {
    source: 'https://github.com/Continuum-AI-Corp/OrcaRouter-Lite/pull/103',
    refusal: letPass('max-tokens-range'),
  }),
  'param-max-tokens-negative-accepted': accepts(
    'A negative max_tokens means no limit',
    'max-tokens',
    (value) => value < 0,
  ),
  'param-max-tokens-one-refused': refuses('max_tokens 1 is refused', 'max-tokens', (value) => value === 1),
  'param-temperature-above-accepted': accepts('A temperature above 2 is accepted', 'temperature', (value) => value > 2),
  'param-single-precision': fault('Limits are checked in single precision', ['limits.temperature', 'limits.top-p'], {
    only: ({ body }) => Math.fround(Number(body['temperature'])) === 2 || Math.fround(Number(body['top_p'])) === 1,
    refusal: letPass('temperature-range', 'top-p-range'),
  }),
  'param-temperature-below-accepted': accepts('A temperature below 0 is accepted', 'temperature', (value) => value < 0),
  'param-temperature-clamped': fault('A temperature out of range is clamped', 'limits.temperature', {
    refusal: letPass('temperature-range'),
  }),
  'param-temperature-zero-refused': refuses('temperature 0 is refused', 'temperature', (value) => value === 0),
  'param-temperature-two-refused': refuses('temperature above 1 is refused', 'temperature', (value) => value > 1),
  'param-temperature-below-accepted-in-streams': accepts(
    'A stream may have a temperature below 0',
    'temperature',
    (value) => value < 0,
    isStream,
  ),
  'param-top-p-below-accepted-in-streams': accepts(
    'A stream may have a top_p below 0',
    'top-p',
    (value) => value < 0,
    isStream,
  ),
  'param-temperature-one-refused': refuses('temperature 1 is refused', 'temperature', (value) => value === 1),
  'param-temperature-fraction-refused': refuses('temperature 0.7 is refused', 'temperature', (value) => value === 0.7),
  'param-temperature-refused-in-streams': fault('A stream with temperature is refused', 'limits.temperature-in-range', {
    refuse: (call) => isStream(call) && call.body['temperature'] !== undefined,
  }),
  ...breaking('limits.top-p-in-range', {
    'param-top-p-refused-in-streams': row('A stream with top_p is refused', {
      refuse: (call) => isStream(call) && call.body['top_p'] !== undefined,
    }),
    'param-temperature-with-top-p-rejected': row('temperature and top_p together are refused', {
      source: 'https://github.com/JohnnyZ93/oai-compatible-copilot/issues/42',
      refuse: (call) => call.body['top_p'] !== undefined && call.body['temperature'] !== undefined,
    }),
  }),
  'param-max-tokens-above-sixteen-refused': refuses(
    'max_tokens above 16 is refused',
    'max-tokens',
    (value) => value > 16,
  ),
  'param-stream-without-max-tokens-refused': fault(
    'A stream without max_tokens is refused',
    'request.optional-fields',
    { refuse: (call) => isStream(call) && call.body['max_tokens'] === undefined },
  ),
  'chat-first-refused': fault('The first chat request is refused', 'endpoint.chat-answers', {
    refuse: (call) => isPlain(call) && call.ordinal === 1,
  }),
  'param-top-p-above-accepted': accepts('A top_p above 1 is accepted', 'top-p', (value) => value > 1),
  'param-top-p-below-accepted': accepts('A top_p below 0 is accepted', 'top-p', (value) => value < 0),
  'param-top-p-zero-refused': refuses('top_p 0 is refused', 'top-p', (value) => value === 0),
  'param-top-p-one-refused': refuses('top_p 1 is refused', 'top-p', (value) => value === 1),
  'param-top-p-out-of-range-500': fault('top_p out of range causes a 500', 'errors.no-server-error', {
    source: 'https://github.com/Arthur-Ficial/apfel/issues/235',
    refusal: refuseWith(500, 'top-p-range'),
  }),
  'param-temperature-out-of-range-502': fault('A temperature out of range causes a 502', 'errors.no-server-error', {
    source: 'https://github.com/WingedGuardian/GENesis-AGI/issues/2111',
    refusal: refuseWith(502, 'temperature-range'),
  }),
  'param-max-tokens-out-of-range-500': fault('max_tokens out of range causes a 500', 'errors.no-server-error', {
    refusal: refuseWith(500, 'max-tokens-range'),
  }),
  'param-huge-number-500': fault('A number above 1e300 causes a 500', 'errors.no-server-error', {
    source: 'https://github.com/WingedGuardian/GENesis-AGI/pull/2040',
    only: (call) => Object.values(call.body).some((value) => typeof value === 'number' && Math.abs(value) > 1e300),
    refusal: (reason) => ({ ...refuseWith(500)(reason), code: 'overflow' }),
  }),
  'param-out-of-range-redirect': fault(
    'Values out of range are redirected to a help page',
    ['limits.max-tokens', 'limits.temperature', 'limits.top-p'],
    { refusal: redirect('max-tokens-range', 'temperature-range', 'top-p-range') },
  ),
  'param-only-model-and-messages-refused': fault('A request without max_tokens is refused', 'request.optional-fields', {
    only: isChat,
    refuse: (call) => call.body['max_tokens'] === undefined,
  }),
  'param-max-tokens-refused': fault(
    'max_tokens is refused in favour of another parameter',
    'limits.max-tokens-in-range',
    { refuse: (call) => call.body['max_tokens'] !== undefined },
  ),
  'param-model-missing-accepted': fault(
    'A request without model is answered by a default model',
    'request.model-required',
    { refusal: letPass('model-missing') },
  ),
  'param-messages-missing-accepted': fault('A request without messages is answered', 'request.messages-required', {
    refusal: letPass('messages-missing'),
  }),
  'param-role-missing-accepted': fault('A message without role is answered', 'message.role-required', {
    refusal: letPass('role-missing'),
  }),
  'param-content-missing-accepted': fault('A message without content is answered', 'message.content-required', {
    refusal: letPass('content-missing'),
  }),
  'param-model-missing-500': fault('A request without model causes a 500', 'errors.no-server-error', {
    refusal: refuseWith(500, 'model-missing'),
  }),
  'param-body-missing-accepted': fault('A request without a body is answered', 'endpoint.chat-body-required', {
    only: (call) => call.text === '',
    refusal: letBodyPass,
  }),
  'param-malformed-json-accepted': fault('A body that is not JSON is answered', 'endpoint.chat-body-json', {
    only: (call) => call.text !== '' && call.parsed === undefined,
    refusal: letBodyPass,
  }),
  'param-text-after-json-accepted': fault('Text after the JSON is ignored', 'endpoint.chat-body-json', {
    only: isWritten(/\} garbage$/),
    refusal: letBodyPass,
  }),
  'param-trailing-comma-accepted': fault('A trailing comma is accepted', 'endpoint.chat-body-json', {
    only: isWritten(/,\}$/),
    refusal: letBodyPass,
  }),
  'param-comment-accepted': fault('A comment before the JSON is accepted', 'endpoint.chat-body-json', {
    only: isWritten(/^\/\*/),
    refusal: letBodyPass,
  }),
  'param-number-body-accepted': fault('A body that is a number is answered', 'endpoint.chat-body-json', {
    only: (call) => typeof call.parsed === 'number',
    refusal: letBodyPass,
  }),
  'param-array-body-accepted': fault('A body that is a JSON array is answered', 'endpoint.chat-body-json', {
    only: (call) => Array.isArray(call.parsed),
    refusal: letBodyPass,
  }),
  'param-empty-object-accepted': fault(
    'A body without model and messages is answered',
    ['request.model-required', 'request.messages-required'],
    { only: isWritten(/^\{[^{]{0,20}\}$/), refusal: letPass('model-missing', 'messages-missing') },
  ),
  'param-accept-stream-201': fault(
    'A plain request with Accept: text/event-stream is answered with status 201',
    'endpoint.chat-answers',
    { answer: onSuccess((call) => isPlain(call) && call.headers.accept === 'text/event-stream', setStatus(201)) },
  ),
  'param-body-missing-500': fault('A request without a body causes a 500', 'errors.no-server-error', {
    refusal: refuseWith(500, 'body-missing'),
  }),
} satisfies Record<string, Fault>;
