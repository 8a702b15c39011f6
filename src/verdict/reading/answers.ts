/** Reads answers: bodies and how they ended, statuses, headers, errors. */

import { type AnswerStatus, describeAnswer } from '../../exchange/answer-status.ts';
import { type Answer, findHeader, type LimitName } from '../../exchange/exchange.ts';
import { endOfJson, type JsonReading, readJson } from '../../exchange/reading/json-text.ts';
import { quoteHeaderValue } from '../../exchange/reading/standard-headers.ts';
import { type Json, memberOf } from '../../json.ts';
import { quoteText } from '../../text/quote.ts';
import type { Actual } from '../actual.ts';
import type { BriefParts } from '../finding.ts';
import type { ObservedItem } from '../observation.ts';

export type BodyReading =
  | Exclude<JsonReading, { readonly kind: 'too-deep' | 'too-many' }>
  | { readonly kind: 'cut' | 'undecodable'; readonly detail: string }
  /** Not read to its end, or not parsed, because of this limit. */
  | { readonly kind: 'limit'; readonly limit: LimitName }
  | { readonly kind: 'aborted'; readonly why: string };

/** Parses the body as one JSON text. An incomplete body never counts as JSON. */
export function readBody({ body }: Answer): BodyReading {
  const end = endOfJson(body);
  if (end.kind !== 'complete') return end;
  const reading = readJson(body);
  if (reading.kind === 'too-deep') return { kind: 'limit', limit: 'max-depth' };
  return reading.kind === 'too-many' ? { kind: 'limit', limit: 'max-body' } : reading;
}

export function jsonOf(answer: Answer): Json | undefined {
  const reading = readBody(answer);
  return reading.kind === 'json' ? reading.value : undefined;
}

export function itemsOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** The status and the answer's own words, also where its error does not have the shape of part 7. */
export function statusOf(answer: Answer): AnswerStatus {
  // The text of a reply explains nothing.
  if (answer.status === 200) return { status: 200 };
  const code = errorWord(answer, 'code');
  return { ...describeAnswer(answer), ...(code !== undefined && { code: quoteText(code) }) };
}

const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const;
type StatusClass = (typeof STATUS_CLASSES)[number];

/** Class of a status, such as `5xx`: part of a fingerprint, where 502 and 503 are the same fault. */
export function statusClass(status: number): StatusClass | 'odd-status' {
  const name = `${Math.floor(status / 100)}xx`;
  return STATUS_CLASSES.find((each) => each === name) ?? 'odd-status';
}

/** The status, where another answer was expected. One that our own close of a connection led to is a finding of its own. */
export function statusFound(answer: Answer, expected: BriefParts['expected'], metIdleClose = false): BriefParts {
  const isOurs = metIdleClose && answer.status >= 500;
  const actual = { kind: 'status', ...statusOf(answer), ...(isOurs && ({ afterIdleClose: true } as const)) } as const;
  return { mismatch: 'status', expected, actualType: isOurs ? 'closed' : statusClass(answer.status), actual };
}

/** The media type as it is written, without parameters. */
export function writtenMediaType(answer: Answer): string | undefined {
  const label = findHeader(answer.headers, 'content-type');
  const end = label?.indexOf(';') ?? -1;
  return (end === -1 ? label : label?.slice(0, end))?.trim();
}

/** The media type in lower case and without parameters. */
export function mediaTypeOf(answer: Answer): string | undefined {
  return writtenMediaType(answer)?.toLowerCase();
}

export function contentTypeFound(label: string | undefined): Actual {
  if (label === undefined) return { kind: 'no-content-type' };
  return { kind: 'header', name: 'Content-Type', value: quoteHeaderValue(label) };
}

/** A header value, or a version of HTTP, as an observation shows it. */
export function headerItem(value: string | undefined): ObservedItem {
  if (value === undefined) return 'none';
  const quoted = quoteHeaderValue(value);
  return typeof quoted === 'string' ? { kind: 'standard', value: quoted } : quoted;
}

export function errorWord(answer: Answer, name: 'type' | 'code'): string | undefined {
  const word = memberOf(memberOf(jsonOf(answer), 'error'), name);
  return typeof word === 'string' ? word : undefined;
}
