/** Arbitrary requests within the contract, made from its schemas: a field that a profile adds is drawn without code. */
import fc from 'fast-check';
import type { Contract, JsonSchema, Range } from '../../contract/contract.ts';
import type { Json, JsonObject } from '../../json.ts';
import { type Spelling, SPELLINGS } from '../../suite/case.ts';
import { type DrawnRequest, fieldsOf, requestSchema, resolve } from './drawn-request.ts';
import { briefText, ordinaryText } from './texts.ts';

/** How many items, and how often. */
const LENGTHS = [
  { weight: 7, min: 1, max: 1 },
  { weight: 6, min: 2, max: 3 },
  { weight: 4, min: 4, max: 6 },
  { weight: 3, min: 7, max: 12 },
  { weight: 1, min: 13, max: 32 },
];
/** The texts of a list with more items than this are brief: a body is small. */
const FEW = 12;

/** `text`: what a string is. */
function arbitraryOf(given: JsonSchema, contract: Contract, text = ordinaryText): fc.Arbitrary<Json> {
  const schema = resolve(given, contract);
  if (schema.enum) return fc.constantFrom(...(schema.enum as readonly Json[]));
  if (schema.const !== undefined) return fc.constant(schema.const as Json);
  const [type = 'string'] = [schema.type ?? 'string'].flat();
  switch (type) {
    case 'integer':
      return integerWithin(schema);
    case 'number':
      return numberWithin(schema);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return arrayOf(schema.items ?? {}, contract);
    case 'object':
      return objectOf(schema, contract, text);
    default:
      return text;
  }
}

function arrayOf(items: JsonSchema, contract: Contract): fc.Arbitrary<Json> {
  return fc.oneof(
    ...LENGTHS.map(({ weight, min, max }) => ({
      weight,
      arbitrary: fc.array(arbitraryOf(items, contract, max > FEW ? briefText : ordinaryText), {
        minLength: min,
        maxLength: max,
      }),
    })),
  );
}

function objectOf(
  { properties = {}, required = [] }: JsonSchema,
  contract: Contract,
  text: fc.Arbitrary<string>,
): fc.Arbitrary<Json> {
  const members = Object.entries(properties).map(([name, schema]) => [name, arbitraryOf(schema, contract, text)]);
  return fc.record(Object.fromEntries(members) as Record<string, fc.Arbitrary<Json>>, {
    requiredKeys: Object.keys(properties).filter((name) => required.includes(name)),
    noNullPrototype: true,
  });
}

/** Shares of requests that have an optional field, in per cent. Without a limit, the model decides what a reply costs. */
const SHARES: Readonly<Record<string, number>> = { max_tokens: 88, stream: 55 };
const USUAL_SHARE = 45;

/** The field, or nothing. */
function sometimes(name: string, value: fc.Arbitrary<Json>): fc.Arbitrary<readonly (readonly [string, Json])[]> {
  const share = SHARES[name] ?? USUAL_SHARE;
  return fc.oneof(
    { weight: share, arbitrary: value.map((drawn): readonly (readonly [string, Json])[] => [[name, drawn]]) },
    { weight: 100 - share, arbitrary: fc.constant([]) },
  );
}

/** `${word}`: no cache answers instead of the model, and a reply with the word of another request is not its own. */
function withWord(messages: Json, place: number): Json {
  const list = messages as readonly JsonObject[];
  const [index, isLast] = [Math.floor(place / 4) % list.length, place % 2 === 0];
  // One in four has none, so that a text may also begin or end with anything.
  if (place % 4 === 3) return messages;
  return list.map((message, at) => {
    const text = message['content'] as string;
    return at === index ? { ...message, content: isLast ? `${text} \${word}` : `\${word} ${text}` } : message;
  });
}

const spelled: fc.Arbitrary<readonly Spelling[]> = fc.oneof(
  { weight: 7, arbitrary: fc.constant([]) },
  {
    weight: 3,
    arbitrary: fc.subarray(
      SPELLINGS.filter((name) => name !== 'header-names'),
      { minLength: 1 },
    ),
  },
);

/** `added`: what is sent with every request. */
export function validRequest(contract: Contract, added: JsonObject): fc.Arbitrary<DrawnRequest> {
  const required = requestSchema(contract).required ?? [];
  const fields = [...fieldsOf(contract)].filter(([name]) => name !== 'model' && name !== 'messages');
  const messages = fieldsOf(contract).get('messages') ?? {};
  const members = fields.map(([name, schema]) => {
    const value = arbitraryOf(schema, contract);
    return required.includes(name) ? value.map((drawn) => [[name, drawn] as const]) : sometimes(name, value);
  });
  const body = fc
    .tuple(arbitraryOf(messages, contract), fc.nat(1000), ...members)
    .map(([list, place, ...drawn]): JsonObject => ({
      model: '${model}',
      messages: withWord(list, place),
      ...Object.fromEntries(drawn.flat()),
      ...added,
    }));
  const numbers = fields.flatMap(([name, { type }]) => (type === 'number' ? [name] : []));
  return fc
    .tuple(body, spelled)
    .chain(([drawn, spellings]) =>
      writtenNumbers(drawn, numbers).map((written): DrawnRequest => ({ body: drawn, written, spellings })),
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

/** Above it, the contract does not promise an answer: few models generate as much. */
export const MOST_TOKENS = 4096;

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
function integerWithin({ minimum = 0, maximum = MOST_TOKENS }: Range): fc.Arbitrary<number> {
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

function spelledNumber(value: number): fc.Arbitrary<string> {
  const texts = WAYS.map((way) => way(value)).filter((text) => Number(text) === value && !/e.*e/i.test(text));
  return fc.constantFrom(String(value), ...texts);
}
