/** Converts an exchange for the report: text instead of bytes, cut to a readable size. */
import type { Answer, Attempt, Exchange } from '../exchange/exchange.ts';
import { identityOf } from '../exchange/identity.ts';
import { readChunks } from '../exchange/reading/chunks.ts';
import { streamEnd } from '../exchange/reading/event-stream.ts';
import { textEvents } from '../exchange/reading/looks-fake.ts';
import { withoutUndefined } from '../json.ts';
import { copyString, formatQuote, quoteText } from '../text/quote.ts';
import type { Mode } from '../plan/plan.ts';
import type { AnswerReport, AttemptReport, ExchangeReport } from './report.ts';

/** Bytes of a body, characters of an event's data, events and reads of a stream. */
const MAX_BODY = 16 * 1024;
/** Characters of the body of a request, unless a gateway sent it to our upstream. The longest of the built-in cases has 17,000. */
const MAX_REQUEST_BODY = 64 * 1024;
const MAX_DATA = 1024;
const MAX_EVENTS = 200;
const MAX_READS = 500;
/** Characters of a head, of a header's value, and of the name of an event. */
const MAX_HEAD_LENGTH = 2048;
const MAX_HEADER_LENGTH = 1024;
const MAX_NAME_LENGTH = 200;

/** Total size of all bodies; beyond it only their beginnings are kept. An ordinary run stays well below. */
const ALL_BODIES = 512 * 1024;
const MIN_BODY = 1024;
const MIN_DATA = 100;

/** All evidence of a run shares one size limit, so the report can be opened whatever the target sent. */
export class EvidenceRoom {
  #left = ALL_BODIES;

  /** Keeps as much of `text` as there is room for, at least `least`. */
  cut<Text extends { readonly length: number; slice(from: number, to: number): Text }>(
    text: Text,
    most: number,
    least: number,
  ): Text {
    const kept = text.slice(0, Math.max(least, Math.min(most, this.#left)));
    this.#left -= kept.length;
    return kept;
  }
}

export function evidenceOf(exchange: Exchange, room = new EvidenceRoom()): ExchangeReport {
  const { side, request, attempts, controlAfter } = exchange;
  const { endpoint, mode, method, path, key, headers, body, filler, idle } = request;
  return {
    ...identityOf(exchange),
    endpoint,
    mode,
    method,
    path,
    key,
    headers,
    ...(body !== undefined && { body: body.slice(0, side === 'upstream' ? MAX_BODY : MAX_REQUEST_BODY) }),
    ...withoutUndefined({ filler, idle }),
    attempts: attempts.map((attempt) => attemptOf(attempt, mode, room)),
    ...(controlAfter && { controlAfter }),
  };
}

function attemptOf({ sentAt, pause, outcome, secretsSeen }: Attempt, mode: Mode, room: EvidenceRoom): AttemptReport {
  return {
    sentAt: roundTime(sentAt),
    pause: roundTime(pause),
    ...(outcome.kind === 'none' ? { failure: outcome.failure } : { answer: answerOf(outcome.answer, mode, room) }),
    secretsSeen,
  };
}

function answerOf(answer: Answer, mode: Mode, room: EvidenceRoom): AnswerReport {
  const { status, httpVersion, headers, interim, head, body } = answer;
  const kept = room.cut(body.bytes, MAX_BODY, MIN_BODY);
  const isStream = mode === 'stream' && status === 200;
  return {
    status,
    httpVersion,
    headers: headers.map(
      ([name, value]) => [startOf(name, MAX_NAME_LENGTH), startOf(value, MAX_HEADER_LENGTH)] as const,
    ),
    interim,
    ...(head !== undefined && { head: startOf(head, MAX_HEAD_LENGTH) }),
    headersAt: roundTime(answer.headersAt),
    endAt: roundTime(answer.endAt),
    body: { text: textOf(kept, body.bytes.length), bytes: body.bytes.length, shown: kept.length, end: body.end },
    ...(isStream && { stream: streamOf(answer, room) }),
  };
}

function streamOf(answer: Answer, room: EvidenceRoom): NonNullable<AnswerReport['stream']> {
  const chunks = readChunks(answer);
  const { events, comments } = chunks.stream;
  const texts = textEvents(chunks);
  return {
    end: streamEnd(answer),
    events: events.slice(0, MAX_EVENTS).map(({ at, event, data }, number) => ({
      at: roundTime(at),
      ...(event !== undefined && { event: startOf(event, MAX_NAME_LENGTH) }),
      data: copyString(room.cut(data, MAX_DATA, MIN_DATA), data),
      ...(texts.has(number) && { hasText: true as const }),
    })),
    eventCount: events.length,
    reads: answer.body.reads.slice(0, MAX_READS).map(({ at, bytes }) => ({ at: roundTime(at), bytes })),
    comments: comments.length,
    ...(answer.lateness > 0 && { lateness: roundTime(answer.lateness) }),
  };
}

function startOf(text: string, longest: number): string {
  return formatQuote(quoteText(text, longest));
}

/** Drops a character that the cut split; keeps a byte order mark. */
function textOf(bytes: Uint8Array, whole: number): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: bytes.length < whole });
}

/** Hundredths of a millisecond are more than the clock is good for. */
function roundTime(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}

/** Those of the answers; a target may write anything there. */
export function httpVersionsOf(exchanges: readonly Exchange[]): readonly string[] {
  const versions = new Set<string>();
  for (const { attempts } of exchanges) {
    for (const { outcome } of attempts) if (outcome.kind === 'answer') versions.add(outcome.answer.httpVersion);
  }
  return [...versions].filter((version) => /^\d(?:\.\d)?$/.test(version)).toSorted();
}
