import { describe, expect, it } from 'vitest';
import { Pace, pauseFor } from './pace.ts';

const running = new AbortController().signal;

/** Lets everything that is ready to go on do so. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** How many of so many requests may go before any of them has come back. */
async function admitted(pace: Pace, requests: number): Promise<number> {
  let count = 0;
  for (let one = 0; one < requests; one++) void pace.enter(running).then(() => (count += 1));
  await settle();
  return count;
}

describe('requests at once', () => {
  it('No more than allowed go at once, and the next one goes when one has come back', async () => {
    const pace = new Pace(2);
    let count = 0;
    for (let one = 0; one < 5; one++) void pace.enter(running).then(() => (count += 1));
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

  it('An urgent one goes before those that wait', async () => {
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

  it('A 429 halves them, down to one', async () => {
    const pace = new Pace(4);
    pace.slowDown(0, performance.now(), false);
    expect(await admitted(pace, 4)).toBe(2);
    const slow = new Pace(4);
    for (let one = 0; one < 4; one++) slow.slowDown(0, performance.now(), false);
    expect(await admitted(slow, 4)).toBe(1);
  });

  it('After ten answers in peace there is one more, and never more than at first', async () => {
    const widthAfter = async (answers: number): Promise<number> => {
      const pace = new Pace(3);
      pace.slowDown(0, performance.now(), false);
      for (let one = 0; one < answers; one++) {
        await pace.enter(running);
        pace.leave();
      }
      return admitted(pace, 9);
    };
    expect([await widthAfter(9), await widthAfter(10), await widthAfter(50)]).toEqual([1, 2, 3]);
  });
});

describe('pauses', () => {
  it('A 429 holds back everybody for as long as it says', async () => {
    const pace = new Pace(4);
    const began = performance.now();
    pace.slowDown(30, performance.now(), false);
    await Promise.all([pace.enter(running), pace.enter(running)]);
    expect(performance.now() - began).toBeGreaterThanOrEqual(29);
  });

  it('Where it only narrows, fewer go at once and nobody waits', async () => {
    const pace = new Pace(4, undefined, 1_000);
    pace.narrow();
    for (let one = 0; one < 2; one++) await pace.enter(running);
    let third = false;
    void pace.enter(running).then(() => (third = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(third).toBe(false);
    pace.leave();
    await new Promise((resolve) => setImmediate(resolve));
    expect(third).toBe(true);
  });

  it('After a 429 requests go further apart, and closer again when all is calm', async () => {
    const pace = new Pace(1, undefined, 20);
    const gap = async (): Promise<number> => {
      const began = performance.now();
      await pace.enter(running);
      pace.leave();
      return performance.now() - began;
    };
    pace.slowDown(0, performance.now(), false);
    await gap();
    expect(await gap()).toBeGreaterThanOrEqual(19);
    pace.slowDown(0, performance.now(), false);
    await gap();
    expect(await gap()).toBeGreaterThanOrEqual(39);
    for (let one = 0; one < 60; one++) await gap();
    const gaps: number[] = [];
    for (let one = 0; one < 10; one++) gaps.push(await gap());
    expect(Math.min(...gaps)).toBeLessThan(19);
  });

  it('Where a 429 comes however far apart they go, they go closer together again, unless the target says how long to wait', async () => {
    const order: string[] = [];
    const timed = async (asked: boolean): Promise<number> => {
      const pace = new Pace(1, undefined, 50);
      for (let one = 0; one < 5; one++) pace.slowDown(0, performance.now(), asked);
      const began = performance.now();
      for (let one = 0; one < 2; one++) {
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

  it.each([0, 20])(
    'Several 429 of one burst count once, whatever the pause that they ask for: %i ms',
    async (pause) => {
      const pace = new Pace(8);
      const sentAt = performance.now();
      for (let one = 0; one < 4; one++) pace.slowDown(pause, sentAt, false);
      await new Promise((resolve) => setTimeout(resolve, 25));
      expect(await admitted(pace, 8)).toBe(4);
    },
  );

  it('A rate keeps requests apart, also those that wait together', async () => {
    const pace = new Pace(4, 100);
    const times: number[] = [];
    await Promise.all([1, 2, 3, 4].map(() => pace.enter(running).then(() => times.push(performance.now()))));
    const gaps = times.slice(1).map((time, place) => time - (times[place] ?? 0));
    expect(gaps.every((gap) => gap >= 9)).toBe(true);
  });

  it('The end of the run ends every pause', async () => {
    const pace = new Pace(1);
    pace.slowDown(60_000, performance.now(), false);
    const controller = new AbortController();
    const waiting = pace.enter(controller.signal);
    controller.abort();
    await waiting;
    await pauseFor(60_000, controller.signal);
    await pauseFor(-1, running);
  });
});
