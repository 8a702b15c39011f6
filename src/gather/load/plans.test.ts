/** What is decided before a call is sent: stages, the mix and settings. */

import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../settings.ts';
import { PROFILES, drawCall, replyPieces } from './calls.ts';
import { defaultStages, planBurst, planRamp, readLoadSettings } from './plan-load.ts';
import { isTooMuch } from './tally.ts';

const MIX = {
  seed: 7,
  mix: { plain: 4, stream: 4, list: 1, refusal: 1 },
  disconnects: 0.05,
  violations: [{ temperature: 2.5 }, { top_p: -0.5 }],
};

describe('The ramp', () => {
  it.each([
    [64, [1, 4, 16, 64]],
    [10, [1, 4, 10]],
    [1, [1]],
  ])('to %i has powers of four', (concurrency, stages) => {
    expect(defaultStages(concurrency)).toEqual(stages);
  });

  it('begins alone, and gives half of the time to the highest stage', () => {
    const stages = planRamp({ concurrency: 64, duration: 60_000, stages: [4, 16] });
    expect(stages.map(({ inFlight, least }) => [inFlight, least])).toEqual([
      [1, 15_000],
      [4, 15_000],
      [16, 30_000],
    ]);
    expect(stages.every(({ least, most }) => most === 2 * least)).toBe(true);
  });

  it('never plans more calls than are allowed', () => {
    const limits = { duration: 60_000, mostCalls: 100 };
    const all = [...planRamp({ concurrency: 64, stages: [], ...limits }), planBurst(64, limits)];
    expect(all.reduce((sum, { mostCalls = Infinity }) => sum + mostCalls, 0)).toBeLessThan(100);
  });

  it('goes no higher if more than half was not answered', () => {
    expect([isTooMuch(100, 49), isTooMuch(100, 50), isTooMuch(0, 0)]).toEqual([true, false, false]);
  });
});

describe('The mix', () => {
  const calls = Array.from({ length: 4_000 }, (_, number) => drawCall(MIX, 2, number));
  const share = (kind: string): number => calls.filter((call) => call.kind === kind).length / calls.length;

  it('is the same for the same seed, stage and number, and another for others', () => {
    expect(drawCall(MIX, 2, 17)).toEqual(calls[17]);
    expect(Array.from({ length: 50 }, (_, number) => drawCall({ ...MIX, seed: 8 }, 2, number))).not.toEqual(
      calls.slice(0, 50),
    );
  });

  it('has the shares that were asked for', () => {
    expect(
      [share('plain'), share('stream'), share('list'), share('refusal')].map((each) => Math.round(10 * each)),
    ).toEqual([4, 4, 1, 1]);
  });

  it('has clients that leave at every point, the other key, and every use of connections', () => {
    expect(new Set(calls.flatMap(({ leaves }) => leaves ?? [])).size).toBe(4);
    expect(new Set(calls.map(({ connection }) => connection)).size).toBe(3);
    expect(calls.some(({ usesOtherKey, kind }) => usesOtherKey && kind === 'list')).toBe(true);
    expect(calls.filter(({ violation }) => violation).every(({ kind }) => kind === 'refusal')).toBe(true);
  });
});

it('A slow reader asks for 8 MiB in fewer than 20,000 events', () => {
  const pieces = replyPieces('bavodigulo', 'huge');
  expect(pieces.join('').length).toBeGreaterThan(8 * 1024 * 1024);
  expect(PROFILES.huge.pieces).toBeLessThan(20_000);
});

describe('Settings', () => {
  const read = (load: Partial<(typeof DEFAULT_SETTINGS)['load']>) =>
    readLoadSettings({ concurrency: 64, load: { ...DEFAULT_SETTINGS.load, ...load } });

  it('are read with their defaults', () => {
    expect(read({})).toEqual({ stages: [], mix: MIX.mix, disconnects: 0.05, budgets: [] });
    expect(read({ budgets: ['end.p99@16=5s'] }).budgets).toEqual([
      { time: 'end', quantile: 'p99', most: 5_000, inFlight: 16 },
    ]);
  });

  it.each([
    [{ stages: ['0'] }, '--stages has "0": it must be a list of numbers from 1 to 256.'],
    [{ stages: ['128'] }, '--stages has 128, above --concurrency 64: raise --concurrency.'],
    [{ mix: ['plain'] }, '--mix has "plain"'],
    [{ mix: ['list=1'] }, '--mix has no plain calls and no streams'],
    [{ budgets: ['end.p75=1s'] }, '--budget is "end.p75=1s"'],
    [{ budgets: ['end.p50=1'] }, '--budget is "end.p50=1"'],
  ])('%j are refused with a sentence', (load, message) => {
    expect(() => read(load)).toThrow(message);
  });
});
