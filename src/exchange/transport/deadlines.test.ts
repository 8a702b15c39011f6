import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LimitName } from '../exchange.ts';
import { DEFAULT_SETTINGS } from '../../settings.ts';
import { startDeadlines } from './reception.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const TIMEOUTS = { ...DEFAULT_SETTINGS.timeouts, attempt: 120_000, edit: 20_000, connect: 5_000, firstByte: 60_000 };

function start(bound: 'max-tokens' | 'time' = 'max-tokens') {
  const over: LimitName[] = [];
  const deadlines = startDeadlines({ timeouts: TIMEOUTS, bound }, (limit) => over.push(limit));
  return { deadlines, over };
}

async function pass(milliseconds: number): Promise<void> {
  vi.advanceTimersByTime(milliseconds);
  await new Promise(setImmediate);
}

it('A wait names its phase, and counts from the last sign of life', async () => {
  const { deadlines, over } = start();
  await pass(4_000);
  expect(deadlines.awaited('GET /models')).toEqual({
    what: 'connection for GET /models',
    elapsed: 4_000,
    most: 5_000,
  });
  deadlines.sent(performance.now());
  await pass(9_000);
  expect(deadlines.awaited('GET /models')).toEqual({ what: 'answer to GET /models', elapsed: 9_000, most: 60_000 });
  deadlines.headArrived(performance.now());
  await pass(1_000);
  const rest = { what: 'rest of the answer to GET /models', elapsed: 1_000, most: TIMEOUTS.idle };
  expect(deadlines.awaited('GET /models')).toEqual(rest);
  expect(over).toEqual([]);
});

it('A wait ends with the attempt, if that ends first', async () => {
  const { deadlines, over } = start('time');
  await pass(2_000);
  deadlines.sent(performance.now());
  expect(deadlines.awaited('POST /chat/completions').most).toBe(18_000);
  await pass(18_000);
  expect(over).toEqual(['edit-timeout']);
});

it('Each phase has its limit, bytes put it off, and nothing is over once it stopped', async () => {
  const silent = start();
  await pass(5_000);
  expect(silent.over).toEqual(['connect-timeout']);
  const { deadlines, over } = start();
  deadlines.sent(performance.now());
  deadlines.headArrived(performance.now());
  await pass(TIMEOUTS.idle - 1);
  deadlines.heard(performance.now());
  await pass(TIMEOUTS.idle - 1);
  expect(over).toEqual([]);
  await pass(1);
  expect(over).toEqual(['idle-timeout']);
  deadlines.stop();
  await pass(TIMEOUTS.attempt);
  expect(over).toEqual(['idle-timeout']);
});

it('What had arrived when time was up, and is read only then, puts it off', async () => {
  const { deadlines, over } = start();
  deadlines.sent(performance.now());
  deadlines.headArrived(performance.now());
  vi.advanceTimersByTime(TIMEOUTS.idle);
  deadlines.heard(performance.now());
  await pass(TIMEOUTS.idle - 1);
  expect(over).toEqual([]);
  await pass(1);
  expect(over).toEqual(['idle-timeout']);
});
