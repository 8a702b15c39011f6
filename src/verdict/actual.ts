/** The actual value of a finding: the data, and the one table that formats it. */
import type { SecretSeen } from '../exchange/exchange.ts';
import type { UpstreamName } from '../exchange/identity.ts';
import { KEY_USES } from '../suite/case.ts';
import { count, groupDigits } from '../text/layout.ts';
import { formatExcerpt, formatQuote, formatValue, isQuote, type Quote, type QuotedValue } from '../text/quote.ts';
import { type AnswerStatus, formatStatus } from '../exchange/answer-status.ts';
import { type RowsOf, wordsFor } from '../kinds.ts';
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

/** What an error tells of the inside of a deployment. */
const LEAKS = {
  'private-address': 'a private address',
  'file-path': 'a file with a line number',
  'stack-trace': 'a stack trace',
} as const;

export type LeakKind = keyof typeof LEAKS;

export type BodyForm = keyof typeof FORMS;

const READERS = { wirecheck: 'wirecheck', client: 'the recorded client' } as const;

export type StreamReader = keyof typeof READERS;

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

const AFTER_CLOSE = ', after its call met an idle connection that the scripted upstream was closing';

/** A kind and its words, with the data that they are made of. Times are milliseconds. */
const TABLE = {
  value: ({ value }: { readonly value: QuotedValue }) => formatValue(value),
  /** The value itself was not kept. */
  type: ({ type }: { readonly type: string }) => type,
  /** `afterIdleClose`: the request met the close of an idle connection at our own upstream. */
  status: ({
    model,
    afterIdleClose,
    ...answer
  }: { readonly model?: Quote; readonly afterIdleClose?: true } & AnswerStatus) =>
    `${formatStatus(answer)}${model ? ` for the model ${formatValue(model)}` : ''}${afterIdleClose ? AFTER_CLOSE : ''}`,
  answer: ({ status, body, content }: { readonly status: Integer } & FoundBody) => {
    if (content) return `${status} with ${formatContent(content)}`;
    return body.length === 0 ? `${status} with an empty body` : `${status}: ${formatQuote(body)}`;
  },
  body: ({ form, body, content }: { readonly form: BodyForm } & FoundBody) => {
    if (body.length === 0) return form === 'undecodable' ? FORMS[form] : 'an empty body';
    return content ? formatForm(form, content) : `${FORMS[form]}: ${formatQuote(body)}`;
  },
  /** An event that carries an error. */
  'error-event': ({ content }: { readonly content: BodyContent }) => formatContent(content),
  'no-body': ({ status }: { readonly status: Integer }) => `${status} without a body`,
  'hang-up': ({ times }: { readonly times: Count }) =>
    `connection closed without an answer${times === 1 ? '' : `, ${count(times, 'time')}`}`,
  failure: ({ code, detail }: { readonly code: string; readonly detail: Quote }) =>
    detail.length === 0 ? code : `${code}: ${formatQuote(detail)}`,
  /** Bytes beyond the stated length. */
  surplus: ({ length }: { readonly length?: string }) =>
    `more bytes than Content-Length states${length === undefined ? '' : ` (${length})`}`,
  'path-segment': ({ segment }: { readonly segment: string }) => segment,
  header: ({ name, value }: { readonly name: string; readonly value: string | Quote }) =>
    `${name}: ${typeof value === 'string' ? value : formatQuote(value)}`,
  /** The same value as at another place of the answer, or as in another answer. */
  repeated: ({ value, pointer, request = '' }: Repeated) => {
    if (!isQuote(value) || value.quote !== null) {
      return `${formatValue(value)}, the same as ${pointer === undefined ? `in the answer to ${request}` : `at ${pointer}`}`;
    }
    return `the same id as ${pointer === undefined ? `in the answer to ${request}` : pointer}`;
  },
  'token-counts': ({ total, prompt, completion }: Readonly<Record<'total' | 'prompt' | 'completion', number>>) =>
    `${total}, but prompt_tokens is ${prompt} and completion_tokens is ${completion}`,
  tokens: ({ tokens, reasoning }: { readonly tokens: number; readonly reasoning: number }) =>
    `${count(tokens, 'token')}${formatReasoning(tokens, reasoning)}`,
  characters: ({ characters }: { readonly characters: Count }) => `${count(characters, 'character')} of text`,
  secret: ({ role, form, place, header, pointer }: FoundSecret) => {
    const headerName = isQuote(header) ? header.quote : header;
    const where = headerName ? `the header ${headerName}` : SECRET_PLACES[place];
    const at = pointer === undefined ? '' : ` at ${pointer}`;
    return `${formatSecretName(role)} in ${where}${at}${form === 'raw' ? '' : `, ${SECRET_FORMS[form]}`}`;
  },
  leak: ({ of, text }: { readonly of: keyof typeof LEAKS } & Text) => `${LEAKS[of]}: ${formatQuote(text)}`,
  text: ({ text }: Text) => formatQuote(text),
  reply: ({ text }: Text) => formatContent({ kind: 'completion', text }),
  'repeated-text': ({ text }: Text) => `the text from the start again: ${formatQuote(text)}`,
  changed: ({ value, first }: { readonly value: QuotedValue; readonly first: QuotedValue }) =>
    `${formatValue(value)} after ${formatValue(first)}`,
  'unfinished-choice': ({ choice }: { readonly choice: number }) => `no finish_reason for choice ${choice}`,
  'header-bytes': ({ count: number }: Counted) => `${number} bytes of names and values`,
  comments: ({ count: number }: Counted) => `only comments (${number})`,
  'named-events': ({ count: number }: Counted) => `only named events (${number})`,
  'other-events': ({ count: number }: Counted) => `${count(number, 'event')}, none with a choice`,
  'data-lines': ({ count: number }: Counted) => count(number, 'data line'),
  stalled: ({ count: number }: Counted) => `nothing more after ${count(number, 'event')}`,
  'stream-cut': ({ count: number }: Counted) => `the connection closed after ${count(number, 'event')}, without [DONE]`,
  'at-once': ({ events, within, wait }: { readonly events: Count; readonly within: number; readonly wait: number }) =>
    `${count(events, 'event')} with text within ${within.toFixed(1)} ms, after a wait that is ${wait.toFixed(0)} ms longer than for a refusal`,
  'in-blocks': ({ blocks, bytes }: Readonly<Record<'blocks' | 'bytes', Count>>) =>
    `${count(blocks, 'block')} of up to ${groupDigits(bytes)} bytes, as a buffer sends them, and then the rest`,
  operation: ({ method, path }: { readonly method: string; readonly path: Quote }) =>
    `${method.toUpperCase()} ${formatQuote(path)}`,
  parameter: ({ name, in: place }: { readonly name: QuotedValue; readonly in: QuotedValue }) =>
    `${formatValue(name)} in ${formatValue(place)} is required`,
  'field-not-required': ({ field }: { readonly field: string }) => `${field} is not required`,
  'field-required': ({ field }: { readonly field: Quote }) => `${formatQuote(field)} is also required`,
  types: ({ types }: { readonly types: readonly string[] }) => types.join(' or ') || 'no type',
  bound: ({ keyword, bound }: { readonly keyword: BoundKeyword; readonly bound: number }) =>
    `${BOUNDS[keyword]} ${bound}`,
  /** A part of a text, from this character on; `length` is that of the whole text. */
  'text-at': ({ text, from, length }: Text & { readonly from: Integer; readonly length: Integer }) => {
    if (length === 0) return 'no text';
    return length <= from ? `only the first ${count(length, 'character')}` : formatExcerpt(text, from);
  },
  /** The question whose reply it is. */
  'foreign-reply': ({ question }: { readonly question: string }) => `the reply to ${question}`,
  /** The exchange whose word it holds. `isEarlier`: it was over before, and otherwise in flight. */
  'foreign-word': ({ request, isEarlier }: { readonly isEarlier?: true } & OtherAnswer) =>
    `the random word of ${request}, ${isEarlier ? 'an earlier' : 'a concurrent'} request`,
  /** The exchange whose reply was given again. */
  'cached-reply': ({ request }: OtherAnswer) => `200 with the reply to ${request}, from a cache`,
  'proper-end': ({ finish, hasDone }: { readonly finish?: Quote; readonly hasDone: boolean }) =>
    [...(finish ? [`finish_reason ${formatValue(finish)}`] : []), ...(hasDone ? ['[DONE]'] : [])].join(' and ') ||
    'a proper end',
  messages: ({ count: number }: { readonly count: Integer }) => count(number, 'message'),
  'upstream-calls': ({ count: number }: { readonly count: Integer }) => count(number, 'upstream call'),
  'only-upstream': ({ upstream }: { readonly upstream: UpstreamName }) => `calls only at the ${upstream}`,
  'list-without': ({ model }: { readonly model: Quote }) => `a list without ${formatQuote(model)}`,
  'list-with': ({ model }: { readonly model: Quote }) => `a list with ${formatQuote(model)}`,
  unanswered: ({ time }: { readonly time: number }) => `no answer after ${Math.round(time / 1000)} s`,
  /** `name`: such as `first-text.p50`. */
  'over-budget': ({ name, time, most }: { readonly name: string; readonly time: number; readonly most: number }) =>
    `${name} is ${Math.round(time)} ms, above ${Math.round(most)} ms`,
  'later-call': ({ after }: { readonly after: number }) => `another call, ${after} ms after the first output`,
  delay: ({ time }: { readonly time: number }) => `a piece after ${time} ms`,
  /** A client that ended its call as a success. */
  returned: ({ text }: Text) =>
    text.length === 0
      ? 'success without any text'
      : `success with ${text.quote === null ? '' : 'the text '}${formatValue(text)}`,
  /** A client that made a failed call known, or died. */
  'gave-up': ({ exit, signal, complaint }: GaveUp) => {
    const how =
      signal === undefined ? (exit === undefined ? 'a failed call' : `exit ${exit}`) : `terminated by ${signal}`;
    return complaint.length === 0 ? how : `${how}: ${formatQuote(complaint)}`;
  },
  'no-result': ({ limit, calls }: { readonly limit: Duration; readonly calls: Count }) =>
    `no result within ${limit / 1000} s, after ${count(calls, 'call')}`,
};

export type Actual = { readonly kind: ActualPhrase } | RowsOf<typeof TABLE>;

type Text = { readonly text: Quote };
type Counted = { readonly count: Count };
type FoundBody = { readonly body: Quote; readonly content?: BodyContent };
type Repeated = { readonly value: QuotedValue; readonly pointer?: string } & Partial<OtherAnswer>;
type GaveUp = { readonly exit?: Integer; readonly signal?: string; readonly complaint: Quote };
type FoundSecret = { readonly header?: string | Quote; readonly pointer?: string } & Pick<
  SecretSeen,
  'role' | 'form' | 'place'
>;

const CONTENTS = {
  completion: ({ text }: Text) => {
    if (text.length === 0) return 'a completion without text';
    return text.quote === null
      ? `a completion of ${count(text.length, 'character')}`
      : `a completion: ${formatValue(text)}`;
  },
  models: ({ count: number }: Counted) => `a list of ${count(number, 'model')}`,
  /** `leftBy`: who stopped reading there, so that the stream may have had more. */
  events: ({ count: number, leftBy }: Counted & { readonly leftBy?: StreamReader }) => {
    const events = count(number, 'event');
    if (leftBy === undefined) return `a stream of ${events}`;
    return `a stream of at least ${events} (${READERS[leftBy]} read no further)`;
  },
  /** A stream with text, and an error after it. */
  'events-and-error': ({ count: number, message }: Counted & { readonly message?: Quote }) =>
    `a stream of ${count(number, 'event')}, with text and then an error${message ? `: ${formatQuote(message)}` : ''}`,
  lines: ({ count: number }: Counted) => `${count(number, 'line')}, each a JSON document`,
  error: ({ code, message }: { readonly code?: Quote; readonly message?: Quote }) => {
    const words = [code, message].filter((word) => word !== undefined).map((word) => formatQuote(word));
    return words.length === 0 ? 'an error' : `an error (${words.join(': ')})`;
  },
  page: ({ title }: { readonly title?: Quote }) => (title ? `the web page "${formatQuote(title)}"` : 'a web page'),
  /** A long text that is not JSON, in the words of the parser. */
  syntax: ({ problem }: { readonly problem: Quote }) => `text that is not JSON: ${formatQuote(problem)}`,
  /** A body that was cut off: here the end is quoted, not the beginning. */
  end: ({ text: { quote, length, isCut } }: Text) =>
    `a body that was cut off after ${count(length, 'byte')}${quote === null ? '' : `: ${isCut ? '…' : ''}${quote}`}`,
};

/** What a body is, if it has a name. Its beginning would be a few fields that say nothing. */
export type BodyContent = RowsOf<typeof CONTENTS>;

function formatContent(content: BodyContent): string {
  return wordsFor(CONTENTS, content);
}

/** Contents that say as much as the form. */
const OWN_FORMS: ReadonlySet<BodyContent['kind']> = new Set(['events', 'events-and-error', 'lines', 'syntax', 'end']);

function formatForm(form: BodyForm, content: BodyContent): string {
  if (form === 'not-json' && content.kind !== 'syntax') return `not JSON but ${formatContent(content)}`;
  return OWN_FORMS.has(content.kind) ? formatContent(content) : `${FORMS[form]}, ${formatContent(content)}`;
}

const WORDS = { ...PHRASES, ...TABLE };

export function formatActual(actual: Actual): string {
  return wordsFor(WORDS, actual);
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
