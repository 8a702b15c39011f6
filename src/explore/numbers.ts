/** Numbers at, near and between the edges of a range, and other spellings of them. */
import fc from 'fast-check';
import type { Range } from '../contract/contract.ts';

/** Above it, the contract does not promise an answer: few models generate as much. */
export const MOST_TOKENS = 4096;

/** A prime, so that a share of it has as many decimals as are asked for. */
const PARTS = 999_983;

/** Between two numbers, with so many decimals. */
const between = (from: number, to: number): fc.Arbitrary<number> =>
  fc.tuple(fc.integer({ min: 0, max: PARTS }), fc.constantFrom(1, 2, 3, 7, 15)).map(([share, decimals]) => {
    const value = Number((from + ((to - from) * share) / PARTS).toFixed(decimals));
    return Math.min(to, Math.max(from, value));
  });

/** What people write. */
const ROUND = [0.1, 0.2, 0.5, 0.7, 0.9, 1, 1.5];

/** Both edges included. */
export function numberWithin({ minimum = -1000, maximum = 1000 }: Range): fc.Arbitrary<number> {
  const width = maximum - minimum;
  const near = [minimum + width / 1000, minimum + width / 40, maximum - width / 1000, maximum - width / 40];
  return fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(minimum, maximum) },
    { weight: 2, arbitrary: fc.constantFrom(...ROUND.filter((value) => value > minimum && value < maximum), maximum) },
    { weight: 2, arbitrary: fc.constantFrom(...near.map((value) => Number(value.toFixed(6)))) },
    { weight: 4, arbitrary: between(minimum, maximum) },
    { weight: 1, arbitrary: between(minimum, minimum + width / 4) },
    { weight: 1, arbitrary: between(maximum - width / 2, maximum) },
  );
}

/** Few tokens more often than many: somebody pays for them. */
export function integerWithin({ minimum = 0, maximum = MOST_TOKENS }: Range): fc.Arbitrary<number> {
  const upTo = (most: number): fc.Arbitrary<number> =>
    fc.integer({ min: minimum, max: Math.max(minimum, Math.min(maximum, most)) });
  const usual = [10, 32, 50, 64, 100, 128, 200, 500, 512];
  const edges = [minimum, minimum + 1, 255, 256, 257, 1000, 1024, 2048, MOST_TOKENS - 1, MOST_TOKENS, maximum];
  const within = [...usual, ...edges].filter((value) => value >= minimum && value <= Math.min(maximum, MOST_TOKENS));
  return fc.oneof(
    { weight: 6, arbitrary: upTo(16) },
    { weight: 4, arbitrary: upTo(64) },
    { weight: 1, arbitrary: upTo(512) },
    { weight: 2, arbitrary: fc.constantFrom(...within) },
  );
}

/** The least distance from an edge of v1: single precision still tells the two apart. */
const HAIR = 0.000_01;
/** Whoever states a limit of their own may count in tenths. */
const TENTH = 0.1;

/** A hair beyond an edge, and far beyond. `isOwn`: the edge is not that of v1. */
export function numberBeyond(edge: number, sign: 1 | -1, isOwn: boolean): fc.Arbitrary<number> {
  const hairs = isOwn ? [TENTH, 0.5] : [HAIR, 0.001, 0.01, 0.04, TENTH, 0.5];
  return fc
    .oneof(fc.constantFrom(...hairs), fc.constantFrom(1, 2, 10, 98), fc.constantFrom(1000, 1_000_000, 1e15, 1e39))
    .map((distance) => Number((edge + sign * distance).toFixed(6)));
}

export function integerBeyond(edge: number, sign: 1 | -1): fc.Arbitrary<number> {
  return fc.constantFrom(1, 1, 2, 10, 1000, 2_147_483_647, 1_000_000_000_000).map((distance) => edge + sign * distance);
}

/** Ways to write a number that mean the same (RFC 8259, 6). */
const WAYS: readonly ((value: number) => string)[] = [
  (value) => (Number.isInteger(value) ? `${value}.0` : `${value}0`),
  (value) => (Number.isInteger(value) ? `${value}.000` : `${value}00`),
  (value) => `${value}e0`,
  (value) => `${value}E+0`,
  (value) => `${Number((value * 10).toPrecision(12))}e-1`,
];

export function spelledNumber(value: number): fc.Arbitrary<string> {
  const texts = WAYS.map((way) => way(value)).filter((text) => Number(text) === value && !/e.*e/i.test(text));
  return fc.constantFrom(String(value), ...texts);
}
