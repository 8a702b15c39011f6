import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { formatProgress, progressLine } from './progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const CLEAR = '\r\u001b[2K';

function watch(live: boolean, columns = 120) {
  const written: string[] = [];
  const screen = { write: (text: string) => void written.push(text), colour: false, live, columns };
  return { line: progressLine(screen, 'requests'), written };
}

describe('the progress line', () => {
  it('shows requests, a running clock and the time left, and clears itself', () => {
    const { line, written } = watch(true);
    vi.advanceTimersByTime(14_000);
    line.update({ done: 30, total: 109 });
    vi.advanceTimersByTime(1_000);
    expect(written.at(-1)).toBe(`${CLEAR}30/109 requests · 15 s, about 40 s left`);
    line.end();
    expect(written.at(-1)).toBe(CLEAR);
  });

  it('gives no time left where nobody knows it', () => {
    const advance = { done: 1, total: 5, now: '4 in flight, 3 s of 10 s to 20 s' };
    expect(formatProgress(advance, 'stages', 22_000)).toBe('1/5 stages · 22 s · 4 in flight, 3 s of 10 s to 20 s');
  });

  it('runs before anything is done', () => {
    const { line, written } = watch(true);
    vi.advanceTimersByTime(3_000);
    expect(written.at(-1)).toBe(`${CLEAR}starting · 3 s`);
    line.end();
  });

  it('says what is waited for, and for how long, once nothing has come for a second', () => {
    const { line, written } = watch(true);
    line.update({ done: 3, total: 109 });
    const began = performance.now();
    const look = (what: string, late: number) => () => ({
      what,
      elapsed: performance.now() - began - late,
      most: 60_000,
    });
    const endFirst = line.await(look('answer to GET /models', 0));
    const endSecond = line.await(look('answer to POST /chat/completions', 1_000));
    vi.advanceTimersByTime(1_800);
    expect(written.at(-1)).toBe(`${CLEAR}3/109 requests · 1 s`);
    vi.advanceTimersByTime(200);
    expect(written.at(-1)).toBe(`${CLEAR}3/109 requests · 2 s · waiting 2 s of 60 s: answer to GET /models`);
    vi.advanceTimersByTime(7_000);
    const waiting = 'waiting 9 s of 60 s: answer to GET /models';
    expect(written.at(-1)).toBe(`${CLEAR}3/109 requests · 9 s · ${waiting}`);
    endFirst();
    vi.advanceTimersByTime(200);
    expect(written.at(-1)).toContain('waiting 8 s of 60 s: answer to POST /chat/completions');
    endSecond();
    vi.advanceTimersByTime(200);
    expect(written.at(-1)).toBe(`${CLEAR}3/109 requests · 9 s`);
    line.end();
  });

  it('says so before the first answer, and outside a terminal', () => {
    const { line, written } = watch(false);
    const began = performance.now();
    line.await(() => ({ what: 'answer to GET /models', elapsed: performance.now() - began, most: 60_000 }));
    vi.advanceTimersByTime(20_000);
    line.end();
    expect(written).toEqual(['starting · 20 s · waiting 20 s of 60 s: answer to GET /models\n']);
  });

  it('says so just as soon before the first answer', () => {
    const { line, written } = watch(true);
    const began = performance.now();
    line.await(() => ({ what: 'answer to GET /models', elapsed: performance.now() - began, most: 60_000 }));
    vi.advanceTimersByTime(1_000);
    expect(written.at(-1)).toBe(`${CLEAR}starting · 1 s · waiting 1 s of 60 s: answer to GET /models`);
    line.end();
  });

  it('never exceeds one line', () => {
    const { line, written } = watch(true, 12);
    line.update({ done: 3, total: 120 });
    vi.advanceTimersByTime(300);
    expect(written.at(-1)).toBe(`${CLEAR}3/120 reque`);
    line.end();
  });

  it('is a line every 20 s outside a terminal', () => {
    const { line, written } = watch(false);
    line.update({ done: 10, total: 30 });
    vi.advanceTimersByTime(19_000);
    expect(written).toEqual([]);
    vi.advanceTimersByTime(1_000);
    line.update({ done: 20, total: 30 });
    vi.advanceTimersByTime(20_000);
    line.end();
    vi.advanceTimersByTime(60_000);
    expect(written).toEqual(['10/30 requests · 20 s, about 40 s left\n', '20/30 requests · 40 s, about 20 s left\n']);
  });

  it('is not shown without a screen', () => {
    const line = progressLine(undefined, 'requests');
    line.update({ done: 1, total: 2 });
    line.clear();
    vi.advanceTimersByTime(60_000);
    expect(() => line.end()).not.toThrow();
  });
});

describe('the time left', () => {
  it.each([
    [4, 100, 60_000, '4/100 requests · 60 s'],
    [50, 100, 1_000, '50/100 requests · 1 s'],
    [100, 100, 60_000, '100/100 requests · 60 s'],
    [90, 100, 9_500, '90/100 requests · 9 s, about 2 s left'],
    [10, 110, 30_000, '10/110 requests · 30 s, about 5 min left'],
    [100, 150, 245_000, '100/150 requests · 4 min 5 s, about 2 min 5 s left'],
  ])('after %i of %i in %i ms', (done, total, elapsed, text) => {
    expect(formatProgress({ done, total }, 'requests', elapsed)).toBe(text);
  });
});

it('The progress says what goes on when all was sent', () => {
  const advance = { done: 345, total: 345, doing: 'looking into draw 17, 2 of 9 that failed' };
  expect(formatProgress(advance, 'requests', 21_000)).toBe(
    '345 requests · 21 s · looking into draw 17, 2 of 9 that failed',
  );
  expect(formatProgress({ done: 1, total: 1, doing: 'waiting' }, 'requests', 1_000)).toBe('1 request · 1 s · waiting');
});
