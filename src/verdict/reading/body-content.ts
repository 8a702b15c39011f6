/** What the body of an answer is, for a finding that would otherwise show the beginning of its JSON. */

import type { Answer, Attempt, Exchange, Failure, SecretSeen } from '../../exchange/exchange.ts';
import { readerThatLeft } from '../../exchange/reading/answered.ts';
import { hasReplyText, joinParts, REASONING_FIELDS, TEXT_FIELDS } from '../../exchange/reading/choices.ts';
import { chunkValue, readChunks } from '../../exchange/reading/chunks.ts';
import { isWebPage, readOwnWords, wordsOf } from '../../exchange/reading/page-or-empty.ts';
import { quoteHeaderName } from '../../exchange/reading/standard-headers.ts';
import { hasErrorMember, isObject, type Json, memberOf, parseJson, pointerOf } from '../../json.ts';
import { MAX_QUOTE_LENGTH, type Quote, quoteBytes, quoteText } from '../../text/quote.ts';
import type { Actual, BodyContent, BodyForm } from '../actual.ts';
import { type BriefParts, finding } from '../finding.ts';
import type { Finding } from '../verdict.ts';
import { jsonOf, readBody } from './answers.ts';

/** Enough of a reply to recognise it. */
const MAX_TEXT = 60;
/** Bytes. The events of a longer body are not counted: it may have a million. */
const MAX_STREAM = 1024 * 1024;

/** A whole answer, where another one was expected. */
export function answerFound(answer: Answer): Actual {
  return { kind: 'answer', status: answer.status, ...bodyFound(answer) };
}

/** A body, where one of another form was expected. */
export function formFound(form: BodyForm, answer: Answer): Actual {
  return { kind: 'body', form, ...bodyFound(answer) };
}

function bodyFound(answer: Answer): { readonly body: Quote; readonly content?: BodyContent } {
  const content = contentOf(answer);
  return { body: quoteBytes(answer.body.bytes), ...(content && { content }) };
}

/** Undefined if it is nothing that has a name: then its beginning has to do. */
function contentOf(answer: Answer): BodyContent | undefined {
  const { bytes, end } = answer.body;
  if (end.kind === 'cut') return { kind: 'end', text: quoteEnd(bytes) };
  const value = jsonOf(answer);
  if (value !== undefined) return contentOfJson(value);
  if (isWebPage(answer)) {
    const title = readOwnWords(answer);
    return { kind: 'page', ...(title !== undefined && { title: quoteText(title) }) };
  }
  return (bytes.length <= MAX_STREAM ? contentOfStream(answer) : undefined) ?? contentOfText(answer);
}

/** A long text that is not JSON is named by the place where it ceases to be. */
function contentOfText(answer: Answer): BodyContent | undefined {
  const reading = readBody(answer);
  if (reading.kind !== 'not-json' || answer.body.bytes.length <= MAX_QUOTE_LENGTH) return undefined;
  return { kind: 'syntax', problem: quoteText(reading.detail.replace(/ is not valid JSON$/, '')) };
}

function contentOfStream(answer: Answer): BodyContent | undefined {
  const { form, stream, errors, choices } = readChunks(answer);
  if (form === 'json-lines') {
    const lines = new TextDecoder().decode(answer.body.bytes).split('\n');
    return { kind: 'lines', count: lines.filter((line) => line.trim() !== '').length };
  }
  if (form !== 'events') return undefined;
  const [error] = errors;
  const events = stream.events.length;
  if (!error) {
    const leftBy = readerThatLeft(answer);
    return { kind: 'events', count: events, ...(leftBy && { leftBy }) };
  }
  const told = errorIn(error.data);
  if (!hasReplyText(choices) || told.kind !== 'error') return told;
  return { kind: 'events-and-error', count: events, ...(told.message && { message: told.message }) };
}

function quoteEnd(bytes: Uint8Array): Quote {
  // No character has more than four bytes.
  const characters = Array.from(new TextDecoder().decode(bytes.subarray(-5 * MAX_TEXT)));
  const isCut = characters.length > MAX_TEXT;
  return { quote: characters.slice(-MAX_TEXT).join(''), length: bytes.length, unit: 'byte', ...(isCut && { isCut }) };
}

/** The words of an event that carries an error. */
export function errorIn(data: string): BodyContent {
  const value = parseJson(data);
  if (value === undefined) return { kind: 'error', ...(data.trim() !== '' && { message: quoteText(data) }) };
  return errorOf(value);
}

function errorOf(value: Json): BodyContent {
  const code = memberOf(memberOf(value, 'error'), 'code');
  const message = wordsOf(value);
  return {
    kind: 'error',
    ...(typeof code === 'string' && { code: quoteText(code) }),
    ...(message !== undefined && { message: quoteText(message) }),
  };
}

function contentOfJson(value: Json): BodyContent | undefined {
  if (hasErrorMember(value)) return errorOf(value);
  const choices = memberOf(value, 'choices');
  if (Array.isArray(choices)) return { kind: 'completion', text: quoteText(textOf(choices), MAX_TEXT) };
  const models = memberOf(value, 'data');
  return Array.isArray(models) ? { kind: 'models', count: models.length } : undefined;
}

/** The text of the first choice that has any, otherwise its reasoning. */
function textOf(choices: readonly Json[]): string {
  const messages = choices.map((choice) => memberOf(choice, 'message'));
  const texts = [...TEXT_FIELDS, ...REASONING_FIELDS].flatMap((field) =>
    messages.map((message) => joinParts(memberOf(message, field))),
  );
  return texts.find((text) => text !== '') ?? '';
}

// Where in an answer a secret was. By now it is overwritten, and the longest row of asterisks is its trace.

/** Characters. No shorter part of a secret is overwritten. */
const SHORTEST = 8;

interface Trace {
  readonly length: number;
  readonly tokens: readonly (string | number)[];
}

/** A finding for each secret that came whole, if it is meant. A masked one, which shows only its ends, is none. */
export function wholeSecrets(
  exchange: Exchange,
  partsOf: (seen: SecretSeen, attempt: Attempt) => BriefParts | undefined,
): readonly Finding[] {
  return exchange.attempts.flatMap((tried, attempt) =>
    tried.secretsSeen.flatMap((seen) => {
      const parts = seen.whole ? partsOf(seen, tried) : undefined;
      return parts ? [finding(exchange, { ...parts, attempt })] : [];
    }),
  );
}

export function secretFound({ role, form, place }: SecretSeen, { outcome }: Attempt): Actual {
  const seen = { kind: 'secret', role, form, place } as const;
  if (outcome.kind === 'none' || place === 'status') return seen;
  const { answer } = outcome;
  if (place === 'header') {
    const [name] = answer.headers.toSorted(([, left], [, right]) => countStars(right) - countStars(left))[0] ?? [];
    return name === undefined ? seen : { ...seen, header: quoteHeaderName(name) };
  }
  const trace = traceIn(answer);
  return trace ? { ...seen, pointer: pointerOf(trace.tokens) } : seen;
}

function traceIn(answer: Answer): Trace | undefined {
  const json = jsonOf(answer);
  if (json !== undefined) return longestIn(json, []);
  const events = readChunks(answer).events.filter(({ data }) => countStars(data) >= SHORTEST);
  return longest(events.map((event) => longestIn(chunkValue(event), [event.index])));
}

/** The depth of an answer is limited where it is parsed. */
function longestIn(value: Json | undefined, tokens: Trace['tokens']): Trace | undefined {
  if (typeof value === 'string') {
    const length = countStars(value);
    return length < SHORTEST ? undefined : { length, tokens };
  }
  if (Array.isArray(value)) return longest(value.map((item: Json, index) => longestIn(item, [...tokens, index])));
  if (!isObject(value)) return undefined;
  return longest(Object.entries(value).map(([name, member]) => longestIn(member, [...tokens, name])));
}

function longest(traces: readonly (Trace | undefined)[]): Trace | undefined {
  return traces.reduce((best, next) => (next && next.length > (best?.length ?? 0) ? next : best), undefined);
}

function countStars(text: string): number {
  return Math.max(0, ...(text.match(/\*+/g) ?? []).map(({ length }) => length));
}

// What a finding says of a request that got no answer.

export function failureFound({ kind, code, detail }: Failure): Actual {
  if (kind === 'closed') return { kind: 'hang-up', times: 1 };
  return kind === 'refused' ? { kind: 'connection-refused' } : { kind: 'failure', code, detail: quoteText(detail) };
}
