/** The expected value of a finding: the data, and the one table that formats it. */
import { count, formatDuration } from '../text/layout.ts';
import type { SchemaExpectation, SchemaIssue } from '../contract/contract.ts';
import { formatExcerpt, formatValue, type Quote, type QuotedValue } from '../text/quote.ts';
import type { OfKind } from './reason.ts';
import type { Integer } from '../scalars.ts';

/** Conditions on a 200 that the status alone does not express. */
const CONDITIONS = {
  'no-error': '200 without an error in the body',
  bearer: '200 with Authorization: Bearer',
  'accept-json': '200 with Accept: application/json, as for Accept: text/event-stream',
  'max-tokens': '200, as for the same request without max_tokens',
  'listed-model': '200 for a listed model',
  'permitted-model': '200 for a model that the key may call',
} as const;

const PHRASES = {
  'no-server-error': 'no 5xx',
  http: 'well-formed HTTP',
  'version-segment': 'v1 as the last segment of the path',
  'small-headers': 'headers smaller than 16 KiB in total',
  json: 'one JSON document',
  'json-object': 'one JSON object',
  'error-body': 'an error body',
  'no-error': 'no error in an answer with status 200',
  'no-error-in-choice': 'no error in a choice',
  'message-in-choice': 'a message in every choice',
  'one-value': 'one value for each member of an object',
  'choice-with-message': 'at least one choice with a message',
  'unique-id': 'a unique id',
  'unique-index': 'a unique index',
  'single-choice-index': '0, since there is one choice',
  'permitted-models': 'only models that the key may call',
  'called-model': 'the model of --model, which answers',
  'no-key': 'an answer without the key',
  'revoked-key-refused': '401, since the key was revoked at least ten minutes ago',
  'counted-text': 'at least 1, since the reply has text',
  'finish-length': '"length" for a reply that was cut at max_tokens',
  'event-stream': 'server-sent events',
  'json-or-done': 'JSON or [DONE]',
  'usual-event-name': 'no event name, or message or error',
  'block-with-data': 'a data line in the same block',
  'no-comment-after-id': 'no comment-only block after an id',
  'line-feed': 'LF or CR LF at the end of a line',
  'no-byte-order-mark': 'no byte order mark',
  'data-field': 'data: as the name of the field',
  'utf-8-line': 'UTF-8',
  'one-data-line': 'the whole chunk in one data line',
  'choice-chunk': 'a chunk with a choice',
  'whole-stream': 'a complete stream',
  'text-as-without-stream': 'text, as in the plain reply',
  'text-as-generated': 'text that arrives as it is generated',
  'new-text': 'only the text since the previous chunk',
  'no-replacement-character': 'text without U+FFFD',
  'whole-characters': 'no split characters',
  'first-id': 'the id of the first chunk',
  'role-first': '"assistant" in the first delta',
  'role-later': '"assistant" or no role in a later delta',
  'finish-type': 'null or a string',
  'finish-not-empty': 'null or a non-empty string',
  'finish-once': 'one finish_reason per choice',
  'finish-every-choice': 'a finish_reason for every choice before the stream ends',
  'no-text-after-finish': 'no text after finish_reason',
  done: '[DONE] at the end of the stream',
  'nothing-after-done': 'nothing after [DONE]',
  'bare-done': 'data: [DONE] without further white space',
  'orderly-end': 'the end of the response after [DONE], not a cut connection',
  'end-after-done': 'the end of the response within a second of [DONE]',
  'bearer-scheme': 'a scheme of type http with scheme bearer',
  'no-required-parameter': 'no required parameter',
  'open-object': 'additional fields allowed in an answer',
  'upstream-reply': "the upstream's reply",
  'upstream-call': 'a call at the upstream',
  'own-reply': 'the reply to this request',
  'own-key-reply': 'a reply that was made for this key',
  'no-usage': 'no usage, since the upstream sent none',
  'failure-known': 'an error, or the reply of a later upstream call',
  'error-status': 'an error status with the error body',
  'broken-stream': 'an error event or a stream that breaks off',
  'one-upstream-call': 'no further upstream call after the first output',
  'blameless-status': 'a status that does not blame the request or the key, such as 502',
  'no-upstream-call': 'no call at the upstream',
  'no-client-key': "a call without the client's key",
  'no-upstream-key': "an answer without the upstream's key",
  'failed-call': 'a failed call',
  'same-models': "every model that this key's lists have before and after the load",
  'own-models': 'no model that only the other key may call',
  'timely-answer': 'an answer, as other calls got at the same time',
  'answer-again': 'an answer to one call at a time after the load',
  'budget-kept': 'every time within its budget',
  'given-key': 'Authorization: Bearer with the key that the client was given',
} as const;

/** A kind whose words need no data. */
export type ExpectedPhrase = keyof typeof PHRASES;

type Scalar = null | boolean | number | string;

export type Expected =
  | SchemaExpectation
  | { readonly kind: ExpectedPhrase }
  | { readonly kind: 'status'; readonly status: Integer }
  | { readonly kind: 'success'; readonly condition: keyof typeof CONDITIONS }
  /** `violation`: what is wrong with the request. */
  | { readonly kind: 'refusal'; readonly violation?: Violation }
  | { readonly kind: 'media-type'; readonly type: string }
  | { readonly kind: 'header-named'; readonly name: string }
  | { readonly kind: 'token-sum'; readonly sum: number }
  | { readonly kind: 'token-limit'; readonly tokens: number }
  /** Milliseconds. */
  | { readonly kind: 'no-server-error-after'; readonly pause: number }
  | { readonly kind: 'prefix'; readonly prefix: string }
  | { readonly kind: 'operation'; readonly method: string; readonly path: string; readonly id?: string }
  | { readonly kind: 'bearer-on'; readonly operation: string }
  | { readonly kind: 'required-fields' | 'no-other-required-fields'; readonly fields: readonly string[] }
  /** `missing`: those that the description does not allow. */
  | { readonly kind: 'all-values'; readonly values: readonly Scalar[]; readonly missing: readonly Scalar[] }
  | { readonly kind: 'any-of-values'; readonly values: readonly Scalar[] }
  | { readonly kind: 'every-value'; readonly types: readonly string[] }
  /** Text of the other end, from this character on. */
  | { readonly kind: 'upstream-text' | 'client-text'; readonly text: Quote; readonly from: Integer }
  | { readonly kind: 'upstream-value' | 'client-value'; readonly value: QuotedValue }
  /** `model`: the name that the user gave, or of the other model. */
  | { readonly kind: 'upstream-model' | 'own-model'; readonly model: Quote }
  | { readonly kind: 'same-messages'; readonly count: Integer }
  /** Milliseconds. */
  | { readonly kind: 'piece-within' | 'recovered'; readonly limit: number }
  | { readonly kind: 'retry-after'; readonly seconds: number }
  | { readonly kind: 'exact-text'; readonly text: Quote }
  /** In the words of a check of the user's own. */
  | { readonly kind: 'own-words'; readonly words: string };

type Violation = Pick<SchemaIssue, 'pointer' | 'mismatch' | 'expected' | 'actualType' | 'value'>;
type Parametric = Exclude<Expected, { readonly kind: ExpectedPhrase }>;

const TABLE: { readonly [Kind in Parametric['kind']]: (expected: OfKind<Parametric, Kind>) => string } = {
  type: ({ types }) => types.join(' or ') || 'a value',
  'one-of': ({ values }) => `one of ${values.join(', ')}`,
  constant: ({ value }) => JSON.stringify(value),
  'not-empty': () => 'a non-empty string',
  range: ({ minimum, maximum }) => formatRange(minimum, maximum),
  status: ({ status }) => String(status),
  success: ({ condition }) => CONDITIONS[condition],
  refusal: ({ violation }) => `a refusal (4xx)${violation ? `, because ${formatViolation(violation)}` : ''}`,
  'header-named': ({ name }) => `the header ${name}, not empty`,
  'media-type': ({ type }) => `Content-Type: ${type}`,
  'token-sum': ({ sum }) => `${sum}, the sum of prompt_tokens and completion_tokens`,
  'token-limit': ({ tokens }) => `at most ${count(tokens, 'token')}`,
  'no-server-error-after': ({ pause }) => `no 5xx after an idle pause of ${pause / 1000} s`,
  prefix: ({ prefix }) => `a key that starts with ${prefix}`,
  operation: ({ method, path, id }) => `${id === undefined ? '' : `${id} at `}${method.toUpperCase()} ${path}`,
  'bearer-on': ({ operation }) => `the bearer scheme on ${operation}`,
  'required-fields': ({ fields }) => `${fields.join(' and ')} required`,
  'no-other-required-fields': ({ fields }) => `only ${fields.join(' and ')} required`,
  'all-values': ({ values }) => `all of ${values.join(', ')} allowed`,
  'any-of-values': ({ values }) => `${values.join(' or ')} allowed`,
  'every-value': ({ types }) => `every ${types.join(' or ')} that the contract allows`,
  'upstream-text': ({ text, from }) => `${formatExcerpt(text, from)}, as the upstream sent it`,
  'client-text': ({ text, from }) => `${formatExcerpt(text, from)}, as the client sent it`,
  'upstream-value': ({ value }) => `${formatValue(value)}, as the upstream sent it`,
  'client-value': ({ value }) => `${formatValue(value)}, as the client sent it`,
  'same-messages': ({ count: number }) => `the client's ${count(number, 'message')}, in their order`,
  'upstream-model': ({ model }) => `the model ${formatValue(model)}`,
  'own-model': ({ model }) => `a model of its own, other than that of ${formatValue(model)}`,
  recovered: ({ limit }) => `a reply to the control within ${formatDuration(limit)}`,
  'piece-within': ({ limit }) => `every piece within ${limit} ms`,
  'retry-after': ({ seconds }) => `Retry-After: ${seconds}, as the upstream sent it`,
  'own-words': ({ words }) => words,
  'exact-text': ({ text }) => `${text.quote === null ? '' : 'the text '}${formatValue(text)}`,
};

const WORDS = { ...PHRASES, ...TABLE };

export function formatExpected(expected: Expected): string {
  // The tables are keyed by the kind itself, which the compiler cannot follow through an index.
  const words = WORDS[expected.kind] as string | ((expected: Expected) => string);
  return typeof words === 'string' ? words : words(expected);
}

function formatRange(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum === undefined) return `${maximum} or less`;
  return maximum === undefined ? `${minimum} or more` : `${minimum} to ${maximum}`;
}

function formatViolation({ pointer, mismatch, expected, value }: Violation): string {
  const place = pointer === '' ? 'the request body' : `${pointer} in the request`;
  if (mismatch === 'absent') return `${place} is missing`;
  return `${place} is ${value === undefined ? 'not JSON' : `${formatValue(value)}, not ${formatExpected(expected)}`}`;
}

/** Part of the fingerprints of wrong types: these texts must not change, even if the sentences do. */
export function nameExpectedType(expected: Expected): string {
  if (expected.kind === 'type') return expected.types.join(' or ');
  return expected.kind === 'finish-type' ? 'null or a string' : 'one JSON object';
}
