import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fleetProgress } from '../progress.ts';

const WORDS = { target: 'target', unit: 'request', flag: '--targets' };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Both streams on one screen, as a terminal shows them: only what a person sees in the end. */
function terminal(live: boolean) {
  const lines: string[] = [''];
  const write = (text: string): void => {
    // oxlint-disable-next-line no-control-regex -- a line that is drawn again begins with them
    for (const piece of text.split(/(\u001b\[1A\u001b\[2K|\n)/)) {
      if (piece === '\u001b[1A\u001b[2K') {
        lines.pop();
        lines[lines.length - 1] = '';
      } else if (piece === '\n') lines.push('');
      else lines[lines.length - 1] += piece;
    }
  };
  const screen = { write, colour: false, live, columns: 60 };
  return { lines, io: { cwd: '.', env: {}, stdout: screen, stderr: screen, onInterrupt: () => () => undefined } };
}

describe('on a terminal', () => {
  it('running targets have a line each, and finished ones stay above them', () => {
    const { lines, io } = terminal(true);
    const progress = fleetProgress(['a', 'long name', 'c'], false, WORDS, io);
    progress.update('a', undefined);
    progress.update('long name', { done: 10, total: 110 });
    vi.advanceTimersByTime(1_000);
    expect(lines).toEqual(
      [
        'a          starting',
        'long name  10/110 requests',
        '0 of 3 targets done, 2 running, 1 waiting (10 requests) · 1 ',
        '',
      ].map((line) => line.slice(0, 59)),
    );
    progress.finish('a', 'CONFORMS');
    vi.advanceTimersByTime(1_000);
    expect(lines.slice(0, 2)).toEqual(['a          CONFORMS', 'long name  10/110 requests']);
    progress.finish('long name', 'NOT JUDGED');
    progress.end();
    expect(lines).toEqual(['a          CONFORMS', 'long name  NOT JUDGED', '']);
  });
});

it('A running target says what it waits for, once that takes a while', () => {
  const { lines, io } = terminal(true);
  const progress = fleetProgress(['a', 'b'], false, WORDS, io);
  const began = performance.now();
  const look = () => ({ what: 'answer to GET /models', elapsed: performance.now() - began, most: 60_000 });
  progress.update('a', undefined);
  progress.update('b', { done: 3, total: 110 });
  const late = () => ({ ...look(), elapsed: look().elapsed - 1_500 });
  const ends = [progress.await('a')(look), progress.await('b')(late)];
  vi.advanceTimersByTime(2_000);
  const waiting = 'waiting 2 s of 60 s: answer to GET /models';
  expect(lines.slice(0, 2)).toEqual([`a  starting · ${waiting}`, 'b  3/110 requests']);
  vi.advanceTimersByTime(2_000);
  expect(lines[1]).toBe('b  3/110 requests · waiting 2 s of 60 s: answer to GET /mod');
  for (const end of ends) end();
  vi.advanceTimersByTime(200);
  expect(lines.slice(0, 2)).toEqual(['a  starting', 'b  3/110 requests']);
  progress.end();
});

describe('elsewhere', () => {
  it('there is a line for each finished target, and one every 20 seconds', () => {
    const { lines, io } = terminal(false);
    const progress = fleetProgress(['a', 'b'], false, WORDS, io);
    progress.update('a', { done: 7, total: 110 });
    vi.advanceTimersByTime(25_000);
    progress.finish('a', 'CONFORMS');
    progress.end();
    expect(lines).toEqual(['0 of 2 targets done, 1 running, 1 waiting (7 requests) · 20 s', 'a  CONFORMS', '']);
  });

  it('--quiet leaves the results only', () => {
    const { lines, io } = terminal(false);
    const progress = fleetProgress(['a'], true, WORDS, io);
    progress.update('a', undefined);
    vi.advanceTimersByTime(60_000);
    progress.finish('a', 'CONFORMS');
    progress.end();
    expect(lines).toEqual(['a  CONFORMS', '']);
  });
});
