/** Observations of behaviour that the contract leaves open: the data, and the one table that formats it. */
import type { LimitName, NoAnswer } from '../exchange/exchange.ts';
import { formatQuote, isQuote, type Quote, quoteText } from '../text/quote.ts';
import { type AnswerStatus, formatStatus } from '../exchange/answer-status.ts';
import { formatFailure, type OfKind } from './reason.ts';
import { pointerOf } from '../json.ts';

/** The checker's own words. Text from the target must be a quote, which the compiler enforces. */
export const OBSERVED_WORDS = [
  'accepted',
  'none',
  'always',
  'sometimes',
  'never',
  'string',
  'integer',
  'number',
  'boolean',
  'null',
  'array',
  'object',
  'done',
  'closed',
  'cut',
  'stalled',
  'held-open',
  'limit',
  'aborted',
  'complete',
  'without its blank line',
  'absent',
  'nowhere',
  'after [DONE]',
  'in every chunk',
  'in several chunks',
  'in a chunk without choices',
  'in the last chunk with a choice',
  'in one chunk',
  'byte-order-mark',
  'duplicate-member',
  'unsafe-number',
  'lone-surrogate',
  'proto-member',
  'seconds since 1970',
  'milliseconds since 1970',
  'microseconds since 1970',
  'nanoseconds since 1970',
  'no unit near the time of the run',
  'the requested model',
  'no model',
  'stop',
  'length',
  'ran to its end',
  'still open',
  'still waiting',
  'from a cache',
  'a new reply',
  'another text',
  'failed',
] as const;

export type ObservedWord = (typeof OBSERVED_WORDS)[number];

export type ObservedFact =
  /** A standard header value or version number, so not the target's own text. */
  | { readonly kind: 'standard'; readonly value: string }
  | { readonly kind: 'header'; readonly name: string | Quote; readonly value: string | Quote }
  | { readonly kind: 'refused' | 'answered'; readonly status: number; readonly code?: Quote }
  | ({ readonly kind: 'status'; readonly location?: Quote } & AnswerStatus)
  | { readonly kind: 'no-answer'; readonly failure: NoAnswer; readonly code: string; readonly limit?: LimitName }
  | {
      readonly kind: 'redirect';
      readonly method: string;
      readonly path: string;
      readonly status: number;
      readonly location?: Quote;
    }
  /** `place`: the shape and the object that has it, such as `completion /usage`. */
  | { readonly kind: 'field'; readonly place: string; readonly name: Quote }
  | { readonly kind: 'another-model'; readonly name: Quote }
  | { readonly kind: 'step'; readonly step: string }
  | { readonly kind: 'calls'; readonly case: string; readonly count: number }
  /** Milliseconds. */
  | { readonly kind: 'stopped'; readonly after: number }
  /** Values that are not listed. */
  | { readonly kind: 'more'; readonly count: number };

export type ObservedItem = ObservedWord | number | boolean | Quote | ObservedFact;
export type ObservedValue = ObservedItem | readonly ObservedItem[];

const TABLE: { readonly [Kind in ObservedFact['kind']]: (fact: OfKind<ObservedFact, Kind>) => string } = {
  standard: ({ value }) => value,
  header: ({ name, value }) => `${formatText(name)}: ${formatText(value)}`,
  refused: ({ status, code }) => `refused with ${formatStatus({ status, ...(code && { code }) })}`,
  answered: ({ status, code }) => `answered with ${formatStatus({ status, ...(code && { code }) })}`,
  status: ({ location, ...answer }) => `${formatStatus(answer)}${location ? ` to ${formatQuote(location)}` : ''}`,
  'no-answer': ({ failure, code, limit }) => formatFailure(failure, code, limit),
  redirect: ({ method, path, status, location }) =>
    `${method} ${path}: ${status} ${location ? `to ${formatQuote(location)}` : 'without a location'}`,
  field: ({ place, name }) => `${place}/${formatQuote(name)}`,
  'another-model': ({ name }) => `another model: ${formatQuote(name)}`,
  step: ({ step }) => step,
  calls: ({ case: id, count }) => `${id}: ${count}`,
  stopped: ({ after }) => `stopped after ${after} ms`,
  more: ({ count }) => `and ${count} more`,
};

function formatText(text: string | Quote): string {
  return typeof text === 'string' ? text : formatQuote(text);
}

export function formatObserved(item: ObservedItem): string {
  if (typeof item !== 'object') return String(item);
  if (isQuote(item)) return formatQuote(item);
  // The table is keyed by the kind itself, which the compiler cannot follow through an index.
  return (TABLE[item.kind] as (fact: ObservedFact) => string)(item);
}

export function isItemList(value: ObservedValue): value is readonly ObservedItem[] {
  return Array.isArray(value);
}

/** Without duplicates. */
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
