/** Smaller values: numbers nearer to what is usual, shorter texts, and JSON with less inside. The boldest come first. */
import type { Range } from '../contract/contract.ts';
import { isObject, type Json } from '../json.ts';

/**
 * A smaller value. `way` names what was done: a way that did not keep the failure is not tried again soon, so that one
 * which may do so later has its size in its name.
 */
export interface SmallerValue<Value> {
  readonly way: string;
  readonly value: Value;
}

/** Parts that are taken off, the largest first. */
const PARTS = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

/** What to take off so many. */
export function cutsOf(size: number): readonly number[] {
  return PARTS.map((part) => Math.floor(size / part)).filter((cut) => cut > 0);
}

/** Below so many characters, each of them is tried. */
const FEW = 16;
/** Above it, the length itself may be the reason. */
const LONG = 300;
/** Characters of the word that no other request has, with a space. */
const LONGEST_WORD = 11;
const isEven = (text: string): boolean => /^x*$/.test(text);

export function shorterTexts(text: string): readonly SmallerValue<string>[] {
  const plain = text.replaceAll(/ ?\$\{word\} ?/g, '');
  if (plain !== text) {
    // The word may be what makes it too long.
    const even = plain.length > LONG ? [{ way: 'even', value: 'x'.repeat(plain.length + LONGEST_WORD) }] : [];
    return [{ way: 'no word', value: plain }, ...even].filter(({ value }) => value !== '');
  }
  if (isEven(text)) return cutsOf(text.length).map((cut, at) => ({ way: `part ${at}`, value: text.slice(cut) }));
  const points = Array.from(text);
  const size = points.length;
  const isFew = size <= FEW;
  const parts = cutsOf(size).flatMap((cut) => [points.slice(0, size - cut), points.slice(cut)]);
  const single = size > 2 && isFew ? points.map((_, index) => points.toSpliced(index, 1)) : [];
  return [
    ...(size > LONG ? [{ way: 'even', value: 'x'.repeat(text.length) }] : []),
    ...parts.map((part, at) => ({ way: isFew ? `cut ${at}` : `cut ${at} of ${size}`, value: part.join('') })),
    ...single.map((part, at) => ({ way: `character ${at}`, value: part.join('') })),
  ].filter(({ value }) => value !== '');
}

/** Nothing, what is inside, and the same with one thing less inside. */
export function simplerJson(value: Json): readonly SmallerValue<Json>[] {
  const size = JSON.stringify(value).length;
  return [0, ...insideOf(value), ...lessInside(value)]
    .filter((simple) => (simple === 0 ? value !== 0 : JSON.stringify(simple).length < size))
    .map((simple, at) => ({ way: at === 0 ? 'nothing' : `less ${at} of ${size}`, value: simple }));
}

function insideOf(value: Json): readonly Json[] {
  return isObject(value) || Array.isArray(value) ? (Object.values(value) as readonly Json[]) : [];
}

function lessInside(value: Json): readonly Json[] {
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    return list.flatMap((item, index) => [
      list.toSpliced(index, 1),
      ...[...insideOf(item), ...lessInside(item)].map((less) => list.with(index, less)),
    ]);
  }
  if (!isObject(value)) return [];
  const members = Object.entries(value);
  return members.flatMap(([name, item], index) => [
    Object.fromEntries(members.toSpliced(index, 1)),
    ...[...insideOf(item), ...lessInside(item)].map((less) => ({ ...value, [name]: less })),
  ]);
}

/** Numbers within the range become round, then small; those beyond it come nearer to the edge. */
export function simplerNumbers(value: number, range: Range, isInteger: boolean): readonly SmallerValue<number>[] {
  const { minimum = -Infinity, maximum = Infinity } = range;
  const numbers =
    value > maximum
      ? nearer(value - maximum, isInteger).map(([way, far]) => [way, round(maximum + far)] as const)
      : value < minimum
        ? nearer(minimum - value, isInteger).map(([way, far]) => [way, round(minimum - far)] as const)
        : rounder(value, Number.isFinite(minimum) ? minimum : 0, isInteger);
  return numbers.filter(([, simple]) => simple !== value).map(([way, simple]) => ({ way, value: simple }));
}

type Step = readonly [way: string, number: number];

/** Sums of decimals have an end that nobody wrote. */
function round(value: number): number {
  return Number(value.toPrecision(12));
}

/** A distance beyond the edge: one, then powers of ten, then down to the least that still fails. */
function nearer(distance: number, isInteger: boolean): readonly Step[] {
  if (distance < 1) return isInteger ? [] : [['one', 1], ...(distance < 0.1 ? [['tenth', 0.1] as const] : [])];
  const most = Math.floor(Math.log10(distance));
  const powers = [...cutsOf(most).map((cut) => most - cut), most].filter((power) => 10 ** power < distance);
  return [['one', 1], ...powers.map((power): Step => [`power ${power}`, 10 ** power]), ...lower(Math.floor(distance))];
}

/** Units of a decimal in which the least that still fails is sought in the end. */
const FINEST = 100;

/** A number within the range: with fewer decimals, then less. */
function rounder(value: number, least: number, isInteger: boolean): readonly Step[] {
  const decimals = [0, 1, 2, 3].find((count) => round(value * 10 ** count) % 1 === 0);
  const rounded = [0, 1, 2, 3].slice(0, decimals ?? 4).map((count): Step => {
    const unit = 10 ** count;
    return [`${count} decimals`, count === 0 ? Math.trunc(value) : round(Math.round(value * unit) / unit)];
  });
  if (decimals === undefined || decimals > 2) return rounded;
  const units = isInteger ? [1] : [...new Set([10 ** decimals, FINEST])];
  const less = units.flatMap((unit) =>
    lower(Math.round((value - least) * unit)).map(([way, above]): Step => [
      `${way} of ${unit}`,
      round(least + above / unit),
    ]),
  );
  return [...rounded, ...less];
}

/** Whole numbers below, so that the least that still fails is found in a few steps. */
function lower(value: number): readonly Step[] {
  return cutsOf(value).map((cut, at): Step => [`part ${at}`, value - cut]);
}
