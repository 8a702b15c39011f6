/** Whether an attempt is the last word, or what to wait for before the next one. */
import type { Settings } from '../../settings.ts';
import type { Seeks } from '../../plan/plan.ts';
import { isExtraKey, isValidKey, type KeyUse } from '../../suite/case.ts';
import { readChunks } from '../reading/chunks.ts';
import { type Answer, type Attempt, type NoAnswer, findHeader } from '../exchange.ts';
import { streamEnd } from '../reading/stream-end.ts';

export type NextTry =
  | { readonly kind: 'final' }
  | {
      readonly kind: 'again';
      /** Milliseconds. */
      readonly pause: number;
      /** On a connection of its own. */
      readonly fresh: boolean;
      /** The target could not keep up: the whole run waits as well and goes slower, or only sends less at once. */
      readonly easing?: 'hold' | 'narrow';
      /** The target said how long. */
      readonly asked?: boolean;
    };

export interface Tried {
  readonly seeks: Seeks;
  readonly key: KeyUse;
  readonly mode: 'plain' | 'stream';
  /** How many attempts there were, this one included. */
  readonly attempts: number;
  readonly attempt: Attempt;
}

const FINAL: NextTry = { kind: 'final' };

export function nextTry(tried: Tried, settings: Settings): NextTry {
  const { attempt, attempts, seeks, key } = tried;
  // What comes to an extra key is what was asked for, but a breakdown is not.
  if (attempts > settings.retries || (seeks === 'any' && !isExtraKey(key))) return FINAL;
  const { outcome } = attempt;
  if (outcome.kind === 'none') return afterNoAnswer(outcome.failure.kind, tried);
  const { answer } = outcome;
  if (!isUnsettled(answer, tried)) return FINAL;
  if (isMispacked(answer)) return attempts < 2 ? { kind: 'again', pause: 0, fresh: false } : FINAL;
  const asked = retryAfter(answer);
  if (asked !== undefined && asked > settings.maxRetryWait) return FINAL;
  const pause = asked ?? settings.retryPauses[attempts - 1] ?? settings.retryPauses.at(-1) ?? 0;
  const again = { kind: 'again', pause, fresh: false, asked: asked !== undefined && asked > 0 } as const;
  if (answer.status === 429) return { ...again, easing: 'hold' };
  // Whoever has too much to do may say so by 503 as well; without a word on how long, the others need not wait.
  if (answer.status === 503) return { ...again, easing: asked === undefined ? 'narrow' : 'hold' };
  return again;
}

/** A connection that broke may have been stale: at once, on a fresh one. A time-out costs the most, so it is tried at most twice. */
function afterNoAnswer(kind: NoAnswer, { seeks, attempts }: Tried): NextTry {
  const again: NextTry = { kind: 'again', pause: 0, fresh: true };
  const narrower: NextTry = { ...again, easing: 'narrow' };
  const next: Record<NoAnswer, NextTry> = {
    closed: narrower,
    refused: narrower,
    'not-http': again,
    timeout: seeks === 'answer' && attempts < 2 ? again : FINAL,
    unresolved: FINAL,
    tls: FINAL,
    limit: FINAL,
    aborted: FINAL,
  };
  return next[kind];
}

/** True for an answer that says nothing yet about what was asked. */
function isUnsettled(answer: Answer, tried: Tried): boolean {
  const { status, body } = answer;
  if (tried.seeks === 'any') return status >= 500;
  if (status === 429 || status >= 500 || status === 408) return true;
  // A stream is whole once its end marker came, whatever became of the connection after it.
  if (status === 200 && tried.mode === 'stream') return isBrokenStream(answer);
  if (body.end.kind === 'cut' || body.end.kind === 'undecodable') return true;
  if (status === 200) return false;
  const asksToWait = retryAfter(answer) !== undefined;
  if (tried.seeks === 'answer') return asksToWait;
  if (status === 403) return asksToWait;
  return tried.seeks !== 'unauthorized' && (status === 402 || (status === 401 && isValidKey(tried.key)));
}

/** What does not decompress comes about in how it was packed, not in the load of the target: waiting changes nothing. */
function isMispacked({ status, body }: Answer): boolean {
  return body.end.kind === 'undecodable' && status < 500 && status !== 429 && status !== 408;
}

/** Cut, stalled, or an error in place of tokens: as a 5xx. */
function isBrokenStream(answer: Answer): boolean {
  const end = streamEnd(answer);
  return end === 'cut' || end === 'stalled' || readChunks(answer).errors.length > 0;
}

/** Milliseconds that the answer asks to wait (RFC 9110, 10.2.3: seconds or a date). */
export function retryAfter({ headers }: Pick<Answer, 'headers'>): number | undefined {
  const value = findHeader(headers, 'retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  // Every form of a date has a month by name (RFC 9110, 5.6.7); `Date.parse` alone would take `-1` for a year.
  const date = /[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(date)) return undefined;
  // Measured by the target's own clock where it tells: ours may differ.
  const now = Date.parse(findHeader(headers, 'date') ?? '');
  return Math.max(0, date - (Number.isNaN(now) ? Date.now() : now));
}
