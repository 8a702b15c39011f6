/** Reads what was gathered at both ends: each call of the client with the upstream calls that it led to. */
import type { Exchange } from '../../../exchange/exchange.ts';
import { isDeeperThan } from '../../../exchange/reading/json-text.ts';
import { isObject, type Json, parseJson } from '../../../json.ts';
import { findWords } from '../words.ts';
import { readReply, type ReplyReading } from './reply-reading.ts';

export interface UpstreamCall {
  readonly exchange: Exchange;
  /** What it was answered. */
  readonly reading: ReplyReading;
  /** What it asked. */
  readonly body: Json | undefined;
  /** The words in its reply, which no other reply has. */
  readonly marks: ReadonlySet<string>;
  /** Milliseconds since the run began, as all times here. */
  readonly arrivedAt: number;
  /** Absent if it was still open when the run ended. */
  readonly endedAt?: number;
  /** The gateway closed the connection before the answer was over. */
  readonly wasLeft: boolean;
}

/** One call of the client, and the upstream calls that it led to. */
export interface Asked {
  readonly front: Exchange;
  readonly reading: ReplyReading;
  readonly sentAt: number;
  /** When the answer ended, or the client stopped waiting for it. */
  readonly endedAt: number;
  /** The upstream calls in the order of arrival. */
  readonly calls: readonly UpstreamCall[];
}

/** JSON that is nested deeper is not parsed. */
const MAX_DEPTH = 200;

export function readUpstreamCall(exchange: Exchange): UpstreamCall {
  const { request, attempts } = exchange;
  const { body: text = '' } = request;
  // Its own indexes are what they say.
  const reading = readReply(exchange, true);
  const arrivedAt = attempts[0]?.sentAt ?? 0;
  const lasted = durationOf(exchange);
  const outcome = attempts[0]?.outcome;
  const end = outcome?.kind === 'answer' ? outcome.answer.body.end : undefined;
  const why = outcome?.kind === 'none' ? outcome.failure.code : end?.kind === 'aborted' ? end.why : '';
  return {
    exchange,
    reading,
    body: isDeeperThan(text, MAX_DEPTH) ? undefined : parseJson(text),
    marks: new Set([...reading.texts.values()].flatMap(findWords)),
    arrivedAt,
    ...(why !== 'open' && lasted !== undefined && { endedAt: arrivedAt + lasted }),
    wasLeft: why === 'left',
  };
}

export function readAsked(front: Exchange, calls: readonly UpstreamCall[]): Asked {
  const sentAt = front.attempts[0]?.sentAt ?? 0;
  const hasChoices = calls.some(({ reading }) => reading.texts.size > 1);
  return { front, reading: readReply(front, hasChoices), sentAt, endedAt: sentAt + (durationOf(front) ?? 0), calls };
}

/** Milliseconds; undefined if nobody knows. */
function durationOf({ attempts }: Exchange): number | undefined {
  const outcome = attempts.at(-1)?.outcome;
  return outcome?.kind === 'answer' ? outcome.answer.endAt : outcome?.failure.at;
}

/** The upstream sent a whole reply. */
export function isWhole({ reading }: UpstreamCall): boolean {
  return reading.kind === 'reply';
}

/** The upstream call that gave this very reply. */
export function sourceOf({ calls, reading }: Asked): UpstreamCall | undefined {
  const text = reading.texts.get(0);
  return calls.findLast((call) => isWhole(call) && call.reading.texts.get(0) === text);
}

/** The call that a reply is compared with, even if its text was altered. */
export function comparedCall(asked: Asked): UpstreamCall | undefined {
  return sourceOf(asked) ?? asked.calls.findLast(isWhole);
}

/** Token counts that the upstream sent. */
export function usageSent({ reading: { usage } }: UpstreamCall): Readonly<Record<string, Json>> | undefined {
  return isObject(usage) ? usage : undefined;
}
