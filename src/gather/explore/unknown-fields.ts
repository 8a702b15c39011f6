/** Fields that the contract does not have: names and values to draw, and how to tell them apart. */
import fc from 'fast-check';
import { isObject, type Json, type JsonObject } from '../../json.ts';

/** No wider format uses such names. */
const ENDS = [
  'a',
  'note',
  'Länge',
  'deep_one',
  'x-y',
  '0',
  'v1.2',
  'Name',
  'with space',
  'a_name_that_is_longer_than_most',
];
const UNKNOWN_PREFIX = 'x_wirecheck_';
export const isUnknownName = (name: string): boolean => name.startsWith(UNKNOWN_PREFIX);
export const unknownName: fc.Arbitrary<string> = fc.constantFrom(...ENDS).map((end) => `${UNKNOWN_PREFIX}${end}`);

const FLAT: readonly Json[] = [true, false, 0, 1, -1.5, -7, 0.25, 1e21, -(2 ** 63), '', 'text', 'Grüße 🌊'];
const LONG = 'A note that says more than most. '.repeat(6);
const NESTED: readonly Json[] = [
  { a: { b: { c: 1 } } },
  [[[1]]],
  { a: [{ b: null }] },
  [{ a: 1 }, { a: 2 }],
  {},
  [],
  [null],
  [1, 'a', true],
  { '': 1 },
  { a: { b: { c: { d: { e: 1 } } } } },
  [[[[[1]]]]],
];

const { value: nested } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    fc.constantFrom<Json>(null, ...FLAT),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'ключ', ''), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

export const unknownValue: fc.Arbitrary<Json> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Json>(null) },
  { weight: 4, arbitrary: fc.constantFrom<Json>(...FLAT, LONG) },
  { weight: 4, arbitrary: fc.constantFrom<Json>(...NESTED) },
  { weight: 3, arbitrary: nested },
);

const NAMES: Readonly<Record<string, RegExp>> = {
  'name with a dot': /\./,
  'name with a dash': /-/,
  'name with a capital': /[A-Z]/,
  'name with a space': / /,
  'name beyond ASCII': /[^ -~]/,
  'long name': /^.{36}/,
};

export function unknownKinds(name: string, value: Json): readonly string[] {
  return [...Object.keys(NAMES).filter((kind) => NAMES[kind]?.test(name)), ...valueKinds(value)];
}

function valueKinds(value: Json): readonly string[] {
  if (value === null || typeof value === 'boolean') return [String(value)];
  if (typeof value === 'number') return [numberKind(value)];
  if (typeof value === 'string') return [textKind(value)];
  const depth = depthOf(value);
  const inside = insideOf(value);
  return [
    `${Array.isArray(value) ? 'list' : 'object'}${inside.length === 0 ? ', empty' : depth > 4 ? ', very deep' : depth > 2 ? ', deep' : ''}`,
    ...(Array.isArray(value) && inside.some(isObject) ? ['list of objects'] : []),
    ...(JSON.stringify(value).includes('null') ? ['null inside'] : []),
    ...(JSON.stringify(value).includes('"":') ? ['empty name inside'] : []),
  ];
}

function numberKind(value: number): string {
  if (value === 0) return 'zero';
  if (Math.abs(value) > 2 ** 50) return 'large number';
  return `${value < 0 ? 'negative ' : ''}${Number.isInteger(value) ? 'integer' : 'fraction'}`;
}

function textKind(value: string): string {
  if (value === '') return 'empty text';
  return value.length > 100 ? 'long text' : /[^ -~]/.test(value) ? 'text beyond ASCII' : 'text';
}

const insideOf = (value: Json): readonly Json[] =>
  typeof value === 'object' && value !== null ? Object.values(value as JsonObject) : [];

/** 0 of what has nothing inside. */
function depthOf(value: Json): number {
  return typeof value === 'object' && value !== null ? 1 + Math.max(0, ...insideOf(value).map(depthOf)) : 0;
}

/** A place in a request: all unknown fields beside each other are one, whatever is in them. */
export function placeOfUnknown(pointer: string): string {
  const [before = '', ...more] = pointer.split(`/${UNKNOWN_PREFIX}`);
  return more.length === 0 ? pointer : `${before}/${UNKNOWN_PREFIX}*`;
}

/** The members that the contract has. */
export function withoutUnknown(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !isUnknownName(name)));
}
