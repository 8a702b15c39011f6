/** An exchange as a report keeps it: text instead of bytes, cut to a size that people can look at. */
import type { Answer, Attempt, Exchange } from '../exchange/exchange.ts';
import { readEvents } from '../exchange/event-stream.ts';
import { streamEnd } from '../exchange/stream-end.ts';
import { detached } from '../detached.ts';
import type { AttemptReport, ExchangeReport } from './report.ts';

/** Bytes of a body, events of a stream and reads of it that stay in evidence. */
const MOST_BODY = 16 * 1024;
const MOST_EVENTS = 200;
const MOST_READS = 500;

export function evidenceOf({ id, request, attempts, controlAfter }: Exchange): ExchangeReport {
  const { endpoint, mode, method, path, key, headers, body } = request;
  return {
    id,
    endpoint,
    mode,
    method,
    path,
    key,
    headers,
    ...(body !== undefined && { body: body.slice(0, MOST_BODY) }),
    attempts: attempts.map((attempt) => attemptOf(attempt, mode)),
    ...(controlAfter && { controlAfter }),
  };
}

function attemptOf({ sentAt, pause, outcome, secretsSeen }: Attempt, mode: Exchange['request']['mode']): AttemptReport {
  return {
    sentAt: rounded(sentAt),
    pause: rounded(pause),
    ...(outcome.kind === 'none' ? { failure: outcome.failure } : { answer: answerOf(outcome.answer, mode) }),
    secretsSeen,
  };
}

function answerOf(answer: Answer, mode: Exchange['request']['mode']): NonNullable<AttemptReport['answer']> {
  const { status, httpVersion, headers, interim, body } = answer;
  const shown = Math.min(body.bytes.length, MOST_BODY);
  const isStream = mode === 'stream' && status === 200;
  return {
    status,
    httpVersion,
    headers,
    interim,
    headersAt: rounded(answer.headersAt),
    endAt: rounded(answer.endAt),
    body: { text: textOf(body.bytes.subarray(0, shown)), bytes: body.bytes.length, shown, end: body.end },
    ...(isStream && { stream: streamOf(answer) }),
  };
}

function streamOf(answer: Answer): NonNullable<NonNullable<AttemptReport['answer']>['stream']> {
  const { events, comments } = readEvents(answer.body);
  return {
    end: streamEnd(answer),
    events: events.slice(0, MOST_EVENTS).map(({ at, event, data }) => ({
      at: rounded(at),
      ...(event !== undefined && { event }),
      data: detached(data.slice(0, MOST_BODY / 16), data),
    })),
    eventCount: events.length,
    reads: answer.body.reads.slice(0, MOST_READS).map(({ at, bytes }) => ({ at: rounded(at), bytes })),
    comments: comments.length,
  };
}

/** Of a character that the cut went through, nothing is shown; a byte order mark is. */
function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: bytes.length === MOST_BODY });
}

/** Hundredths of a millisecond are more than the clock is good for. */
function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}
