/** Whether a request was answered: not a verdict, but later steps and refusals depend on it. */
import { hasErrorMember, isObject } from '../../json.ts';
import type { SoughtAnswer } from '../../plan/plan.ts';
import type { Settings } from '../../settings.ts';
import { isExtraKey, isValidKey, type SentKey } from '../../suite/case.ts';
import { type Answer, type Attempt, type Exchange, type Failure, findHeader, type LimitName } from '../exchange.ts';
import { hasReplyText } from './choices.ts';
import { readChunks } from './chunks.ts';
import { endOfJson } from './json-text.ts';
import { isEmpty, valueIn } from './page-or-empty.ts';
import { streamEnd } from './event-stream.ts';

const SPACE = 0x20;

export function lastAnswer({ attempts }: Pick<Exchange, 'attempts'>): Answer | undefined {
  const outcome = attempts.at(-1)?.outcome;
  return outcome?.kind === 'answer' ? outcome.answer : undefined;
}

/** Why the last attempt got no answer; undefined if it got one. */
export function lastFailure({ attempts }: Pick<Exchange, 'attempts'>): Failure | undefined {
  const outcome = attempts.at(-1)?.outcome;
  return outcome?.kind === 'none' ? outcome.failure : undefined;
}

/** A 200 that is readable as what was requested, without an error. Wrong fields do not matter here, but an empty object has none. */
export function wasAnswered(exchange: Exchange): boolean {
  const last = exchange.attempts.at(-1);
  return last !== undefined && isAnswered(last, exchange.request);
}

export function isAnswered(attempt: Attempt, request: Pick<Exchange['request'], 'mode'>): boolean {
  if (attempt.outcome.kind !== 'answer') return false;
  const { answer } = attempt.outcome;
  if (answer.status !== 200) return false;
  return request.mode === 'stream' ? isWholeStream(answer) : isWholeObject(answer);
}

function isWholeObject(answer: Answer): boolean {
  const value = valueIn(answer);
  return endOfJson(answer.body).kind === 'complete' && isObject(value) && !hasErrorMember(value) && !isEmpty(value);
}

/** Who stopped reading a stream at its first text: the checker, which needed no more, or the client of a foreign recording. */
export function readerThatLeft({ body }: Pick<Answer, 'body'>): 'wirecheck' | 'client' | undefined {
  if (body.end.kind !== 'aborted') return undefined;
  return body.end.why === 'text' ? 'wirecheck' : body.end.why === 'client-left' ? 'client' : undefined;
}

export function wasEndedAtText(answer: Pick<Answer, 'body'>): boolean {
  return readerThatLeft(answer) !== undefined;
}

/** Stopped by a limit of ours, ended at the first text, which was enough, or failed after text: answered all the same. */
function isWholeStream(answer: Answer): boolean {
  const end = streamEnd(answer);
  if (end === 'cut' || end === 'stalled' || (end === 'aborted' && !wasEndedAtText(answer))) return false;
  const { chunks, choices: said, errors } = readChunks(answer);
  return (errors.length === 0 || hasReplyText(said)) && chunks.some(({ choices }) => choices > 0);
}

export function isClientError(status: number): boolean {
  return status >= 400 && status < 500;
}

/** Too many calls at once: it may be answered later. */
export function isRejection(status: number | undefined): boolean {
  return status === 429 || status === 503;
}

/** A body that a server may stop reading, and close the connection (RFC 9112, 9.6). */
export function isLarge({ filler }: Pick<Exchange['request'], 'filler'>): boolean {
  return filler !== undefined;
}

/** The target could not cope, or asked to wait: neither an answer to a valid request nor a refusal of an invalid one. */
export function isTransientStatus(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/** Cut, stalled, or with an error instead of tokens: treated like a 5xx. */
export function isBrokenStream(answer: Answer): boolean {
  const end = streamEnd(answer);
  const { errors, choices } = readChunks(answer);
  return end === 'cut' || end === 'stalled' || (errors.length > 0 && !hasReplyText(choices));
}

/** An answer that retrying would not improve: a trouble of earlier attempts has gone away. */
export function isProperAnswer({ outcome }: Attempt, { mode }: Pick<Exchange['request'], 'mode'>): boolean {
  if (outcome.kind !== 'answer') return false;
  const { answer } = outcome;
  if (isTransientStatus(answer.status)) return false;
  if (answer.status === 200 && mode === 'stream') return !isBrokenStream(answer) && !isWithoutEvents(answer);
  const end = endOfJson(answer.body);
  return end.kind === 'complete' || isSizeLimit(end);
}

/** Whether nothing came, or only comments. */
function isWithoutEvents(answer: Answer): boolean {
  const { stream } = readChunks(answer);
  return stream.events.length === 0 && (answer.body.bytes.length === 0 || stream.comments.length > 0);
}

/** The checker stopped reading, since the body was too large. */
export function isSizeLimit(end: Answer['body']['end']): boolean {
  return end.kind === 'limit' && end.limit.startsWith('max-') && end.limit !== 'max-time';
}

/** After all attempts, the outcome may have nothing to do with the edit: the control has to be sent. */
export function isUnrelatedToEdit(exchange: Exchange): boolean {
  const { seeks } = exchange;
  // With an extra key every status but a 5xx is an answer.
  if (seeks === 'answer' || (seeks === 'any' && !isExtraKey(exchange.request.key))) return false;
  const { status } = lastAnswer(exchange) ?? {};
  if (status === undefined) return lastFailure(exchange)?.kind === 'closed' && !isLarge(exchange.request);
  if (seeks === 'any') return status >= 500;
  return isTransientStatus(status) || isRefusalOfGoodKey(status, seeks, exchange.request.key);
}

/** It refuses a key or an account that is fine. */
export function isRefusalOfGoodKey(status: number, seeks: SoughtAnswer, key: SentKey): boolean {
  return seeks !== 'unauthorized' && (status === 402 || (status === 401 && isValidKey(key)));
}

/** The time limit that ended the last attempt, before or during the answer. */
export function timeLimitOf(exchange: Pick<Exchange, 'attempts'>): LimitName | undefined {
  const failure = lastFailure(exchange);
  if (failure) return failure.kind === 'timeout' ? failure.limit : undefined;
  const end = lastAnswer(exchange)?.body.end;
  return end?.kind === 'limit' && end.limit.endsWith('timeout') ? end.limit : undefined;
}

/** The connection failed on the last attempt. */
export function wasLost(exchange: Exchange): boolean {
  return (lastFailure(exchange)?.kind ?? 'timeout') !== 'timeout';
}

/** Nobody listened at the address, so that the last attempt did not reach the target. */
export function metNobody(exchange: Pick<Exchange, 'attempts'>): boolean {
  return lastFailure(exchange)?.kind === 'refused';
}

/**
 * How often the connection was closed without any answer, if nothing else came of the request; 0 otherwise. Connections may
 * have been refused in between: a request that ends the target's process leaves nobody to listen for a while.
 */
export function timesClosed({ attempts }: Pick<Exchange, 'attempts'>): number {
  const failures = attempts.map(({ outcome }) => (outcome.kind === 'none' ? outcome.failure.kind : undefined));
  const reached = failures.filter((kind) => kind !== 'refused');
  return failures.at(-1) === 'closed' && reached.every((kind) => kind === 'closed') ? reached.length : 0;
}

/** The run ended before anything of an answer came, which says nothing about the target. */
export function wasAborted({ outcome }: Pick<Attempt, 'outcome'>): boolean {
  return outcome.kind === 'none' && outcome.failure.kind === 'aborted';
}

/** Whether anything came that may be an answer, in whatever form. */
export function wasHeard({ outcome }: Pick<Attempt, 'outcome'>): boolean {
  return outcome.kind === 'answer' || outcome.failure.kind === 'not-http' || outcome.failure.kind === 'limit';
}

/** An edit that was not answered in time. */
export function hasTimedOut(exchange: Exchange): boolean {
  const { seeks } = exchange;
  if (seeks === 'answer' || seeks === 'any') return false;
  return timeLimitOf(exchange) !== undefined && (!lastAnswer(exchange) || endedBeforeText(exchange));
}

/** A 200 whose time was up before any text: its headers alone are no answer. */
export function endedBeforeText(exchange: Exchange): boolean {
  const answer = lastAnswer(exchange);
  if (answer?.status !== 200 || timeLimitOf(exchange) === undefined) return false;
  if (exchange.request.mode !== 'stream') return answer.body.bytes.every((byte) => byte <= SPACE);
  const { choices, errors, form } = readChunks(answer);
  return !hasReplyText(choices) && errors.length === 0 && (form === 'events' || form === 'nothing');
}

/** Milliseconds from sending to the end of each 4xx to chat, sorted: how fast the target is without generation. */
export function refusalTimes(exchanges: readonly Exchange[]): readonly number[] {
  return exchanges
    .flatMap((exchange) => {
      const answer = lastAnswer(exchange);
      return answer && isClientError(answer.status) && exchange.request.endpoint === 'chat' ? [answer.endAt] : [];
    })
    .toSorted((a, b) => a - b);
}

/** No answer, or 429 after every attempt: more attempts would only take longer. */
export function isSilent(exchange: Exchange): boolean {
  const answer = lastAnswer(exchange);
  return answer === undefined || (answer.status === 429 && exchange.seeks !== 'any');
}

/** Milliseconds. A Date header has whole seconds, so less than two seconds counts as zero. */
export function measureClockSkew(exchanges: readonly Exchange[], startedAt: number): number | undefined {
  for (const exchange of exchanges) {
    const answer = lastAnswer(exchange);
    const date = Date.parse((answer && findHeader(answer.headers, 'date')) ?? '');
    const sent = exchange.attempts.at(-1)?.sentAt;
    if (Number.isNaN(date) || sent === undefined || !answer) continue;
    const skew = date - (startedAt + sent + answer.headersAt);
    return Math.abs(skew) < 2000 ? 0 : Math.round(skew);
  }
  return undefined;
}

/** How long an attempt lasted. If a recording does not say it of one without an answer: until its time limit, or hardly at all. */
export function durationOf({ outcome }: Attempt, { timeouts }: Pick<Settings, 'timeouts'>): number {
  if (outcome.kind === 'answer') return outcome.answer.endAt;
  if (outcome.failure.at !== undefined) return outcome.failure.at;
  const { kind, limit } = outcome.failure;
  // Where there was no connection, nobody knows how long it was tried.
  if (kind !== 'timeout' || limit === undefined || limit === 'connect-timeout') return 0;
  return timeOf(limit, timeouts) ?? 0;
}

/** The value of a time limit. Milliseconds; undefined for other limits. */
export function timeOf(limit: LimitName, timeouts: Settings['timeouts']): number | undefined {
  const times: Partial<Record<LimitName, number>> = {
    timeout: timeouts.attempt,
    'edit-timeout': timeouts.edit,
    'connect-timeout': timeouts.connect,
    'first-byte-timeout': timeouts.firstByte,
    'idle-timeout': timeouts.idle,
  };
  return times[limit];
}
