/** An exchange as two runs are compared by it, whether it comes from a report or from a recording. */
import type { Answer, Exchange } from '../../exchange/exchange.ts';
import { readEvents } from '../../exchange/reading/event-stream.ts';
import { streamEnd } from '../../exchange/reading/stream-end.ts';
import { isObject } from '../../json.ts';
import type { Endpoint, Mode } from '../../plan/plan.ts';
import type { KeyUse } from '../../suite/case.ts';
import { wasFlaky } from '../../verdict/reading/outcome.ts';
import { WITHHELD } from '../without-bodies.ts';
import type { AttemptReport, ExchangeReport, StreamEvent } from '../report.ts';

export interface ObservedExchange {
  readonly id: string;
  readonly endpoint: Endpoint;
  readonly mode: Mode;
  readonly key: KeyUse;
  readonly requestBody?: string;
  /** An attempt before the last went wrong as a server does, and the last did not. */
  readonly flaky: boolean;
  /** Whether the report was made without what was said. */
  readonly withheld?: boolean;
  /** Of the last attempt; undefined where nobody answered, or where the answer broke off. */
  readonly answer?: ObservedAnswer;
}

export interface ObservedAnswer {
  readonly status: number;
  /** Undefined where it was not kept whole. */
  readonly text?: string;
  /** Data of the events of a stream. */
  readonly events?: readonly string[];
  readonly ending?: 'done' | 'without-marker';
  readonly hasErrorEvent?: boolean;
  /** Milliseconds since the request was sent. */
  readonly firstEventAt?: number;
  readonly endAt: number;
}

const BROKEN_OFF = ['cut', 'stalled', 'limit', 'aborted'];

export function observeExchange(exchange: Exchange): ObservedExchange {
  const { id, request, attempts } = exchange;
  const { endpoint, mode, key, body } = request;
  const outcome = attempts.at(-1)?.outcome;
  const answer = outcome?.kind === 'answer' ? observeAnswer(outcome.answer, mode) : undefined;
  return observed(
    { id, endpoint, mode, key, ...(body !== undefined && { requestBody: body }) },
    answer,
    wasFlaky(exchange),
  );
}

function observeAnswer(answer: Answer, mode: Mode): ObservedAnswer | undefined {
  const { status, body, endAt } = answer;
  const plain = { status, text: new TextDecoder().decode(body.bytes), endAt };
  if (mode === 'plain' || status !== 200) return body.end.kind === 'complete' ? plain : undefined;
  const end = streamEnd(answer);
  return BROKEN_OFF.includes(end) ? undefined : { ...plain, ...streamParts(readEvents(body).events, end) };
}

export function observeReported({ id, endpoint, mode, key, body, attempts }: ExchangeReport): ObservedExchange {
  const last = attempts.at(-1)?.answer;
  // However little room there is, something of a body is kept.
  const withheld = body === WITHHELD || (last !== undefined && last.body.bytes > 0 && last.body.shown === 0);
  return observed(
    { id, endpoint, mode, key, withheld, ...(body !== undefined && { requestBody: body }) },
    last && observeReportedAnswer(last),
    attempts.slice(0, -1).some((attempt) => !isClientError(attempt)),
  );
}

function observeReportedAnswer(answer: NonNullable<AttemptReport['answer']>): ObservedAnswer | undefined {
  const { status, endAt, stream, body } = answer;
  const plain = { status, ...(body.shown === body.bytes && { text: body.text }), endAt };
  if (!stream) return body.end.kind === 'complete' ? plain : undefined;
  return BROKEN_OFF.includes(stream.end) ? undefined : { ...plain, ...streamParts(stream.events, stream.end) };
}

/** What went wrong in every attempt is no chance any more. */
function observed(
  asked: Omit<ObservedExchange, 'answer' | 'flaky'>,
  answer: ObservedAnswer | undefined,
  hasGoneWrong: boolean,
): ObservedExchange {
  const isSound = answer !== undefined && answer.status < 500 && answer.hasErrorEvent !== true;
  return { ...asked, flaky: hasGoneWrong && isSound, ...(answer && { answer }) };
}

function streamParts(
  events: readonly StreamEvent[],
  end: string,
): Pick<ObservedAnswer, 'events' | 'ending' | 'firstEventAt' | 'hasErrorEvent'> {
  const [first] = events;
  return {
    events: events.map(({ data }) => data),
    ending: end === 'done' ? 'done' : 'without-marker',
    hasErrorEvent: events.some(isError),
    ...(first && { firstEventAt: first.at }),
  };
}

function isError({ event, data }: StreamEvent): boolean {
  if (event === 'error') return true;
  try {
    const value: unknown = JSON.parse(data);
    return isObject(value) && (value['error'] ?? null) !== null;
  } catch {
    return false;
  }
}

function isClientError({ answer }: AttemptReport): boolean {
  return answer !== undefined && answer.status >= 400 && answer.status < 500;
}
