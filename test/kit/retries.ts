/** What follows an attempt. */
import type { SoughtAnswer } from '../../src/plan/plan.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../src/settings.ts';
import { answeredAttempt } from './exchanges.ts';
import type { Attempt, BodyEnd } from '../../src/exchange/exchange.ts';
import { type NextTry, nextTry, type Tried } from '../../src/exchange/channel/retry.ts';

export const settings: Settings = {
  ...DEFAULT_SETTINGS,
  baseUrl: 'http://127.0.0.1/v1',
  retryPauses: [1000, 4000],
  maxRetryWait: 30_000,
};

export function next(attempt: Attempt, seeks: SoughtAnswer, more: Partial<Tried> = {}): NextTry {
  return nextTry({ seeks, key: 'full', mode: 'plain', bound: 'max-tokens', attempts: 1, attempt, ...more }, settings);
}

export const answer = (status: number, headers: Record<string, string> = {}, end?: BodyEnd): Attempt =>
  answeredAttempt({ status, headers, ...(end && { end }) });

/** `-` for the last word, or the pause in seconds. */
export const said = (outcome: NextTry): string | number => (outcome.kind === 'final' ? '-' : outcome.pause / 1000);
