/** The expected value of a finding: the data, and the one table that formats it. */
import { count, formatDuration } from '../text/layout.ts';
import type { SchemaExpectation, SchemaIssue } from '../contract/contract.ts';
import { formatExcerpt, formatValue, type Quote, type QuotedValue } from '../text/quote.ts';
import { type OfKind, type RowsOf, wordsFor } from '../kinds.ts';
import type { Integer } from '../scalars.ts';

/** Conditions on a 200 that the status alone does not express. */
const CONDITIONS = {
  'no-error': '200 without an error in the body',
  bearer: '200 with Authorization: Bearer',
  'accept-json': '200 with Accept: application/json, as for Accept: text/event-stream',
  'max-tokens': '200, as for the same request without max_tokens',
  'listed-model': '200 for a listed model',
  'permitted-model': '200 for a model that the key may call',
  preflight: '2xx, since a page cannot send its key before that',
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
  'no-inside': 'no inner address, file or stack trace in an error',
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
  'other-reply': 'the reply of the other upstream, which is well',
  'one-text': 'the text of one upstream call, or an error',
  'as-before': 'calls of others answered as before, by the same upstream',
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
  'expired-key-refused': '401, since the key expired at least ten minutes ago',
  'origin-allowed': 'Access-Control-Allow-Origin with * or the origin of the page',
  'given-key': 'Authorization: Bearer with the key that the client was given',
} as const;

/** A kind whose words need no data. */
export type ExpectedPhrase = keyof typeof PHRASES;

export type BrokenRule = Pick<SchemaIssue, 'pointer' | 'mismatch' | 'expected' | 'actualType' | 'value'>;

/** The words for what a schema asks for. */
const OF_SCHEMAS: { readonly [Kind in SchemaExpectation['kind']]: (asked: OfKind<SchemaExpectation, Kind>) => string } =
  {
    type: ({ types }) => types.join(' or ') || 'a value',
    'one-of': ({ values }) => `one of ${values.join(', ')}`,
    constant: ({ value }) => JSON.stringify(value),
    'not-empty': () => 'a non-empty string',
    range: ({ minimum, maximum }) => formatRange(minimum, maximum),
  };

/** A kind and its words, with the data that they are made of. Times are milliseconds. */
const TABLE = {
  status: ({ status }: { readonly status: Integer }) => String(status),
  success: ({ condition }: { readonly condition: keyof typeof CONDITIONS }) => CONDITIONS[condition],
  /** `violation`: what is wrong with the request. */
  refusal: ({ violation }: { readonly violation?: BrokenRule }) =>
    `a refusal (4xx)${violation ? `, because ${formatViolation(violation)}` : ''}`,
  'header-named': ({ name }: { readonly name: string }) => `the header ${name}, not empty`,
  'header-allowed': ({ header }: { readonly header: string }) => `Access-Control-Allow-Headers with ${header}`,
  'more-tokens': ({ than }: { readonly than: number }) => `more than ${count(than, 'token')}, since there is more text`,
  'same-tokens': ({ as }: { readonly as: number }) =>
    `${count(as, 'token')}, as for the same messages before (two more or less are fine)`,
  'media-type': ({ type }: { readonly type: string }) => `Content-Type: ${type}`,
  'token-sum': ({ sum }: { readonly sum: number }) => `${sum}, the sum of prompt_tokens and completion_tokens`,
  'token-limit': ({ tokens }: { readonly tokens: number }) => `at most ${count(tokens, 'token')}`,
  'no-server-error-after': ({ pause }: { readonly pause: number }) => `no 5xx after an idle pause of ${pause / 1000} s`,
  prefix: ({ prefix }: { readonly prefix: string }) => `a key that starts with ${prefix}`,
  operation: ({ method, path, id }: { readonly method: string; readonly path: string; readonly id?: string }) =>
    `${id === undefined ? '' : `${id} at `}${method.toUpperCase()} ${path}`,
  'bearer-on': ({ operation }: { readonly operation: string }) => `the bearer scheme on ${operation}`,
  'required-fields': ({ fields }: Fields) => `${fields.join(' and ')} required`,
  'no-other-required-fields': ({ fields }: Fields) => `only ${fields.join(' and ')} required`,
  /** `missing`: those that the description does not allow. */
  'all-values': ({ values }: Values & { readonly missing: readonly Scalar[] }) => `all of ${values.join(', ')} allowed`,
  'any-of-values': ({ values }: Values) => `${values.join(' or ')} allowed`,
  'every-value': ({ types }: { readonly types: readonly string[] }) =>
    `every ${types.join(' or ')} that the contract allows`,
  'upstream-text': ({ text, from }: TextFrom) => `${formatExcerpt(text, from)}, as the upstream sent it`,
  'client-text': ({ text, from }: TextFrom) => `${formatExcerpt(text, from)}, as the client sent it`,
  'upstream-value': ({ value }: { readonly value: QuotedValue }) => `${formatValue(value)}, as the upstream sent it`,
  'client-value': ({ value }: { readonly value: QuotedValue }) => `${formatValue(value)}, as the client sent it`,
  'same-messages': ({ count: number }: { readonly count: Integer }) =>
    `the client's ${count(number, 'message')}, in order`,
  'most-calls': ({ most }: { readonly most: number }) => `at most ${count(most, 'upstream call')}`,
  /** The name that the user gave. */
  'upstream-model': ({ model }: { readonly model: Quote }) => `the model ${formatValue(model)}`,
  /** The name of the other model. */
  'own-model': ({ model }: { readonly model: Quote }) => `a model of its own, other than that of ${formatValue(model)}`,
  recovered: ({ limit }: { readonly limit: number }) => `a reply to the control within ${formatDuration(limit)}`,
  'piece-within': ({ limit }: { readonly limit: number }) => `every piece within ${limit} ms`,
  'retry-after': ({ seconds }: { readonly seconds: number }) => `Retry-After: ${seconds}, as the upstream sent it`,
  /** The words are those of a check of the user's own. */
  'own-words': ({ words }: { readonly words: string }) => words,
  'exact-text': ({ text }: { readonly text: Quote }) => `${text.quote === null ? '' : 'the text '}${formatValue(text)}`,
};

export type Expected = SchemaExpectation | { readonly kind: ExpectedPhrase } | RowsOf<typeof TABLE>;

type Scalar = null | boolean | number | string;
type Fields = { readonly fields: readonly string[] };
type Values = { readonly values: readonly Scalar[] };
/** Text of the other end, from this character on. */
type TextFrom = { readonly text: Quote; readonly from: Integer };

const WORDS = { ...PHRASES, ...OF_SCHEMAS, ...TABLE };

export function formatExpected(expected: Expected): string {
  return wordsFor(WORDS, expected);
}

function formatRange(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum === undefined) return `${maximum} or less`;
  return maximum === undefined ? `${minimum} or more` : `${minimum} to ${maximum}`;
}

function formatViolation({ pointer, mismatch, expected, value }: BrokenRule): string {
  const place = pointer === '' ? 'the request body' : `${pointer} in the request`;
  if (mismatch === 'absent') return `${place} is missing`;
  return `${place} is ${value === undefined ? 'not JSON' : `${formatValue(value)}, not ${formatExpected(expected)}`}`;
}

/** Part of the fingerprints of wrong types: these texts must not change, even if the sentences do. */
export function nameExpectedType(expected: Expected): string {
  if (expected.kind === 'type') return expected.types.join(' or ');
  return expected.kind === 'finish-type' ? 'null or a string' : 'one JSON object';
}
