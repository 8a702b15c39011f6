/** Faults in what is answered and what is refused (parts 2, 8): values out of range, values in range, required fields. */
import { isChat, isStream, letPass, refuseIf, refuseWith } from '../change.ts';
import type { Call } from '../call.ts';
import type { Fault } from '../modifier.ts';

const field =
  (name: string, test: (value: unknown) => boolean) =>
  (call: Call): boolean =>
    test(call.body[name]);

const isNumber =
  (test: (value: number) => boolean) =>
  (value: unknown): boolean =>
    typeof value === 'number' && test(value);

/** Whatever is wrong with a body, it is taken for an empty object and answered. */
const letBodyPass = letPass('body-missing', 'body-json', 'body-object', 'model-missing', 'messages-missing');

export const PARAMETERS_FAULTS = {
  'param-max-tokens-ignored': {
    title: 'max_tokens has no effect',
    source: 'https://github.com/vllm-project/vllm-omni/issues/445',
    breaks: ['request.max-tokens-is-maximum'],
    budget: () => Number.POSITIVE_INFINITY,
  },
  'param-max-tokens-overrun-by-two': {
    title: 'Replies have two tokens more than max_tokens',
    breaks: ['request.max-tokens-is-maximum'],
    budget: (tokens) => tokens + 2,
  },
  'param-max-tokens-ignored-in-streams': {
    title: 'max_tokens has no effect on streams',
    breaks: ['request.max-tokens-is-maximum'],
    only: isStream,
    budget: () => Number.POSITIVE_INFINITY,
  },
  'param-long-stream-counts-too-many': {
    title: 'A stream with max_tokens 64 reports 80 completion tokens',
    breaks: ['request.max-tokens-is-maximum'],
    only: (call) => isStream(call) && call.body['max_tokens'] === 64,
    chunks: (chunks) => [
      ...chunks,
      { ...chunks[0], choices: [], usage: { prompt_tokens: 9, completion_tokens: 80, total_tokens: 89 } },
    ],
  },
  'param-max-tokens-floor': {
    title: 'max_tokens below 8 is raised to 8',
    breaks: ['request.max-tokens-is-maximum'],
    budget: (tokens) => Math.max(tokens, 8),
  },
  'param-reasoning-over-budget': {
    title: 'Reasoning tokens do not count towards max_tokens',
    breaks: ['request.max-tokens-reasoning'],
    completion: (completion) => {
      const usage = { prompt_tokens: 9, completion_tokens: 400, total_tokens: 409 };
      return { ...completion, usage: { ...usage, completion_tokens_details: { reasoning_tokens: 399 } } };
    },
  },
  'param-max-tokens-zero-accepted': {
    title: 'max_tokens 0 is accepted',
    source: 'https://github.com/Continuum-AI-Corp/OrcaRouter-Lite/pull/103',
    breaks: ['limits.max-tokens'],
    refusal: letPass('max-tokens-range'),
  },
  'param-max-tokens-negative-accepted': {
    title: 'A negative max_tokens means no limit',
    breaks: ['limits.max-tokens'],
    only: field(
      'max_tokens',
      isNumber((value) => value < 0),
    ),
    refusal: letPass('max-tokens-range'),
  },
  'param-max-tokens-one-refused': {
    title: 'max_tokens 1 is refused',
    breaks: ['limits.max-tokens-in-range'],
    refuse: refuseIf(field('max_tokens', (value) => value === 1)),
  },
  'param-temperature-above-accepted': {
    title: 'A temperature above 2 is accepted',
    breaks: ['limits.temperature'],
    only: field(
      'temperature',
      isNumber((value) => value > 2),
    ),
    refusal: letPass('temperature-range'),
  },
  'param-temperature-below-accepted': {
    title: 'A temperature below 0 is accepted',
    breaks: ['limits.temperature'],
    only: field(
      'temperature',
      isNumber((value) => value < 0),
    ),
    refusal: letPass('temperature-range'),
  },
  'param-temperature-clamped': {
    title: 'A temperature out of range is clamped',
    breaks: ['limits.temperature'],
    refusal: letPass('temperature-range'),
  },
  'param-temperature-zero-refused': {
    title: 'temperature 0 is refused',
    breaks: ['limits.temperature-in-range'],
    refuse: refuseIf(field('temperature', (value) => value === 0)),
  },
  'param-temperature-two-refused': {
    title: 'temperature above 1 is refused',
    breaks: ['limits.temperature-in-range'],
    refuse: refuseIf(
      field(
        'temperature',
        isNumber((value) => value > 1),
      ),
    ),
  },
  'param-top-p-above-accepted': {
    title: 'A top_p above 1 is accepted',
    breaks: ['limits.top-p'],
    only: field(
      'top_p',
      isNumber((value) => value > 1),
    ),
    refusal: letPass('top-p-range'),
  },
  'param-top-p-below-accepted': {
    title: 'A top_p below 0 is accepted',
    breaks: ['limits.top-p'],
    only: field(
      'top_p',
      isNumber((value) => value < 0),
    ),
    refusal: letPass('top-p-range'),
  },
  'param-top-p-zero-refused': {
    title: 'top_p 0 is refused',
    breaks: ['limits.top-p-in-range'],
    refuse: refuseIf(field('top_p', (value) => value === 0)),
  },
  'param-top-p-one-refused': {
    title: 'top_p 1 is refused',
    breaks: ['limits.top-p-in-range'],
    refuse: refuseIf((call) => call.body['top_p'] === 1 && call.body['temperature'] === undefined),
  },
  'param-temperature-with-top-p-rejected': {
    title: 'temperature and top_p together are refused',
    source: 'https://github.com/JohnnyZ93/oai-compatible-copilot/issues/42',
    breaks: ['limits.top-p-in-range'],
    refuse: refuseIf((call) => call.body['top_p'] !== undefined && call.body['temperature'] !== undefined),
  },
  'param-top-p-out-of-range-500': {
    title: 'top_p out of range causes a 500',
    source: 'https://github.com/Arthur-Ficial/apfel/issues/235',
    breaks: ['errors.no-server-error'],
    refusal: refuseWith(500, 'top-p-range'),
  },
  'param-temperature-out-of-range-502': {
    title: 'A temperature out of range causes a 502',
    source: 'https://github.com/WingedGuardian/GENesis-AGI/issues/2111',
    breaks: ['errors.no-server-error'],
    refusal: refuseWith(502, 'temperature-range'),
  },
  'param-max-tokens-out-of-range-500': {
    title: 'max_tokens out of range causes a 500',
    breaks: ['errors.no-server-error'],
    refusal: refuseWith(500, 'max-tokens-range'),
  },
  'param-huge-number-500': {
    title: 'A number above 1e300 causes a 500',
    source: 'https://github.com/WingedGuardian/GENesis-AGI/pull/2040',
    breaks: ['errors.no-server-error'],
    only: (call) => Object.values(call.body).some((value) => typeof value === 'number' && Math.abs(value) > 1e300),
    refusal: (reason) => ({ ...refuseWith(500)(reason), code: 'overflow' }),
  },
  'param-out-of-range-redirect': {
    title: 'Values out of range are redirected to a help page',
    breaks: ['limits.max-tokens', 'limits.temperature', 'limits.top-p'],
    refusal: (reason) =>
      reason.rule.endsWith('-range') ? { ...reason, status: 302, headers: { location: '/help' } } : reason,
  },
  'param-only-model-and-messages-refused': {
    title: 'A request without max_tokens is refused',
    breaks: ['request.optional-fields'],
    only: isChat,
    refuse: refuseIf(field('max_tokens', (value) => value === undefined)),
  },
  'param-max-tokens-refused': {
    title: 'max_tokens is refused in favour of another parameter',
    breaks: ['limits.max-tokens-in-range'],
    refuse: refuseIf(field('max_tokens', (value) => value !== undefined)),
  },
  'param-model-missing-accepted': {
    title: 'A request without model is answered by a default model',
    breaks: ['request.model-required'],
    refusal: letPass('model-missing'),
  },
  'param-messages-missing-accepted': {
    title: 'A request without messages is answered',
    breaks: ['request.messages-required'],
    refusal: letPass('messages-missing'),
  },
  'param-role-missing-accepted': {
    title: 'A message without role is answered',
    breaks: ['message.role-required'],
    refusal: letPass('role-missing'),
  },
  'param-content-missing-accepted': {
    title: 'A message without content is answered',
    breaks: ['message.content-required'],
    refusal: letPass('content-missing'),
  },
  'param-model-missing-500': {
    title: 'A request without model causes a 500',
    breaks: ['errors.no-server-error'],
    refusal: refuseWith(500, 'model-missing'),
  },
  'param-body-missing-accepted': {
    title: 'A request without a body is answered',
    breaks: ['endpoint.chat-body-required'],
    only: (call) => call.text === '',
    refusal: letBodyPass,
  },
  'param-malformed-json-accepted': {
    title: 'A body that is not JSON is answered',
    breaks: ['endpoint.chat-body-json'],
    only: (call) => call.text !== '' && call.parsed === undefined,
    refusal: letBodyPass,
  },
  'param-array-body-accepted': {
    title: 'A body that is a JSON array is answered',
    breaks: ['endpoint.chat-body-json'],
    only: (call) => Array.isArray(call.parsed),
    refusal: letBodyPass,
  },
  'param-body-missing-500': {
    title: 'A request without a body causes a 500',
    breaks: ['errors.no-server-error'],
    refusal: refuseWith(500, 'body-missing'),
  },
} satisfies Record<string, Fault>;
