import { describe, expect, it } from 'vitest';
import { Pace, pauseFor } from './pace.ts';

const running = new AbortController().signal;

/** Lets everything that is ready to go on do so. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** How many of so many requests may go before any of them has come back. */
async function admitted(pace: Pace, requests: number): Promise<number> {
  let count = 0;
  for (let nth = 0; nth < requests; nth++) void pace.enter(running).then(() => (count += 1));
  await settle();
  return count;
}

describe('concurrency', () => {
  it('Concurrency stays within its limit, and the next request is sent when one completes', async () => {
    const pace = new Pace(2);
    let count = 0;
    for (let nth = 0; nth < 5; nth++) void pace.enter(running).then(() => (count += 1));
    await settle();
    expect(count).toBe(2);
    pace.leave();
    await settle();
    expect(count).toBe(3);
    pace.leave();
    pace.leave();
    await settle();
    expect(count).toBe(5);
  });

  it('An urgent request goes ahead of waiting ones', async () => {
    const pace = new Pace(1);
    const order: string[] = [];
    await pace.enter(running);
    void pace.enter(running).then(() => order.push('waited'));
    void pace.enter(running, true).then(() => order.push('urgent'));
    pace.leave();
    await settle();
    pace.leave();
    await settle();
    expect(order).toEqual(['urgent', 'waited']);
  });

  it('A 429 halves concurrency, down to one', async () => {
    const pace = new Pace(4);
    pace.slowDown(0, performance.now(), false);
    expect(await admitted(pace, 4)).toBe(2);
    const slow = new Pace(4);
    for (let nth = 0; nth < 4; nth++) slow.slowDown(0, performance.now(), false);
    expect(await admitted(slow, 4)).toBe(1);
  });

  it('Concurrency grows by one after ten answers without a 429, up to its initial value', async () => {
    const widthAfter = async (answers: number): Promise<number> => {
      const pace = new Pace(3);
      pace.slowDown(0, performance.now(), false);
      for (let nth = 0; nth < answers; nth++) {
        await pace.enter(running);
        pace.leave();
      }
      return admitted(pace, 9);
    };
    expect([await widthAfter(9), await widthAfter(10), await widthAfter(50)]).toEqual([1, 2, 3]);
  });
});

describe('pauses', () => {
  it('A 429 pauses all requests for as long as it asks', async () => {
    const pace = new Pace(4);
    const began = performance.now();
    pace.slowDown(30, performance.now(), false);
    await Promise.all([pace.enter(running), pace.enter(running)]);
    expect(performance.now() - began).toBeGreaterThanOrEqual(29);
  });

  it('A hold makes all requests wait, and leaves their number as it is', async () => {
    const pace = new Pace(2);
    const began = performance.now();
    pace.hold(30);
    await Promise.all([pace.enter(running), pace.enter(running)]);
    expect(performance.now() - began).toBeGreaterThanOrEqual(29);
  });

  it('Narrowing lowers concurrency without a pause', async () => {
    const pace = new Pace(4, undefined, 1_000);
    pace.narrow();
    for (let nth = 0; nth < 2; nth++) await pace.enter(running);
    let third = false;
    void pace.enter(running).then(() => (third = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(third).toBe(false);
    pace.leave();
    await new Promise((resolve) => setImmediate(resolve));
    expect(third).toBe(true);
  });

  it('Requests are spaced further apart after a 429, and closer again once there are no more', async () => {
    const pace = new Pace(1, undefined, 20);
    const gap = async (): Promise<number> => {
      const began = performance.now();
      await pace.enter(running);
      pace.leave();
      return performance.now() - began;
    };
    const gaps = async (count: number): Promise<readonly number[]> => {
      const all: number[] = [];
      for (let nth = 0; nth < count; nth++) all.push(await gap());
      return all;
    };
    // The longest of a few: a busy machine may stall between two of them, and what is left of that gap is shorter.
    pace.slowDown(0, performance.now(), false);
    expect(Math.max(...(await gaps(4)))).toBeGreaterThanOrEqual(19);
    pace.slowDown(0, performance.now(), false);
    expect(Math.max(...(await gaps(4)))).toBeGreaterThanOrEqual(39);
    await gaps(60);
    expect(Math.min(...(await gaps(10)))).toBeLessThan(19);
  });

  it('Spacing that does not prevent 429s is reduced again, unless the target says how long to wait', async () => {
    const order: string[] = [];
    const timed = async (asked: boolean): Promise<number> => {
      const pace = new Pace(1, undefined, 50);
      for (let nth = 0; nth < 5; nth++) pace.slowDown(0, performance.now(), asked);
      const began = performance.now();
      for (let nth = 0; nth < 2; nth++) {
        await pace.enter(running);
        pace.leave();
      }
      order.push(asked ? 'as far apart as it gets' : 'closer together');
      return performance.now() - began;
    };
    const [closer, furthest] = await Promise.all([timed(false), timed(true)]);
    expect(closer).toBeGreaterThanOrEqual(49);
    expect(furthest).toBeGreaterThanOrEqual(399);
    expect(order).toEqual(['closer together', 'as far apart as it gets']);
  });

  it.each([0, 20])('Several 429s in one burst count once, whatever pause they ask for: %i ms', async (pause) => {
    const pace = new Pace(8);
    const sentAt = performance.now();
    for (let nth = 0; nth < 4; nth++) pace.slowDown(pause, sentAt, false);
    await new Promise((resolve) => setTimeout(resolve, 25));
    expect(await admitted(pace, 8)).toBe(4);
  });

  it('A rate spaces out requests, including those that wait at the same time', async () => {
    const pace = new Pace(4, 100);
    const times: number[] = [];
    await Promise.all([1, 2, 3, 4].map(() => pace.enter(running).then(() => times.push(performance.now()))));
    const gaps = times.slice(1).map((time, place) => time - (times[place] ?? 0));
    expect(gaps.every((gap) => gap >= 9)).toBe(true);
  });

  it('The end of the run cancels every pause', async () => {
    const pace = new Pace(1);
    pace.slowDown(60_000, performance.now(), false);
    const controller = new AbortController();
    const since = performance.now();
    const waiting = pace.enter(controller.signal);
    controller.abort();
    await waiting;
    await pauseFor(60_000, controller.signal);
    await pauseFor(-1, running);
    expect(performance.now() - since).toBeLessThan(30_000);
  });
});
