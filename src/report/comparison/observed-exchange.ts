/** An exchange prepared for comparison, from a report or from a recording. */
import type { Answer, Exchange } from '../../exchange/exchange.ts';
import { isTransientStatus, lastAnswer } from '../../exchange/reading/answered.ts';
import { readEvents } from '../../exchange/reading/event-stream.ts';
import { streamEnd } from '../../exchange/reading/stream-end.ts';
import { hasErrorMember, memberOf, parseJson } from '../../json.ts';
import type { Mode } from '../../plan/plan.ts';
import { wasFlaky } from '../../verdict/reading/outcome.ts';
import { WITHHELD } from '../without-bodies.ts';
import type { AttemptReport, ExchangeReport, StreamEvent } from '../report.ts';

export interface ObservedExchange extends Pick<ExchangeReport, 'id' | 'endpoint' | 'mode' | 'key'> {
  /** The model that was called. */
  readonly model?: string;
  /** An earlier attempt failed on the server's side, and the last did not. */
  readonly flaky: boolean;
  /** Whether the report was made with `--no-bodies`. */
  readonly withheld: boolean;
  /** Of the last attempt; undefined if there was no answer, or if it broke off. */
  readonly answer?: ObservedAnswer;
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
  /** Milliseconds since the request was sent. */
  readonly firstEventAt?: number;
}

const BROKEN_OFF = ['cut', 'stalled', 'limit', 'aborted'];

export function observeExchange(exchange: Exchange): ObservedExchange {
  const { id, request } = exchange;
  const answer = lastAnswer(exchange);
  return observed({ id, ...request }, answer && observeAnswer(answer, request.mode), wasFlaky(exchange));
}

function observeAnswer(answer: Answer, mode: Mode): ObservedAnswer | undefined {
  const { status, body, endAt } = answer;
  const plain = { status, text: new TextDecoder().decode(body.bytes), endAt };
  if (mode === 'plain' || status !== 200) return body.end.kind === 'complete' ? plain : undefined;
  return withStream(plain, streamEnd(answer), readEvents(body).events);
}

export function observeReported(exchange: ExchangeReport): ObservedExchange {
  const { body, attempts } = exchange;
  const last = attempts.at(-1)?.answer;
  const isFlaky = attempts.slice(0, -1).some(({ answer }) => Math.floor((answer?.status ?? 0) / 100) !== 4);
  // A report always keeps the beginning of a body, unless it was withheld.
  const withheld = body === WITHHELD || (last !== undefined && last.body.bytes > 0 && last.body.shown === 0);
  return observed(exchange, last && observeReportedAnswer(last), isFlaky, withheld);
}

function observeReportedAnswer(answer: NonNullable<AttemptReport['answer']>): ObservedAnswer | undefined {
  const { status, endAt, stream, body } = answer;
  const plain = { status, ...(body.shown === body.bytes && { text: body.text }), endAt };
  if (!stream) return body.end.kind === 'complete' ? plain : undefined;
  return withStream(plain, stream.end, stream.events);
}

function withStream(answer: ObservedAnswer, end: string, events: readonly StreamEvent[]): ObservedAnswer | undefined {
  if (BROKEN_OFF.includes(end)) return undefined;
  const [first] = events;
  const stream = {
    events: events.map(({ data }) => data),
    isDone: end === 'done',
    hasError: events.some(({ event, data }) => event === 'error' || hasErrorMember(parseJson(data))),
    ...(first && { firstEventAt: first.at }),
  };
  return { ...answer, stream };
}

function observed(
  { id, endpoint, mode, key, body }: Pick<ExchangeReport, 'id' | 'endpoint' | 'mode' | 'key' | 'body'>,
  answer: ObservedAnswer | undefined,
  hasGoneWrong: boolean,
  withheld = false,
): ObservedExchange {
  const model = memberOf(parseJson(body), 'model');
  // If every attempt failed, it is not flaky.
  const isProper = answer !== undefined && !isTransientStatus(answer.status) && !answer.stream?.hasError;
  return {
    ...{ id, endpoint, mode, key, withheld },
    flaky: hasGoneWrong && isProper,
    ...(typeof model === 'string' && { model }),
    ...(answer && { answer }),
  };
}
