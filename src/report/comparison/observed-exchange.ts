/** An exchange as two runs are compared by it, whether it comes from a report or from a recording. */
import type { Exchange } from '../../exchange/exchange.ts';
import { readEvents } from '../../exchange/reading/event-stream.ts';
import { streamEnd } from '../../exchange/reading/stream-end.ts';
import type { Endpoint, Mode } from '../../plan/plan.ts';
import type { KeyUse } from '../../suite/case.ts';
import { wasFlaky } from '../../verdict/outcome.ts';
import type { AttemptReport, ExchangeReport } from '../report.ts';

export interface ObservedExchange {
  readonly id: string;
  readonly endpoint: Endpoint;
  readonly mode: Mode;
  readonly key: KeyUse;
  readonly requestBody?: string;
  /** An attempt before the last went wrong as a server does. */
  readonly flaky: boolean;
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
  /** Milliseconds since the request was sent. */
  readonly firstEventAt?: number;
  readonly endAt: number;
}

const BROKEN_OFF = ['cut', 'stalled', 'limit', 'aborted'];

export function observeExchange(exchange: Exchange): ObservedExchange {
  const { id, request, attempts } = exchange;
  const { endpoint, mode, key, body } = request;
  const outcome = attempts.at(-1)?.outcome;
  const common = {
    id,
    endpoint,
    mode,
    key,
    ...(body !== undefined && { requestBody: body }),
    flaky: wasFlaky(exchange),
  };
  if (outcome?.kind !== 'answer') return common;
  const { answer } = outcome;
  const text = new TextDecoder().decode(answer.body.bytes);
  const plain = { status: answer.status, text, endAt: answer.endAt };
  if (mode === 'plain' || answer.status !== 200) {
    return answer.body.end.kind === 'complete' ? { ...common, answer: plain } : common;
  }
  const end = streamEnd(answer);
  if (BROKEN_OFF.includes(end)) return common;
  const { events } = readEvents(answer.body);
  return { ...common, answer: { ...plain, ...streamParts(events, end) } };
}

export function observeReported({ id, endpoint, mode, key, body, attempts }: ExchangeReport): ObservedExchange {
  const flaky = attempts.slice(0, -1).some((attempt) => !isClientError(attempt));
  const common = { id, endpoint, mode, key, ...(body !== undefined && { requestBody: body }), flaky };
  const answer = attempts.at(-1)?.answer;
  if (!answer) return common;
  const { status, endAt, stream } = answer;
  const isWhole = answer.body.shown === answer.body.bytes;
  const plain = { status, ...(isWhole && { text: answer.body.text }), endAt };
  if (!stream) return answer.body.end.kind === 'complete' ? { ...common, answer: plain } : common;
  if (BROKEN_OFF.includes(stream.end)) return common;
  return { ...common, answer: { ...plain, ...streamParts(stream.events, stream.end) } };
}

function streamParts(
  events: readonly { readonly at: number; readonly data: string }[],
  end: string,
): Pick<ObservedAnswer, 'events' | 'ending' | 'firstEventAt'> {
  const [first] = events;
  return {
    events: events.map(({ data }) => data),
    ending: end === 'done' ? 'done' : 'without-marker',
    ...(first && { firstEventAt: first.at }),
  };
}

function isClientError({ answer }: AttemptReport): boolean {
  return answer !== undefined && answer.status >= 400 && answer.status < 500;
}
