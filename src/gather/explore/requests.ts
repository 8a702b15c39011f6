/**
 * Arbitrary requests within the contract, made from its schemas: a field that a profile adds is drawn without code. Then those
 * with unknown fields, those that the contract does not promise to take, and those with one violation.
 */
import fc from 'fast-check';
import type { Contract, JsonSchema, Range } from '../../contract/contract.ts';
import { isObject, type Json, type JsonObject } from '../../json.ts';
import { type Spelling, SPELLINGS } from '../../suite/case.ts';
import { type DrawnRequest, messagesIn, MISTAKES } from './drawn-request.ts';
import { fieldsOf, messageSchema, resolve } from './request-schema.ts';
import { changeMessage, plainly, withBody, withMessages, without } from './change-request.ts';
import { MOST_TOKENS } from './classify.ts';
import { briefText, isWellFormed, oneOf, openText, ordinaryText } from './texts.ts';
import { loadContract } from '../../contract/read-contract.ts';

/** How often a list has at least so many items, and at most so many. */
const LENGTHS = [
  [7, 1, 1],
  [6, 2, 3],
  [4, 4, 6],
  [3, 7, 12],
  [1, 13, 32],
] as const;
/** The texts of a list with more items than this are brief: a body is small. */
const FEW = 12;

/** `text`: what a string is. */
function arbitraryOf(given: JsonSchema, contract: Contract, text = ordinaryText): fc.Arbitrary<Json> {
  const schema = resolve(given, contract);
  if (schema.enum) return fc.constantFrom(...(schema.enum as readonly Json[]));
  if (schema.const !== undefined) return fc.constant(schema.const as Json);
  const [type = 'string'] = [schema.type ?? 'string'].flat();
  if (type === 'integer') return integerWithin(schema);
  if (type === 'number') return numberWithin(schema);
  if (type === 'boolean') return fc.boolean();
  if (type === 'array') return arrayOf(schema.items ?? {}, contract);
  return type === 'object' ? objectOf(schema, contract, text) : text;
}

function arrayOf(items: JsonSchema, contract: Contract): fc.Arbitrary<Json> {
  const listOf = (minLength: number, maxLength: number): fc.Arbitrary<Json> =>
    fc.array(arbitraryOf(items, contract, maxLength > FEW ? briefText : ordinaryText), { minLength, maxLength });
  return oneOf(...LENGTHS.map(([weight, min, max]) => [weight, listOf(min, max)] as const));
}

function objectOf(schema: JsonSchema, contract: Contract, text: fc.Arbitrary<string>): fc.Arbitrary<Json> {
  const { properties = {}, required = [] } = schema;
  const members = Object.entries(properties).map(([name, member]) => [name, arbitraryOf(member, contract, text)]);
  return fc.record(Object.fromEntries(members) as Record<string, fc.Arbitrary<Json>>, {
    requiredKeys: [...required],
    noNullPrototype: true,
  });
}

/** Shares of requests that have an optional field, in per cent. Without a limit, the model decides what a reply costs. */
const SHARES: Readonly<Record<string, number>> = { max_tokens: 88, stream: 55 };
const USUAL_SHARE = 45;

/** The field, or nothing. */
function sometimes(name: string, value: fc.Arbitrary<Json>): fc.Arbitrary<(readonly [string, Json])[]> {
  const share = SHARES[name] ?? USUAL_SHARE;
  return oneOf([share, value.map((drawn) => [[name, drawn] as const])], [100 - share, fc.constant([])]);
}

/** `${word}`: no cache answers instead of the model, and a reply with the word of another request is not its own. */
function withWord(request: DrawnRequest, place: number): DrawnRequest {
  // One in four has none, so that a text may also begin or end with anything.
  if (place % 4 === 3) return request;
  return changeMessage(request, Math.floor(place / 4), (message) => {
    const text = message['content'] as string;
    return { ...message, content: place % 2 === 0 ? `${text} \${word}` : `\${word} ${text}` };
  });
}

const SPELLED = SPELLINGS.filter((name) => name !== 'header-names');
const spelled = oneOf<readonly Spelling[]>([7, fc.constant([])], [3, fc.subarray(SPELLED, { minLength: 1 })]);

/** `added`: what is sent with every request. */
export function validRequest(contract: Contract, added: JsonObject): fc.Arbitrary<DrawnRequest> {
  const { required } = contract.rules;
  const fields = [...fieldsOf(contract)].filter(([name]) => name !== 'model' && name !== 'messages');
  const messages = fieldsOf(contract).get('messages') ?? {};
  const optional = fields.map(([name, schema]) => {
    const value = arbitraryOf(schema, contract);
    return required.includes(name) ? value.map((drawn) => [[name, drawn] as const]) : sometimes(name, value);
  });
  const request = fc
    .tuple(arbitraryOf(messages, contract), fc.nat(1000), ...optional)
    .map(([list, place, ...drawn]) => {
      const members = Object.fromEntries(drawn.flat());
      return withWord(plainly({ model: '${model}', messages: list, ...members, ...added }), place);
    });
  const numbers = fields.flatMap(([name, { type }]) => (type === 'number' ? [name] : []));
  return fc
    .tuple(request, spelled)
    .chain(([drawn, spellings]) =>
      writtenNumbers(drawn.body, numbers).map((written) => ({ body: drawn.body, written, spellings })),
    );
}

/** Other spellings of numbers: only where the contract has no integer. */
function writtenNumbers(body: JsonObject, names: readonly string[]): fc.Arbitrary<Readonly<Record<string, string>>> {
  const texts = names.flatMap((name) => {
    const value = body[name];
    return typeof value === 'number' ? [spelledNumber(value).map((text) => [name, text] as const)] : [];
  });
  return fc
    .tuple(fc.nat(2), ...texts)
    .map(([chance, ...entries]) =>
      chance > 0 ? {} : Object.fromEntries(entries.filter(([name, text]) => text !== JSON.stringify(body[name]))),
    );
}

/** A prime, so that a share of it has as many decimals as are asked for. */
const PARTS = 999_983;

/** A number between two others, with few decimals or many. */
const between = (from: number, to: number): fc.Arbitrary<number> =>
  fc.tuple(fc.integer({ min: 0, max: PARTS }), fc.constantFrom(1, 2, 3, 7, 15)).map(([share, decimals]) => {
    const value = Number((from + ((to - from) * share) / PARTS).toFixed(decimals));
    return Math.min(to, Math.max(from, value));
  });

/** What people write. */
const ROUND = [0.1, 0.2, 0.5, 0.7, 0.9, 1, 1.5];

/** Both edges included. */
function numberWithin({ minimum = -1000, maximum = 1000 }: Range): fc.Arbitrary<number> {
  const width = maximum - minimum;
  const near = [minimum + width / 1000, minimum + width / 40, maximum - width / 1000, maximum - width / 40];
  return oneOf(
    [2, fc.constantFrom(minimum, maximum)],
    [2, fc.constantFrom(...ROUND.filter((value) => value > minimum && value < maximum), maximum)],
    [2, fc.constantFrom(...near.map((value) => Number(value.toFixed(6))))],
    [4, between(minimum, maximum)],
    [1, between(minimum, minimum + width / 4)],
    [1, between(maximum - width / 2, maximum)],
  );
}

/** Few tokens more often than many: somebody pays for them. */
function integerWithin({ minimum = 0, maximum = MOST_TOKENS }: Range): fc.Arbitrary<number> {
  const upTo = (most: number): fc.Arbitrary<number> =>
    fc.integer({ min: minimum, max: Math.max(minimum, Math.min(maximum, most)) });
  const usual = [10, 32, 50, 64, 100, 128, 200, 500, 512];
  const edges = [minimum, minimum + 1, 255, 256, 257, 1000, 1024, 2048, MOST_TOKENS - 1, MOST_TOKENS, maximum];
  const within = [...usual, ...edges].filter((value) => value >= minimum && value <= Math.min(maximum, MOST_TOKENS));
  return oneOf([6, upTo(16)], [4, upTo(64)], [1, upTo(512)], [2, fc.constantFrom(...within)]);
}

/** The least distance from an edge of v1: single precision still tells the two apart. */
const HAIR = 0.000_01;
/** Whoever states a limit of their own may count in tenths. */
const TENTH = 0.1;

/** Ways to write a number that mean the same (RFC 8259, 6). */
const WAYS: readonly ((value: number) => string)[] = [
  (value) => (Number.isInteger(value) ? `${value}.0` : `${value}0`),
  (value) => (Number.isInteger(value) ? `${value}.000` : `${value}00`),
  (value) => `${value}e0`,
  (value) => `${value}E+0`,
  (value) => `${Number((value * 10).toPrecision(12))}e-1`,
];

function spelledNumber(value: number): fc.Arbitrary<string> {
  const texts = WAYS.map((way) => way(value)).filter((text) => Number(text) === value && !/e.*e/i.test(text));
  return fc.constantFrom(String(value), ...texts);
}

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
export const UNKNOWN_PREFIX = 'x_wirecheck_';
export const isUnknownName = (name: string): boolean => name.startsWith(UNKNOWN_PREFIX);
const unknownName = fc.constantFrom(...ENDS).map((end) => `${UNKNOWN_PREFIX}${end}`);

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

const unknownValue = oneOf<Json>(
  [1, fc.constant(null)],
  [4, fc.constantFrom<Json>(...FLAT, LONG)],
  [4, fc.constantFrom(...NESTED)],
  [3, nested],
);

const NAMES: Readonly<Record<string, RegExp>> = {
  'name with a dot': /\./,
  'name with a dash': /-/,
  'name with a capital': /[A-Z]/,
  'name with a space': / /,
  'name beyond ASCII': /[^ -~]/,
  'long name': /^.{36}/,
};

/** By its JSON. */
const VALUES: Readonly<Record<string, RegExp>> = {
  null: /^null$/,
  true: /^true$/,
  false: /^false$/,
  zero: /^0$/,
  integer: /^[1-9]\d{0,14}$/,
  'negative integer': /^-\d{1,15}$/,
  'large number': /^-?\d{16}|^\d+e/,
  fraction: /^\d+\.\d+$/,
  'negative fraction': /^-\d+\.\d+$/,
  'empty text': /^""$/,
  text: /^"[ -~]{1,100}"$/,
  'text beyond ASCII': /^".*[^ -~].*"$/,
  'long text': /^".{101}/,
  'null inside': /^[[{].*null/,
  'empty name inside': /^[[{].*"":/,
};

const matching = (text: string, kinds: Readonly<Record<string, RegExp>>): readonly string[] =>
  Object.keys(kinds).filter((kind) => kinds[kind]?.test(text));

export function unknownKinds(name: string, value: Json): readonly string[] {
  const kinds = [...matching(name, NAMES), ...matching(JSON.stringify(value), VALUES)];
  if (typeof value !== 'object' || value === null) return kinds;
  const type = Array.isArray(value) ? 'list' : 'object';
  const inside = insideOf(value);
  const depth = depthOf(value);
  const extent = inside.length === 0 ? ', empty' : depth > 4 ? ', very deep' : depth > 2 ? ', deep' : '';
  const ofObjects = type === 'list' && inside.some(isObject) ? ['list of objects'] : [];
  return [...kinds, `${type}${extent}`, ...ofObjects];
}

export const insideOf = (value: Json): readonly Json[] =>
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

/** Unknown fields are at the top, in messages, or both; up to three. */
export function tolerantRequest(valid: fc.Arbitrary<DrawnRequest>): fc.Arbitrary<DrawnRequest> {
  const field = fc.tuple(unknownName, unknownValue, fc.nat(1000));
  return fc
    .tuple(valid, fc.array(field, { minLength: 1, maxLength: 3 }))
    .map(([request, fields]) => fields.reduce(withUnknown, request));
}

function withUnknown(request: DrawnRequest, [name, value, place]: readonly [string, Json, number]): DrawnRequest {
  // Before all others, after them, or in a message.
  if (place % 6 === 0) return withBody(request, { [name]: value, ...request.body });
  if (place % 2 === 0) return withBody(request, { ...request.body, [name]: value });
  return changeMessage(request, place >> 1, (message) => ({ ...message, [name]: value }));
}

/** Bytes of a large body, and the most messages. */
const LARGE = { min: 2_500, max: 20_000 };
const MANY = { min: 51, max: 120 };

export function openRequest(valid: fc.Arbitrary<DrawnRequest>, contract: Contract): fc.Arbitrary<DrawnRequest> {
  const optional = [...fieldsOf(contract).keys()].filter((field) => !contract.rules.required.includes(field));
  const withText = fc.tuple(valid, openText, fc.nat(1000)).map(([request, text, place]) => {
    // A model that repeats half a character would break its own stream.
    const whole = isWellFormed(text) ? request : withBody(request, without(request.body, 'stream'));
    return changeMessage(whole, place, (message) => ({ ...message, content: text }));
  });
  const withNull = fc
    .tuple(valid, fc.constantFrom(...optional))
    .map(([request, field]) => withBody(request, { ...without(request.body, field), [field]: null }));
  const withMany = fc.tuple(valid, fc.integer(MANY)).map(([request, count]) => {
    const lines = Array.from({ length: count }, (_, index) => ({ role: 'user', content: `Line ${index}.` }));
    return withMessages(request, lines);
  });
  const withLarge = fc.tuple(valid, fc.integer(LARGE)).map(([request, size]) => {
    const content = 'The sea is wide. '.repeat(size).slice(0, size - 300);
    return withMessages(request, [{ role: 'user', content }, ...messagesIn(request).slice(0, 1)]);
  });
  const withTokens = fc
    .tuple(valid, fc.constantFrom(MOST_TOKENS + 1, 8192, 65_536, 2_147_483_648))
    .map(([request, tokens]) => withBody(request, { ...request.body, max_tokens: tokens }));
  return oneOf(
    [4, withText],
    [1, valid.map((request) => withMessages(request, []))],
    [2, withNull],
    [1, withMany],
    [2, withLarge],
    [1, withTokens],
  );
}

/** A valid request with exactly one violation that is a must. */
export function invalidRequest(proper: fc.Arbitrary<DrawnRequest>, contract: Contract): fc.Arbitrary<DrawnRequest> {
  const valid = oneOf([7, proper], [1, tolerantRequest(proper)]);
  const limits = [...fieldsOf(contract)].flatMap(([field, schema]) => beyond(field, schema, contract));
  const setting = limits.map((value) =>
    fc.tuple(valid, value).map(([request, members]) => {
      const rest = Object.keys(members).reduce(without<Json>, request.body);
      return withBody({ ...request, written: {} }, { ...rest, ...members });
    }),
  );
  const lacking = contract.rules.required.map((field) =>
    valid.map((request) => withBody(request, without(request.body, field))),
  );
  const inMessage = fc
    .tuple(valid, fc.constantFrom(...(messageSchema(contract).required ?? [])), fc.nat(1000))
    .map(([request, field, place]) => changeMessage(request, place, (message) => without(message, field)));
  const mistaken = fc
    .tuple(valid, fc.nat(MISTAKES.length - 1))
    .map(([{ body }, mistake]) => ({ ...plainly(body), mistake }));
  return oneOf(
    ...setting.map((arbitrary) => [4, arbitrary] as const),
    ...lacking.map((arbitrary) => [2, arbitrary] as const),
    [6, inMessage],
    [4, mistaken],
  );
}

/** Values beyond the edges of a field, a hair and far, each as the field with its value. */
function beyond(field: string, { type }: JsonSchema, contract: Contract): readonly fc.Arbitrary<JsonObject>[] {
  const limits = contract.rules.limits[field];
  const usual = loadContract().rules.limits[field];
  return (['minimum', 'maximum'] as const).flatMap((side) => {
    const edge = limits?.[side];
    if (edge === undefined) return [];
    const hairs = edge === usual?.[side] ? [HAIR, 0.001, 0.01, 0.04, TENTH, 0.5] : [TENTH, 0.5];
    const far = fc.constantFrom(1000, 1_000_000, 1e15, 1e39);
    const distances =
      type === 'integer'
        ? fc.constantFrom(1, 1, 2, 10, 1000, 2_147_483_647, 1_000_000_000_000)
        : fc.oneof(fc.constantFrom(...hairs), fc.constantFrom(1, 2, 10, 98), far);
    const sign = side === 'minimum' ? -1 : 1;
    return [distances.map((distance) => ({ [field]: Number((edge + sign * distance).toFixed(6)) }))];
  });
}
