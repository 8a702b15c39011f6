import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DEFAULT_SETTINGS } from '../../settings.ts';
import { AnswerWait } from './answer-wait.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const TIMEOUTS = { ...DEFAULT_SETTINGS.timeouts, attempt: 120_000, edit: 20_000, connect: 5_000, firstByte: 60_000 };

it('A wait names its phase, and counts from the last sign of life', () => {
  const wait = new AnswerWait('GET /models', TIMEOUTS);
  vi.advanceTimersByTime(4_000);
  expect(wait.look()).toEqual({ what: 'connection for GET /models', elapsed: 4_000, most: 5_000 });
  wait.enter('firstByte');
  vi.advanceTimersByTime(9_000);
  expect(wait.look()).toEqual({ what: 'answer to GET /models', elapsed: 9_000, most: 60_000 });
  wait.enter('idle');
  vi.advanceTimersByTime(1_000);
  expect(wait.look()).toEqual({ what: 'rest of the answer to GET /models', elapsed: 1_000, most: TIMEOUTS.idle });
});

it('A wait ends with the attempt, if that ends first', () => {
  const wait = new AnswerWait('POST /chat/completions', TIMEOUTS, 'time');
  vi.advanceTimersByTime(2_000);
  wait.enter('firstByte');
  expect(wait.look().most).toBe(18_000);
});
