/** Decides whether an attempt is final, or when and how to retry, also by what was learned from earlier exchanges of the run. */
import type { FilledRequest } from '../../plan/bind-request.ts';
import type { Settings } from '../../settings.ts';
import type { Bound, SoughtAnswer } from '../../plan/plan.ts';
import { isExtraKey, isValidKey } from '../../suite/case.ts';
import { isBrokenStream, isRefusalOfGoodKey, isTransientStatus } from '../reading/answered.ts';
import { hasReplyText } from '../reading/choices.ts';
import { readChunks } from '../reading/chunks.ts';
import { endOfJson } from '../reading/json-text.ts';
import { type Answer, type Attempt, type NoAnswer, findHeader } from '../exchange.ts';
import type { SendOptions } from '../transport/reception.ts';

export type NextTry = { readonly kind: 'final' } | Again;

export interface Again {
  readonly kind: 'again';
  /** Milliseconds. */
  readonly pause: number;
  /** Whether it goes over a connection of its own. */
  readonly fresh: boolean;
  /** The target could not keep up: the whole run waits and slows down, or only sends less at once. */
  readonly easing?: 'hold' | 'narrow';
  /** The target stated the pause. */
  readonly asked?: boolean;
}

export interface Tried extends Pick<FilledRequest, 'key' | 'mode' | 'filler'> {
  readonly seeks: SoughtAnswer;
  readonly bound?: Bound;
  /** Its connection had carried other requests. */
  readonly isReused?: boolean;
  /** Number of attempts, including this one. */
  readonly attempts: number;
  readonly attempt: Attempt;
}

const FINAL: NextTry = { kind: 'final' };

export function nextTry(tried: Tried, settings: Settings): NextTry {
  const { attempt, attempts, seeks, key } = tried;
  // With an extra key any refusal is an answer, but a breakdown is not.
  if (attempts > settings.retries || (seeks === 'any' && !isExtraKey(key))) return FINAL;
  const { outcome } = attempt;
  if (outcome.kind === 'none') return afterNoAnswer(outcome.failure.kind, tried);
  const { answer } = outcome;
  if (hasLostKey(answer, tried)) return { kind: 'again', pause: 0, fresh: true };
  if (!isUnsettled(answer, tried)) return FINAL;
  const asked = retryAfter(answer);
  if (asked !== undefined && asked > settings.maxRetryWait) return FINAL;
  const pause = asked ?? usualPause(attempts, settings);
  const again = { kind: 'again', pause, fresh: false, asked: asked !== undefined && asked > 0 } as const;
  if (answer.status === 429) return { ...again, easing: 'hold' };
  // A 503 may also mean overload. Without a Retry-After, other requests need not wait.
  if (answer.status === 503) return { ...again, easing: asked === undefined ? 'narrow' : 'hold' };
  return again;
}

/** A connection may lose the key that it was opened with. */
function hasLostKey({ status }: Answer, { key, isReused = false }: Tried): boolean {
  return status === 401 && isReused && isValidKey(key);
}

function usualPause(attempts: number, { retryPauses }: Settings): number {
  return retryPauses[attempts - 1] ?? retryPauses.at(-1) ?? 0;
}

/** A 5xx that neither asks to wait nor speaks of overload. */
export function isPlainServerError(answer: Pick<Answer, 'status' | 'headers'>): boolean {
  return answer.status >= 500 && answer.status !== 503 && retryAfter(answer) === undefined;
}

/** A broken connection may have been stale: retry at once on a new one. Timeouts cost most, so two attempts at most. */
function afterNoAnswer(kind: NoAnswer, { seeks, bound, filler, attempts }: Tried): NextTry {
  const again: NextTry = { kind: 'again', pause: 0, fresh: true };
  const narrower: NextTry = { ...again, easing: 'narrow' };
  const next: Record<NoAnswer, NextTry> = {
    // A server may stop reading a body that is so large.
    closed: filler ? FINAL : narrower,
    refused: narrower,
    'not-http': again,
    // The target may still be generating a reply that nothing limits: a second one would cost as much.
    timeout: seeks === 'answer' && bound !== 'nothing' && attempts < 2 ? again : FINAL,
    unresolved: FINAL,
    tls: FINAL,
    limit: FINAL,
    aborted: FINAL,
  };
  return next[kind];
}

/** True if the answer says nothing yet about what was asked. */
function isUnsettled(answer: Answer, tried: Tried): boolean {
  const { status, body } = answer;
  if (tried.seeks === 'any') return status >= 500;
  if (isTransientStatus(status)) return true;
  // A body of which nothing decompresses is wrongly encoded. If something does, it was cut off.
  if (body.end.kind === 'undecodable' && body.bytes.length === 0) return false;
  // A stream is complete after its end marker, whatever happens to the connection later.
  if (status === 200 && tried.mode === 'stream')
    // An edit that was answered with text was answered, however its stream ended.
    return isBrokenStream(answer) && (tried.seeks === 'answer' || !hasReplyText(readChunks(answer).choices));
  const end = endOfJson(body);
  if (end.kind === 'cut' || end.kind === 'undecodable') return true;
  return status !== 200 && isPassingRefusal(answer, tried);
}

/** A refusal that says to come back, or that of a key or an account that is fine. */
function isPassingRefusal(answer: Answer, { seeks, key }: Tried): boolean {
  const { status } = answer;
  if (seeks === 'answer' || status === 403) return retryAfter(answer) !== undefined;
  return isRefusalOfGoodKey(status, seeks, key);
}

/** Milliseconds that the answer asks to wait (RFC 9110, 10.2.3: seconds or a date). */
export function retryAfter({ headers }: Pick<Answer, 'headers'>): number | undefined {
  const value = findHeader(headers, 'retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  // Every HTTP date names its month (RFC 9110, 5.6.7); `Date.parse` alone would take `-1` for a year.
  const date = /[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(date)) return undefined;
  // By the target's own clock if it sends a Date: ours may differ.
  const now = Date.parse(findHeader(headers, 'date') ?? '');
  return Math.max(0, date - (Number.isNaN(now) ? Date.now() : now));
}

/**
 * No answer in time is final too, since whoever asks repeats it in a way of their own. `once`: so is a 5xx. `full`: every
 * pause is kept, however many 5xx stayed before, and a hang is waited for longer.
 */
export type Patience = 'once' | 'full';

/** Lasting 5xx of an exploration after which more of them are tried again without a pause. */
const KNOWN_TO_STAY = 3;

/** How long to wait once a request has hung: these milliseconds at least, and so many times what the slowest answer took. */
const WAITS: Readonly<Record<Patience | 'draw', { readonly least: number; readonly times: number }>> = {
  once: { least: 3_000, times: 5 },
  draw: { least: 5_000, times: 5 },
  full: { least: 15_000, times: 20 },
};

export class Retrying {
  readonly #settings: Settings;
  /** Exchanges with a 5xx that stayed. */
  #lasting = 0;
  /** Milliseconds up to the headers of the slowest answer, and up to the end of the longest. */
  #slowest = 0;
  #longest = 0;
  #hasTimedOut = false;
  /** Connections that have carried a request. */
  readonly #carried = new Set<number>();

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Milliseconds to wait, if that is less than usual: an exploration may meet one hang many times. */
  waits(patience?: Patience): Pick<SendOptions, 'firstByte' | 'idle'> {
    if (this.#settings.explore === undefined || !this.#hasTimedOut) return {};
    const { least, times } = WAITS[patience ?? 'draw'];
    return { firstByte: Math.max(least, times * this.#slowest), idle: Math.max(least, times * this.#longest) };
  }

  next(tried: Tried, patience?: Patience): NextTry {
    const { outcome } = tried.attempt;
    const isTimeout = isHang(tried.attempt);
    const isServerError = outcome.kind === 'answer' && isPlainServerError(outcome.answer);
    const next = nextTry({ ...tried, isReused: this.#isReused(tried.attempt) }, this.#settings);
    const isHangKnown = patience !== undefined || (this.#settings.explore !== undefined && this.#hasTimedOut);
    const isFinal = next.kind === 'final' || (isTimeout && isHangKnown);
    this.#learn(tried.attempt);
    if (isServerError && isFinal && tried.attempts > 1) this.#lasting += 1;
    if (next.kind === 'final' || isFinal || (isServerError && patience === 'once')) return { kind: 'final' };
    return isServerError && this.#isKnownToStay(patience) ? { ...next, pause: 0 } : next;
  }

  /** Whether the connection had carried another request. An exploration compares connections by itself. */
  #isReused({ connection }: Attempt): boolean {
    if (connection === undefined || this.#settings.explore) return false;
    const isReused = this.#carried.has(connection);
    this.#carried.add(connection);
    return isReused;
  }

  #learn(attempt: Attempt): void {
    const { outcome } = attempt;
    this.#hasTimedOut ||= isHang(attempt);
    if (outcome.kind !== 'answer') return;
    const { headersAt, endAt, body } = outcome.answer;
    this.#slowest = Math.max(this.#slowest, headersAt);
    if (body.end.kind === 'complete') this.#longest = Math.max(this.#longest, endAt);
  }

  /** Whether to leave out pauses, which would take most of the time where hundreds of requests meet one fault. */
  #isKnownToStay(patience: Patience | undefined): boolean {
    return this.#settings.explore !== undefined && this.#lasting >= KNOWN_TO_STAY && patience !== 'full';
  }
}

/** No answer in time, or an answer that stopped in the middle. */
function isHang({ outcome }: Attempt): boolean {
  if (outcome.kind === 'none') return outcome.failure.kind === 'timeout';
  const { end } = outcome.answer.body;
  return end.kind === 'limit' && end.limit === 'idle-timeout';
}
