/** An exchange prepared for comparison, from a report or from a recording. */
import type { Answer, Exchange } from '../../exchange/exchange.ts';
import { isTransientStatus, lastAnswer } from '../../exchange/reading/answered.ts';
import { partsOf } from '../../exchange/reading/choices.ts';
import { readEvents, streamEnd } from '../../exchange/reading/event-stream.ts';
import { hasErrorMember, type Json, memberOf, parseJson } from '../../json.ts';
import type { Mode } from '../../plan/plan.ts';
import { wasFlaky } from '../../verdict/reading/outcome.ts';
import type { AttemptReport, ExchangeReport } from '../report.ts';
import { WITHHELD } from '../without-bodies.ts';

export interface ObservedExchange extends Pick<ExchangeReport, 'id' | 'step' | 'endpoint' | 'mode' | 'key'> {
  /** The model that was called. */
  readonly model?: string;
  /** An earlier attempt failed on the server's side, and the last did not. */
  readonly flaky: boolean;
  /** Whether the report was made with `--no-bodies`. */
  readonly withheld: boolean;
  /** The answer to the last attempt; undefined if there was none, or if it broke off. */
  readonly answer?: ObservedAnswer;
  /** The status of a stream that wirecheck itself stopped reading: its text shows nothing, but it was answered. */
  readonly stoppedWith?: number;
}

export interface ObservedAnswer {
  readonly status: number;
  /** Undefined if the report has only part of it. */
  readonly text?: string;
  readonly stream?: {
    /** Data of each event. */
    readonly events: readonly string[];
    readonly isDone: boolean;
    readonly hasError: boolean;
    readonly times: StreamTimes;
  };
  /** Milliseconds since the request was sent. */
  readonly endAt: number;
}

/** Milliseconds since the request was sent. */
export interface StreamTimes {
  /** When each event with text or reasoning came. */
  readonly texts: readonly number[];
  /** When the last event came. Undefined if the report has only the first ones. */
  readonly last?: number;
  /** How late the checker itself was. */
  readonly lateness: number;
}

type ReportedAnswer = NonNullable<AttemptReport['answer']>;

/** The last answer, as a recording and a report have it alike. */
interface Received extends Omit<ObservedAnswer, 'stream'> {
  /** How its body ended. */
  readonly end: string;
  readonly stream?: Pick<NonNullable<ReportedAnswer['stream']>, 'end' | 'events' | 'eventCount' | 'lateness'>;
}

export function observeExchange(exchange: Exchange): ObservedExchange {
  const { id, step, request } = exchange;
  const answer = lastAnswer(exchange);
  return observe({ id, step, ...request }, wasFlaky(exchange), answer && fromRecording(answer, request.mode));
}

function fromRecording(answer: Answer, mode: Mode): Received {
  const { status, body, endAt, lateness } = answer;
  const plain = { status, text: new TextDecoder().decode(body.bytes), endAt, end: body.end.kind };
  if (mode === 'plain' || status !== 200) return plain;
  const { events } = readEvents(body);
  return { ...plain, stream: { end: streamEnd(answer), events, eventCount: events.length, lateness } };
}

export function observeReported(exchange: ExchangeReport): ObservedExchange {
  const { body, attempts } = exchange;
  const last = attempts.at(-1)?.answer;
  const hasGoneWrong = attempts.slice(0, -1).some(({ answer }) => Math.floor((answer?.status ?? 0) / 100) !== 4);
  // A report always keeps the beginning of a body, unless it was withheld.
  const withheld = body === WITHHELD || (last !== undefined && last.body.bytes > 0 && last.body.shown === 0);
  return observe(exchange, hasGoneWrong, last && fromReport(last), withheld);
}

function fromReport({ status, endAt, stream, body }: ReportedAnswer): Received {
  const text = body.shown === body.bytes && { text: body.text };
  return { status, ...text, endAt, end: body.end.kind, ...(stream && { stream }) };
}

type Sent = Pick<ExchangeReport, 'id' | 'step' | 'endpoint' | 'mode' | 'key' | 'body'>;

/** `hasGoneWrong`: an earlier attempt failed on the server's side. */
function observe(
  sent: Sent,
  hasGoneWrong: boolean,
  received: Received | undefined,
  withheld = false,
): ObservedExchange {
  const { id, step, endpoint, mode, key, body } = sent;
  const model = memberOf(parseJson(body), 'model');
  const answer = received && wholeAnswer(received);
  // If every attempt failed, it is not flaky.
  const isProper = answer !== undefined && !isTransientStatus(answer.status) && !answer.stream?.hasError;
  return {
    ...{ id, step, endpoint, mode, key, withheld },
    flaky: hasGoneWrong && isProper,
    ...(typeof model === 'string' && { model }),
    ...(answer && { answer }),
    ...(received?.end === 'aborted' && { stoppedWith: received.status }),
  };
}

const BROKEN_OFF = ['cut', 'stalled', 'limit', 'aborted'];

function wholeAnswer({ end, stream, ...answer }: Received): ObservedAnswer | undefined {
  if (!stream) return end === 'complete' ? answer : undefined;
  if (BROKEN_OFF.includes(stream.end)) return undefined;
  const { events, eventCount, lateness = 0 } = stream;
  const read = events.map(({ event, data, at }) => ({ event, at, value: parseJson(data) }));
  const last = events.length === eventCount ? events.at(-1)?.at : undefined;
  return {
    ...answer,
    stream: {
      events: events.map(({ data }) => data),
      isDone: stream.end === 'done',
      hasError: read.some(({ event, value }) => event === 'error' || hasErrorMember(value)),
      times: {
        texts: read.filter(({ value }) => hasText(value)).map(({ at }) => at),
        ...(last !== undefined && { last }),
        lateness,
      },
    },
  };
}

function hasText(chunk: Json | undefined): boolean {
  return partsOf(chunk, 0, 0).some(({ text, reasoning }) => text !== '' || reasoning !== '');
}
