import { expect, it } from 'vitest';
import {
  above,
  afterDisconnects,
  afterIdle,
  type Condition,
  once,
  oneIn,
  Pressure,
  whileReaderIsSlow,
} from './pressure.ts';

function watch(condition: Condition) {
  const pressure = new Pressure();
  return { pressure, holds: condition.watch(pressure) };
}

it('above a number in flight', () => {
  const { pressure, holds } = watch(above(1));
  const ends = [pressure.begin(), pressure.begin()];
  expect(holds()).toBe(true);
  ends[0]?.(false);
  expect(holds()).toBe(false);
});

it('for one call of several', () => {
  const { holds } = watch(oneIn(3));
  expect([holds(), holds(), holds(), holds(), holds(), holds()]).toEqual([false, false, true, false, false, true]);
});

it('for a single call', () => {
  const { holds } = watch(once(2));
  expect([holds(), holds(), holds(), holds()]).toEqual([false, true, false, false]);
});

it('for some calls each time that enough clients have left', () => {
  const { pressure, holds } = watch(afterDisconnects(2, 2));
  const leave = () => pressure.begin()(true);
  leave();
  pressure.begin()(false);
  expect(holds()).toBe(false);
  leave();
  expect([holds(), holds(), holds()]).toEqual([true, true, false]);
  leave();
  leave();
  expect(holds()).toBe(true);
});

it('while somebody does not read', () => {
  const { pressure, holds } = watch(whileReaderIsSlow);
  let waiting = 100;
  const end = pressure.begin(() => waiting);
  expect(holds()).toBe(false);
  waiting = 3_000_000;
  expect(holds()).toBe(true);
  end(true);
  expect(holds()).toBe(false);
});

it('for some calls after a pause without any', () => {
  const never = watch(afterIdle(60_000, 2));
  never.pressure.begin();
  expect(never.holds()).toBe(false);
  const { pressure, holds } = watch(afterIdle(0, 2));
  pressure.begin();
  expect([holds(), holds(), holds()]).toEqual([true, true, false]);
});

it('counts a call as ended only once', () => {
  const pressure = new Pressure();
  const end = pressure.begin();
  end(true);
  end(true);
  expect(pressure.disconnects).toBe(1);
  expect(pressure.inFlight).toBe(0);
});
