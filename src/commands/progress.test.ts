import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { progressLine } from './progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const PROGRESS = { casesDone: 3, cases: 120, requests: 1, completions: 12, elapsed: 4_100 };

function watch(live: boolean, columns = 120) {
  const written: string[] = [];
  const line = progressLine({ write: (text) => void written.push(text), colour: false, live, columns });
  return { line, written };
}

describe('the progress line', () => {
  it('shows cases, requests, completions and a running clock', () => {
    const { line, written } = watch(true);
    line.update(PROGRESS);
    vi.advanceTimersByTime(1_000);
    expect(written.at(-1)).toBe('\r\u001b[2K3 of 120 cases · 1 request · 12 completions charged · 5 s');
    line.end();
    expect(written.at(-1)).toBe('\r\u001b[2K');
  });

  it('never exceeds one line', () => {
    const { line, written } = watch(true, 20);
    line.update(PROGRESS);
    vi.advanceTimersByTime(300);
    expect(written.at(-1)).toBe('\r\u001b[2K3 of 120 cases · 1 ');
    line.end();
  });

  it('is not shown outside a terminal', () => {
    const { line, written } = watch(false);
    line.update(PROGRESS);
    vi.advanceTimersByTime(5_000);
    line.end();
    expect(written).toEqual([]);
  });
});
