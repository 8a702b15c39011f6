/** The actual value of a finding: the data, and the one table that formats it. */
import type { SecretSeen } from '../exchange/exchange.ts';
import { KEY_USES } from '../suite/case.ts';
import { count } from '../text/layout.ts';
import { formatExcerpt, formatQuote, formatValue, isQuote, type Quote, type QuotedValue } from '../text/quote.ts';
import { type AnswerStatus, formatStatus } from '../exchange/answer-status.ts';
import type { OfKind } from './reason.ts';
import type { Count, Duration, Integer } from '../scalars.ts';

/** Forms of a body other than the expected one. */
const FORMS = {
  cut: 'a body that was cut off',
  undecodable: 'a body that cannot be decompressed',
  'not-json': 'not JSON',
  'not-utf8': 'not UTF-8',
  'no-object': 'JSON, but not an object',
  'event-stream': 'an event stream',
  json: 'one JSON document',
  'json-lines': 'one JSON document per line',
  text: 'plain text',
} as const;

export type BodyForm = keyof typeof FORMS;

const READERS = { wirecheck: 'wirecheck', client: 'the recorded client' } as const;

export type StreamReader = keyof typeof READERS;

/** What a body is, if it has a name. Its beginning would be a few fields that say nothing. */
export type BodyContent =
  | { readonly kind: 'completion'; readonly text: Quote }
  | { readonly kind: 'models' | 'lines'; readonly count: Count }
  /** `leftBy`: who stopped reading there, so that the stream may have had more. */
  | { readonly kind: 'events'; readonly count: Count; readonly leftBy?: StreamReader }
  /** A stream with text, and an error after it. */
  | { readonly kind: 'events-and-error'; readonly count: Count; readonly message?: Quote }
  | { readonly kind: 'error'; readonly code?: Quote; readonly message?: Quote }
  | { readonly kind: 'page'; readonly title?: Quote }
  /** A long text that is not JSON, in the words of the parser. */
  | { readonly kind: 'syntax'; readonly problem: Quote }
  /** A body that was cut off: here the end is quoted, not the beginning. */
  | { readonly kind: 'end'; readonly text: Quote };

/** A bound that a described schema sets. */
const BOUNDS = {
  minimum: 'at least',
  maximum: 'at most',
  exclusiveMinimum: 'more than',
  exclusiveMaximum: 'less than',
  multipleOf: 'multiples of',
} as const;

export type BoundKeyword = keyof typeof BOUNDS;

const PHRASES = {
  absent: 'nothing',
  'empty-body': 'an empty body',
  'empty-data': 'an event without data',
  'no-content-type': 'no Content-Type',
  'no-path': 'no path',
  'no-prefix': 'a key without this prefix',
  'bare-key-accepted': '401, but 200 for the key without the scheme',
  'key-lost': '401 on a connection that was used before, but not on a new one',
  'choice-error': 'a choice with an error',
  'no-text': 'finish_reason stop without text or reasoning',
  'cut-off': 'the body was cut off',
  'connection-refused': 'connection refused',
  'cut-after-done': 'the connection broke after [DONE], before the end of the body',
  'only-done': 'only [DONE]',
  'second-done': 'a second [DONE]',
  'later-event': 'another event',
  'held-open': 'the stream stayed open without it',
  closed: 'the stream closed without it',
  'open-after-done': 'a response that stayed open',
  'lone-return': 'CR alone',
  'byte-order-mark': 'a byte order mark (EF BB BF)',
  'no-operation': 'no such operation',
  'no-scheme': 'no such scheme',
  'closed-object': 'additionalProperties: false',
  'empty-reply': 'a 200 without any text',
  'just-closed': 'a stream that just closed, without finish_reason or [DONE]',
  'upstream-call': 'a call at the upstream',
  'no-end': 'no complete answer within 20 s',
  reordered: 'the messages in a different order',
  'first-key-reply': 'the reply that was made for the first key',
  'no-request': 'no such request',
  flood: 'more than 1 MiB of output',
} as const;

/** A kind whose words need no data. */
export type ActualPhrase = keyof typeof PHRASES;

/** Another exchange, and the case or base request that it sent. */
export interface OtherAnswer {
  readonly exchange: string;
  readonly request: string;
}

export type Actual =
  | { readonly kind: ActualPhrase }
  | { readonly kind: 'value'; readonly value: QuotedValue }
  /** The value itself was not kept. */
  | { readonly kind: 'type'; readonly type: string }
  | ({ readonly kind: 'status'; readonly model?: Quote } & AnswerStatus)
  | { readonly kind: 'answer'; readonly status: Integer; readonly body: Quote; readonly content?: BodyContent }
  | { readonly kind: 'body'; readonly form: BodyForm; readonly body: Quote; readonly content?: BodyContent }
  /** An event that carries an error. */
  | { readonly kind: 'error-event'; readonly content: BodyContent }
  | { readonly kind: 'no-body'; readonly status: Integer }
  | { readonly kind: 'hang-up'; readonly times: Count }
  | { readonly kind: 'failure'; readonly code: string; readonly detail: Quote }
  /** Bytes beyond the stated length. */
  | { readonly kind: 'surplus'; readonly length?: string }
  | { readonly kind: 'path-segment'; readonly segment: string }
  | { readonly kind: 'header'; readonly name: string; readonly value: string | Quote }
  /** The same value as at another place of the answer, or as in another answer. */
  | ({ readonly kind: 'repeated'; readonly value: QuotedValue; readonly pointer?: string } & Partial<OtherAnswer>)
  | { readonly kind: 'token-counts'; readonly total: number; readonly prompt: number; readonly completion: number }
  | { readonly kind: 'tokens'; readonly tokens: number; readonly reasoning: number }
  | { readonly kind: 'characters'; readonly characters: Count }
  | ({
      readonly kind: 'secret';
      readonly header?: string | Quote;
      readonly pointer?: string;
    } & Pick<SecretSeen, 'role' | 'form' | 'place'>)
  | { readonly kind: 'text' | 'repeated-text' | 'reply'; readonly text: Quote }
  | { readonly kind: 'changed'; readonly value: QuotedValue; readonly first: QuotedValue }
  | { readonly kind: 'unfinished-choice'; readonly choice: number }
  | {
      readonly kind:
        | 'comments'
        | 'named-events'
        | 'other-events'
        | 'stalled'
        | 'stream-cut'
        | 'data-lines'
        | 'header-bytes';
      readonly count: Count;
    }
  /** Milliseconds. */
  | { readonly kind: 'at-once'; readonly events: Count; readonly within: number; readonly wait: number }
  | { readonly kind: 'operation'; readonly method: string; readonly path: Quote }
  | { readonly kind: 'parameter'; readonly name: QuotedValue; readonly in: QuotedValue }
  | { readonly kind: 'field-not-required'; readonly field: string }
  | { readonly kind: 'field-required'; readonly field: Quote }
  | { readonly kind: 'types'; readonly types: readonly string[] }
  | { readonly kind: 'bound'; readonly keyword: BoundKeyword; readonly bound: number }
  /** A part of a text, from this character on; `length` is that of the whole text. */
  | { readonly kind: 'text-at'; readonly text: Quote; readonly from: Integer; readonly length: Integer }
  /** The question whose reply it is. */
  | { readonly kind: 'foreign-reply'; readonly question: string }
  /** The exchange whose word it holds. `isEarlier`: it was over before, and otherwise in flight. */
  | ({ readonly kind: 'foreign-word'; readonly isEarlier?: true } & OtherAnswer)
  /** The exchange whose reply was given again. */
  | ({ readonly kind: 'cached-reply' } & OtherAnswer)
  | { readonly kind: 'proper-end'; readonly finish?: Quote; readonly hasDone: boolean }
  | { readonly kind: 'messages'; readonly count: Integer }
  | { readonly kind: 'list-without' | 'list-with'; readonly model: Quote }
  /** Milliseconds. */
  | { readonly kind: 'unanswered'; readonly time: number }
  /** Milliseconds. `name`: such as `first-text.p50`. */
  | { readonly kind: 'over-budget'; readonly name: string; readonly time: number; readonly most: number }
  /** Milliseconds. */
  | { readonly kind: 'later-call'; readonly after: number }
  | { readonly kind: 'delay'; readonly time: number }
  /** A client that ended its call as a success. */
  | { readonly kind: 'returned'; readonly text: Quote }
  /** A client that made a failed call known, or died. */
  | { readonly kind: 'gave-up'; readonly exit?: Integer; readonly signal?: string; readonly complaint: Quote }
  /** Milliseconds. */
  | { readonly kind: 'no-result'; readonly limit: Duration; readonly calls: Count };

const KEY_NAMES: ReadonlySet<string> = new Set([...KEY_USES, 'upstream']);

/** A secret that is not a key is identified by its header. */
export function formatSecretName(role: string): string {
  if (KEY_NAMES.has(role)) return `the ${role} key`;
  return role === 'proxy' ? 'the password of the proxy' : `the value of the header ${role}`;
}

const SECRET_PLACES: Record<SecretSeen['place'], string> = {
  body: 'the body',
  header: 'a header',
  status: 'the status line',
};

const SECRET_FORMS: Record<Exclude<SecretSeen['form'], 'raw'>, string> = {
  url: 'URL-encoded',
  base64: 'base64-encoded',
  json: 'JSON-escaped',
  html: 'HTML-escaped',
  hex: 'hex-encoded',
};

type Parametric = Exclude<Actual, { readonly kind: ActualPhrase }>;

const TABLE: { readonly [Kind in Parametric['kind']]: (actual: OfKind<Parametric, Kind>) => string } = {
  value: ({ value }) => formatValue(value),
  type: ({ type }) => type,
  status: ({ model, ...answer }) => `${formatStatus(answer)}${model ? ` for the model ${formatValue(model)}` : ''}`,
  answer: ({ status, body, content }) => {
    if (content) return `${status} with ${formatContent(content)}`;
    return body.length === 0 ? `${status} with an empty body` : `${status}: ${formatQuote(body)}`;
  },
  body: ({ form, body, content }) => {
    if (body.length === 0) return form === 'undecodable' ? FORMS[form] : 'an empty body';
    return content ? formatForm(form, content) : `${FORMS[form]}: ${formatQuote(body)}`;
  },
  'error-event': ({ content }) => formatContent(content),
  'no-body': ({ status }) => `${status} without a body`,
  'hang-up': ({ times }) => `connection closed without an answer${times === 1 ? '' : `, ${count(times, 'time')}`}`,
  failure: ({ code, detail }) => (detail.length === 0 ? code : `${code}: ${formatQuote(detail)}`),
  surplus: ({ length }) => `more bytes than Content-Length states${length === undefined ? '' : ` (${length})`}`,
  'path-segment': ({ segment }) => segment,
  header: ({ name, value }) => `${name}: ${typeof value === 'string' ? value : formatQuote(value)}`,
  repeated: ({ value, pointer, request = '' }) => {
    if (!isQuote(value) || value.quote !== null) {
      return `${formatValue(value)}, the same as ${pointer === undefined ? `in the answer to ${request}` : `at ${pointer}`}`;
    }
    return `the same id as ${pointer === undefined ? `in the answer to ${request}` : pointer}`;
  },
  'token-counts': ({ total, prompt, completion }) =>
    `${total}, but prompt_tokens is ${prompt} and completion_tokens is ${completion}`,
  tokens: ({ tokens, reasoning }) => `${count(tokens, 'token')}${formatReasoning(tokens, reasoning)}`,
  characters: ({ characters }) => `${count(characters, 'character')} of text`,
  secret: ({ role, form, place, header, pointer }) => {
    const headerName = isQuote(header) ? header.quote : header;
    const where = headerName ? `the header ${headerName}` : SECRET_PLACES[place];
    const at = pointer === undefined ? '' : ` at ${pointer}`;
    return `${formatSecretName(role)} in ${where}${at}${form === 'raw' ? '' : `, ${SECRET_FORMS[form]}`}`;
  },
  text: ({ text }) => formatQuote(text),
  reply: ({ text }) => formatContent({ kind: 'completion', text }),
  'repeated-text': ({ text }) => `the text from the start again: ${formatQuote(text)}`,
  changed: ({ value, first }) => `${formatValue(value)} after ${formatValue(first)}`,
  'unfinished-choice': ({ choice }) => `no finish_reason for choice ${choice}`,
  'header-bytes': ({ count: number }) => `${number} bytes of names and values`,
  comments: ({ count: number }) => `only comments (${number})`,
  'named-events': ({ count: number }) => `only named events (${number})`,
  'other-events': ({ count: number }) => `${count(number, 'event')}, none with a choice`,
  'data-lines': ({ count: number }) => count(number, 'data line'),
  stalled: ({ count: number }) => `nothing more after ${count(number, 'event')}`,
  'stream-cut': ({ count: number }) => `the connection closed after ${count(number, 'event')}, without [DONE]`,
  'at-once': ({ events, within, wait }) =>
    `${count(events, 'event')} with text within ${within.toFixed(1)} ms, after a wait that is ${wait.toFixed(0)} ms longer than for a refusal`,
  operation: ({ method, path }) => `${method.toUpperCase()} ${formatQuote(path)}`,
  parameter: ({ name, in: place }) => `${formatValue(name)} in ${formatValue(place)} is required`,
  'field-not-required': ({ field }) => `${field} is not required`,
  'field-required': ({ field }) => `${formatQuote(field)} is also required`,
  types: ({ types }) => types.join(' or ') || 'no type',
  bound: ({ keyword, bound }) => `${BOUNDS[keyword]} ${bound}`,
  'text-at': ({ text, from, length }) => {
    if (length === 0) return 'no text';
    return length <= from ? `only the first ${count(length, 'character')}` : formatExcerpt(text, from);
  },
  'foreign-reply': ({ question }) => `the reply to ${question}`,
  'foreign-word': ({ request, isEarlier }) =>
    `the random word of ${request}, ${isEarlier ? 'an earlier' : 'a concurrent'} request`,
  'cached-reply': ({ request }) => `200 with the reply to ${request}, from a cache`,
  'proper-end': ({ finish, hasDone }) =>
    [...(finish ? [`finish_reason ${formatValue(finish)}`] : []), ...(hasDone ? ['[DONE]'] : [])].join(' and ') ||
    'a proper end',
  messages: ({ count: number }) => count(number, 'message'),
  'list-without': ({ model }) => `a list without ${formatQuote(model)}`,
  'list-with': ({ model }) => `a list with ${formatQuote(model)}`,
  unanswered: ({ time }) => `no answer after ${Math.round(time / 1000)} s`,
  'over-budget': ({ name, time, most }) => `${name} is ${Math.round(time)} ms, above ${Math.round(most)} ms`,
  'later-call': ({ after }) => `another call, ${after} ms after the first output`,
  delay: ({ time }) => `a piece after ${time} ms`,
  returned: ({ text }) =>
    text.length === 0
      ? 'success without any text'
      : `success with ${text.quote === null ? '' : 'the text '}${formatValue(text)}`,
  'gave-up': ({ exit, signal, complaint }) => {
    const how =
      signal === undefined ? (exit === undefined ? 'a failed call' : `exit ${exit}`) : `terminated by ${signal}`;
    return complaint.length === 0 ? how : `${how}: ${formatQuote(complaint)}`;
  },
  'no-result': ({ limit, calls }) => `no result within ${limit / 1000} s, after ${count(calls, 'call')}`,
};

const CONTENTS: { readonly [Kind in BodyContent['kind']]: (content: OfKind<BodyContent, Kind>) => string } = {
  completion: ({ text }) => {
    if (text.length === 0) return 'a completion without text';
    return text.quote === null
      ? `a completion of ${count(text.length, 'character')}`
      : `a completion: ${formatValue(text)}`;
  },
  models: ({ count: number }) => `a list of ${count(number, 'model')}`,
  events: ({ count: number, leftBy }) => {
    const events = count(number, 'event');
    if (leftBy === undefined) return `a stream of ${events}`;
    return `a stream of at least ${events} (${READERS[leftBy]} read no further)`;
  },
  'events-and-error': ({ count: number, message }) =>
    `a stream of ${count(number, 'event')}, with text and then an error${message ? `: ${formatQuote(message)}` : ''}`,
  lines: ({ count: number }) => `${count(number, 'line')}, each a JSON document`,
  error: ({ code, message }) => {
    const words = [code, message].filter((word) => word !== undefined).map((word) => formatQuote(word));
    return words.length === 0 ? 'an error' : `an error (${words.join(': ')})`;
  },
  page: ({ title }) => `a web page${title ? ` (${formatQuote(title)})` : ''}`,
  syntax: ({ problem }) => `text that is not JSON: ${formatQuote(problem)}`,
  end: ({ text: { quote, length, isCut } }) =>
    `a body that was cut off after ${count(length, 'byte')}${quote === null ? '' : `: ${isCut ? '…' : ''}${quote}`}`,
};

function formatContent(content: BodyContent): string {
  return (CONTENTS[content.kind] as (content: BodyContent) => string)(content);
}

/** Contents that say as much as the form. */
const OWN_FORMS: ReadonlySet<BodyContent['kind']> = new Set(['events', 'events-and-error', 'lines', 'syntax', 'end']);

function formatForm(form: BodyForm, content: BodyContent): string {
  if (form === 'not-json' && content.kind !== 'syntax') return `not JSON but ${formatContent(content)}`;
  return OWN_FORMS.has(content.kind) ? formatContent(content) : `${FORMS[form]}, ${formatContent(content)}`;
}

const WORDS = { ...PHRASES, ...TABLE };

export function formatActual(actual: Actual): string {
  // The tables are keyed by the kind itself, which the compiler cannot follow through an index.
  const words = WORDS[actual.kind] as string | ((actual: Actual) => string);
  return typeof words === 'string' ? words : words(actual);
}

const COMPLETIONS: readonly BodyContent['kind'][] = ['completion', 'events', 'events-and-error'];

/** Whether the target answered with a completion, whole or as a stream. */
export function isCompletion(actual: Actual): boolean {
  return actual.kind === 'answer' && actual.content !== undefined && COMPLETIONS.includes(actual.content.kind);
}

/** The field of a description that the finding is about. Part of its fingerprint. */
export function nameField(actual: Actual): string | undefined {
  if (actual.kind === 'field-not-required') return actual.field;
  return actual.kind === 'field-required' ? formatQuote(actual.field) : undefined;
}

function formatReasoning(tokens: number, reasoning: number): string {
  if (reasoning <= 0) return '';
  return reasoning <= tokens
    ? `, ${reasoning} of them for reasoning`
    : `, although ${reasoning} are reported for reasoning`;
}
