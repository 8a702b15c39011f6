/** An exchange prepared for comparison, from a report or from a recording. */
import type { Answer, Exchange } from '../../exchange/exchange.ts';
import { isTransientStatus, lastAnswer } from '../../exchange/reading/answered.ts';
import { partsOf } from '../../exchange/reading/choices.ts';
import { readEvents } from '../../exchange/reading/event-stream.ts';
import { streamEnd } from '../../exchange/reading/stream-end.ts';
import { hasErrorMember, type Json, memberOf, parseJson } from '../../json.ts';
import type { Mode } from '../../plan/plan.ts';
import { wasFlaky } from '../../verdict/reading/outcome.ts';
import { WITHHELD } from '../without-bodies.ts';
import type { AttemptReport, ExchangeReport } from '../exchange-report.ts';

export interface ObservedExchange extends Pick<ExchangeReport, 'id' | 'step' | 'endpoint' | 'mode' | 'key'> {
  /** The model that was called. */
  readonly model?: string;
  /** An earlier attempt failed on the server's side, and the last did not. */
  readonly flaky: boolean;
  /** Whether the report was made with `--no-bodies`. */
  readonly withheld: boolean;
  /** Of the last attempt; undefined if there was no answer, or if it broke off. */
  readonly answer?: ObservedAnswer;
  /** Of a stream that wirecheck itself stopped reading: its text shows nothing, but it was answered. */
  readonly stoppedWith?: number;
}

export interface ObservedAnswer {
  readonly status: number;
  /** Undefined if the report has only part of it. */
  readonly text?: string;
  readonly stream?: ObservedStream;
  /** Milliseconds since the request was sent. */
  readonly endAt: number;
}

interface ObservedStream {
  /** Data of each event. */
  readonly events: readonly string[];
  readonly isDone: boolean;
  readonly hasError: boolean;
  readonly times: StreamTimes;
}

/** Milliseconds since the request was sent. */
export interface StreamTimes {
  /** Of every event with text or reasoning. */
  readonly texts: readonly number[];
  /** Of the last event. Undefined if the report has only the first ones. */
  readonly last?: number;
  /** By how much the checker itself was late. */
  readonly lateness: number;
}

const BROKEN_OFF = ['cut', 'stalled', 'limit', 'aborted'];

export function observeExchange(exchange: Exchange): ObservedExchange {
  const { id, step, request } = exchange;
  const answer = lastAnswer(exchange);
  return {
    ...observed({ id, step, ...request }, answer && observeAnswer(answer, request.mode), wasFlaky(exchange)),
    ...(answer && stoppedWith(answer)),
  };
}

function stoppedWith({ status, body }: Stopped): Pick<ObservedExchange, 'stoppedWith'> {
  return body.end.kind === 'aborted' ? { stoppedWith: status } : {};
}

interface Stopped {
  readonly status: number;
  readonly body: { readonly end: { readonly kind: string } };
}

function observeAnswer(answer: Answer, mode: Mode): ObservedAnswer | undefined {
  const { status, body, endAt } = answer;
  const plain = { status, text: new TextDecoder().decode(body.bytes), endAt };
  if (mode === 'plain' || status !== 200) return body.end.kind === 'complete' ? plain : undefined;
  const { events } = readEvents(body);
  return withStream(plain, { end: streamEnd(answer), events, eventCount: events.length, lateness: answer.lateness });
}

export function observeReported(exchange: ExchangeReport): ObservedExchange {
  const { body, attempts } = exchange;
  const last = attempts.at(-1)?.answer;
  const isFlaky = attempts.slice(0, -1).some(({ answer }) => Math.floor((answer?.status ?? 0) / 100) !== 4);
  // A report always keeps the beginning of a body, unless it was withheld.
  const withheld = body === WITHHELD || (last !== undefined && last.body.bytes > 0 && last.body.shown === 0);
  return {
    ...observed(exchange, last && observeReportedAnswer(last), isFlaky, withheld),
    ...(last && stoppedWith(last)),
  };
}

function observeReportedAnswer(answer: NonNullable<AttemptReport['answer']>): ObservedAnswer | undefined {
  const { status, endAt, stream, body } = answer;
  const plain = { status, ...(body.shown === body.bytes && { text: body.text }), endAt };
  if (!stream) return body.end.kind === 'complete' ? plain : undefined;
  return withStream(plain, stream);
}

type ReceivedStream = Pick<
  NonNullable<NonNullable<AttemptReport['answer']>['stream']>,
  'end' | 'events' | 'eventCount' | 'lateness'
>;

function withStream(
  answer: ObservedAnswer,
  { end, events, eventCount, lateness = 0 }: ReceivedStream,
): ObservedAnswer | undefined {
  if (BROKEN_OFF.includes(end)) return undefined;
  const read = events.map(({ event, data, at }) => ({ event, at, value: parseJson(data) }));
  const last = events.length === eventCount ? events.at(-1)?.at : undefined;
  const stream = {
    events: events.map(({ data }) => data),
    isDone: end === 'done',
    hasError: read.some(({ event, value }) => event === 'error' || hasErrorMember(value)),
    times: {
      texts: read.filter(({ value }) => hasText(value)).map(({ at }) => at),
      ...(last !== undefined && { last }),
      lateness,
    },
  };
  return { ...answer, stream };
}

function hasText(chunk: Json | undefined): boolean {
  return partsOf(chunk, 0, 0).some(({ text, reasoning }) => text !== '' || reasoning !== '');
}

function observed(
  { id, step, endpoint, mode, key, body }: Pick<ExchangeReport, 'id' | 'step' | 'endpoint' | 'mode' | 'key' | 'body'>,
  answer: ObservedAnswer | undefined,
  hasGoneWrong: boolean,
  withheld = false,
): ObservedExchange {
  const model = memberOf(parseJson(body), 'model');
  // If every attempt failed, it is not flaky.
  const isProper = answer !== undefined && !isTransientStatus(answer.status) && !answer.stream?.hasError;
  return {
    ...{ id, step, endpoint, mode, key, withheld },
    flaky: hasGoneWrong && isProper,
    ...(typeof model === 'string' && { model }),
    ...(answer && { answer }),
  };
}
