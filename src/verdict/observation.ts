/** Observations of behaviour that the contract leaves open: the data, and the tables that format it. */
import { formatQuote, isQuote, type Quote, quoteText } from '../text/quote.ts';
import { type AnswerStatus, formatStatus } from '../exchange/answer-status.ts';
import type { NoAnswer } from '../exchange/exchange.ts';
import type { UpstreamName } from '../exchange/identity.ts';
import { type FailedAnswer, formatFailure } from './reason.ts';
import { type Listed, type RowsOf, wordsFor } from '../kinds.ts';
import { pointerOf } from '../json.ts';
import type { Count, Integer } from '../scalars.ts';

/** The checker's own words. Text from the target must be a quote, which the compiler enforces. */
const WORDS = {
  'no-blank-line': 'without its blank line',
  'after-done': 'after [DONE]',
  'every-chunk': 'in every chunk',
  'several-chunks': 'in several chunks',
  'chunk-without-choices': 'in a chunk without choices',
  'last-chunk': 'in the last chunk with a choice',
  'one-chunk': 'in one chunk',
  'conflicting-member': 'duplicate member with another value',
  'proto-member': 'member __proto__',
  seconds: 'seconds since 1970',
  milliseconds: 'milliseconds since 1970',
  microseconds: 'microseconds since 1970',
  nanoseconds: 'nanoseconds since 1970',
  'no-unit': 'no unit near the time of the run',
  'requested-model': 'the requested model',
  'ran-to-end': 'ran to its end',
  'from-cache': 'from a cache',
  'new-reply': 'a new reply',
  'other-text': 'another text',
  'counts-vary': 'the same request was counted differently, as by a router over several providers',
  'no-stream-count': 'streams report no prompt tokens',
  'counted-words': 'words seem to be counted, not tokens',
  estimated: 'the numbers follow the length of the text, as an estimate does',
  'checker-late': 'not measured, since wirecheck itself was too late',
} as const;

/** Words that are shown as they are, with spaces for hyphens. */
const PLAIN_WORDS = {
  share: ['none', 'always', 'sometimes', 'never', 'absent', 'nowhere'],
  type: ['string', 'integer', 'number', 'boolean', 'null', 'array', 'object'],
  end: ['done', 'closed', 'cut', 'stalled', 'held-open', 'limit', 'aborted', 'complete', 'kept', 'reset'],
  json: ['byte-order-mark', 'duplicate-member', 'unsafe-number', 'lone-surrogate'],
  reply: ['accepted', 'no-model', 'stop', 'length', 'failed', 'still-open', 'still-waiting'],
} as const;

export type ObservedWord = keyof typeof WORDS | Listed<typeof PLAIN_WORDS>;
export const OBSERVED_WORDS = [...Object.keys(WORDS), ...Object.values(PLAIN_WORDS).flat()] as readonly ObservedWord[];

/** What was observed. */
const NAMES = {
  'content-encoding': 'Content-Encoding',
  'content-type': 'Content-Type',
  'http-version': 'HTTP version',
  'prompt-constant': 'tokens that every call carries and that you did not send',
  'prompt-tokens-differ': 'prompt tokens of the two requests',
  'count-notes': 'about these numbers',
  'allowed-origin': 'Access-Control-Allow-Origin',
  'after-wait': 'statuses after the wait that Retry-After asked for',
  'codes-differ': 'a code of its own for each of them',
  'stated-context': 'context length in the list',
  'stated-as-asked': 'the same as --context-tokens',
  'rate-limit-headers': 'rate-limit headers',
  'rejected-calls': 'statuses of rejected calls',
  'closed-before-answer': 'calls that were closed before an answer, and answered on a second try',
  'error-type': 'error.type',
  'error-code': 'error.code',
  'chat-statuses': 'chat statuses beyond the contract',
  'models-statuses': 'models statuses beyond the contract',
  'unknown-fields': 'fields beyond the contract',
  'created-unit': 'unit of created',
  'deprecated-models': 'models marked deprecated',
  'deprecation-fields': 'fields that mark them',
  'finish-reason': 'finish_reason',
  'reply-model': 'model of the reply',
  'json-oddities': 'oddities of JSON texts',
  'stream-end': 'end of the stream',
  'end-marker': '[DONE]',
  'event-names': 'names of events',
  'message-events': 'events named message',
  'unknown-stream-fields': 'unknown fields',
  'headers-time': 'median time to the headers (ms)',
  'headers-to-text': 'median time from the headers to the first text (ms)',
  'first-event-time': 'time to the first event (ms)',
  'first-text-time': 'time to the first text (ms)',
  'median-gap': 'median gap (ms)',
  'largest-gap': 'largest gap (ms)',
  'text-groups': 'groups of text more than 5 ms apart',
  'group-size': 'median size of a group (bytes)',
  'event-length': 'characters per event with text',
  lateness: 'lateness of the checker (ms)',
  'first-text-lateness': 'lateness of the checker at the first text (ms)',
  'plain-stall': 'plain call that stalls for 10 s',
  'stream-stall': 'stream that stalls for 10 s',
  'same-request': 'the same request again',
  'call-left': 'upstream call after the client left',
  'stream-left': 'upstream stream after the client left',
  'several-calls': 'cases with several upstream calls',
  'request-headers-added': 'headers added to requests',
  'answer-headers-added': 'headers added to answers',
  'time-before-call': 'median time before the upstream call (ms)',
  'time-after-call': 'median time after the upstream call (ms)',
  'request-fields-answer': 'request with unknown fields',
  'request-fields-passed': 'request fields passed on',
  'answer-fields-passed': 'unknown answer fields passed on',
  'wait-before-retry': 'wait before the same upstream is called again',
  'refusal-elsewhere': 'a refused request is tried at the other upstream',
  'retry-after-time': 'seconds until the next call, with Retry-After: 1',
} as const;

/** Names that are shown as they are, with spaces for hyphens. */
const PLAIN_NAMES = {
  answer: ['outcome', 'redirects', 'status', 'calls', 'choices', 'usage', 'other-calls'],
  client: ['result', 'seconds', 'headers'],
  stream: ['chunks-without-choices', 'created-changes', 'comments', 'retry-fields', 'id-fields', 'byte-order-mark'],
  size: ['events', 'events-with-text', 'bytes', 'network-reads'],
  relay: ['request-fields-dropped', 'request-fields-added', 'calls-to-the-one-down', 'seconds-until-called-again'],
} as const;

/** What was observed of several things, such as statuses or fields: `of` says which. */
const NAMES_OF = {
  /** The words of a suite. */
  'outcome-of': (of: string) => of,
  /** A method and a path. */
  'answer-to': (of: string) => `answer to ${of}`,
  /** Endpoint, mode and class of status. */
  'content-types': (of: string) => of,
  /** A shape of the contract. */
  answers: (of: string) => `${of} answers`,
  /** The shape and the place of a field. */
  presence: (of: string) => of,
  'requests-behind': (of: string) => `requests behind ${of}`,
  unprovoked: (of: string) => `${of} unprovoked`,
  'calls-after': (of: string) => `calls after ${of}`,
  /** The length of a pause. */
  'idle-connection': (of: string) => `connection that idled for ${of}`,
  /** A script. */
  'letter-tokens': (of: string) => `tokens of a hundred ${of} letters`,
  /** A header. */
  'answers-with': (of: string) => `answers with ${of}`,
  'same-twice': (of: string) => `two answers with the same ${of}`,
  /** A kind of error. */
  'code-for': (of: string) => `error.code for ${of}`,
  /** A case of a relay. */
  'failure-status': (of: string) => `status after ${of}`,
  attempts: (of: string) => `upstream calls of ${of}`,
} as const;

type NameAlone = keyof typeof NAMES | Listed<typeof PLAIN_NAMES>;

export type ObservationName =
  | { readonly name: NameAlone }
  | { readonly name: keyof typeof NAMES_OF; readonly of: string };

export const OBSERVATION_NAMES = [...Object.keys(NAMES), ...Object.values(PLAIN_NAMES).flat()] as readonly NameAlone[];
export const OBSERVATION_NAMES_OF = Object.keys(NAMES_OF) as readonly (keyof typeof NAMES_OF)[];

export type Observation = ObservationName & { readonly value: ObservedValue };

export type ObservedItem = ObservedWord | number | boolean | Quote | ObservedFact;
export type ObservedValue = ObservedItem | readonly ObservedItem[];

/** A kind of fact and its words, with the data that they are made of. Times are milliseconds. */
const TABLE = {
  /** A standard header value or version number, so not the target's own text. */
  standard: ({ value }: { readonly value: string }) => value,
  header: ({ name, value }: Readonly<Record<'name' | 'value', string | Quote>>) =>
    `${formatText(name)}: ${formatText(value)}`,
  refused: ({ status, code }: Coded) => `refused with ${formatStatus({ status, ...(code && { code }) })}`,
  answered: ({ status, code }: Coded) => `answered with ${formatStatus({ status, ...(code && { code }) })}`,
  status: ({ location, ...answer }: { readonly location?: Quote } & AnswerStatus) =>
    `${formatStatus(answer)}${location ? ` to ${formatQuote(location)}` : ''}`,
  'no-answer': ({ failure, code, limit }: FailedAnswer) => formatFailure(failure, code, limit),
  redirect: ({ method, path, status, location }: Redirect) =>
    `${method} ${path}: ${status} ${location ? `to ${formatQuote(location)}` : 'without a location'}`,
  /** `place`: the shape and the object that has it, such as `completion /usage`. */
  field: ({ place, name }: { readonly place: string; readonly name: Quote }) => `${place}/${formatQuote(name)}`,
  'another-model': ({ name }: { readonly name: Quote }) => `another model: ${formatQuote(name)}`,
  step: ({ step }: { readonly step: string }) => step,
  calls: ({ case: id, count }: { readonly case: string; readonly count: Integer }) => `${id}: ${count}`,
  attempts: ({ attempts }: { readonly attempts: readonly UpstreamAttempt[] }) =>
    attempts.map(formatUpstreamAttempt).join(' · '),
  part: ({ count, of }: { readonly count: Count; readonly of: Count }) => `${count} of ${of}`,
  waited: ({ seconds, asked }: { readonly seconds: Count; readonly asked: number }) =>
    `${seconds} s, with Retry-After: ${asked}`,
  stopped: ({ after }: { readonly after: number }) => `stopped after ${after} ms`,
  /** Values that are not listed. */
  more: ({ count }: { readonly count: Count }) => `and ${count} more`,
};

export type ObservedFact = RowsOf<typeof TABLE>;

type Coded = { readonly status: Integer; readonly code?: Quote };
type Redirect = Readonly<Record<'method' | 'path', string>> & { readonly status: Integer; readonly location?: Quote };

/** Why an upstream call has no whole answer. */
const BREAKS = {
  closed: 'closed the connection',
  silent: 'sent nothing',
  left: 'left by the gateway',
  cut: 'cut off',
  stalled: 'stalled',
} as const;

/** A call at one of two upstreams, and what it got. */
export interface UpstreamAttempt {
  readonly upstream: UpstreamName;
  readonly status?: Integer;
  readonly broke?: keyof typeof BREAKS;
}

/** `closed`, `silent` and `left` by how a call without an answer ended, the others by how its body did. */
export function readAttempt(
  upstream: UpstreamName = 'primary',
  answer?: { readonly status: Integer; readonly body: { readonly end: { readonly kind: string } } },
  failure?: { readonly kind: NoAnswer },
): UpstreamAttempt {
  if (!answer) {
    const broke = failure?.kind === 'closed' ? 'closed' : failure?.kind === 'timeout' ? 'silent' : 'left';
    return { upstream, broke };
  }
  const { status, body } = answer;
  const ends: Readonly<Record<string, keyof typeof BREAKS>> = { cut: 'cut', limit: 'stalled', aborted: 'left' };
  const broke = ends[body.end.kind];
  return { upstream, status, ...(broke && { broke }) };
}

/** `primary 503`, `primary 200 cut off` */
export function formatUpstreamAttempt({ upstream, status, broke }: UpstreamAttempt): string {
  return [upstream, ...(status === undefined ? [] : [status]), ...(broke ? [BREAKS[broke]] : [])].join(' ');
}

function formatText(text: string | Quote): string {
  return typeof text === 'string' ? text : formatQuote(text);
}

function wordIn(words: Readonly<Partial<Record<string, string>>>, id: string): string {
  return words[id] ?? id.replaceAll('-', ' ');
}

export function formatObserved(item: ObservedItem): string {
  if (typeof item === 'string') return wordIn(WORDS, item);
  if (typeof item !== 'object') return String(item);
  if (isQuote(item)) return formatQuote(item);
  return wordsFor(TABLE, item);
}

export function formatObservationName(observation: ObservationName): string {
  return 'of' in observation ? NAMES_OF[observation.name](observation.of) : wordIn(NAMES, observation.name);
}

/** The name alone, without its value. */
export function nameOnly(observation: ObservationName): ObservationName {
  return 'of' in observation ? { name: observation.name, of: observation.of } : { name: observation.name };
}

export function isItemList(value: ObservedValue): value is readonly ObservedItem[] {
  return Array.isArray(value);
}

/** Duplicates are left out. */
export function formatObservations(values: readonly ObservedValue[]): readonly string[] {
  const items = values.flatMap((value) => (isItemList(value) ? value : [value]));
  return [...new Set(items.map(formatObserved))];
}

/** A target may send a new value every time. */
const MAX_VALUES = 100;

/** Sorted, without duplicates. */
export function seenValues(items: Iterable<ObservedItem>, most = MAX_VALUES): readonly ObservedItem[] {
  return seenItems(items, (item) => item, most);
}

/** The same of items that are made of something simple, such as the value of a header that every answer has. */
export function seenItems<Source>(
  sources: Iterable<Source>,
  itemOf: (source: Source) => ObservedItem,
  most = MAX_VALUES,
): readonly ObservedItem[] {
  const seen = new Map<string, ObservedItem>();
  // Objects are not equal even if they are alike, and a million of them would stay in memory.
  const known = new Set<Source>();
  let left = 0;
  for (const source of sources) {
    if (known.has(source)) continue;
    const item = itemOf(source);
    const key = JSON.stringify(item);
    if (!seen.has(key) && seen.size >= most) {
      left += 1;
      continue;
    }
    if (!seen.has(key)) seen.set(key, item);
    if (typeof source !== 'object') known.add(source);
  }
  const sorted = [...seen].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
  return left === 0 ? sorted : [...sorted, { kind: 'more', count: left }];
}

/** A field that is not in the contract. `place`: the shape and the object it is in. */
export function fieldItem(place: string, name: string): ObservedItem {
  return { kind: 'field', place, name: quoteText(pointerOf([name]).slice(1)) };
}
