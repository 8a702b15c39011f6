/** Compares a described schema with the shape that the contract gives the same body. */
import { type Json, type JsonObject, type JsonType, typeOf } from '../../json.ts';
import { quoteText } from '../../text/quote.ts';
import { valueFound } from '../finding.ts';
import type { Finding } from '../verdict.ts';
import { type DescriptionReader, items, member, members, type PlacedValue, type Spot } from './reader.ts';

/** JSON types, with numbers split into integers and fractions. `other`: a type that OpenAPI does not have. */
type ValueType = 'null' | 'boolean' | 'integer' | 'fraction' | 'string' | 'array' | 'object' | 'other';
type ValueTypes = ReadonlySet<ValueType>;

const BY_NAME: Readonly<Record<string, readonly ValueType[]>> = {
  null: ['null'],
  boolean: ['boolean'],
  integer: ['integer'],
  number: ['integer', 'fraction'],
  string: ['string'],
  array: ['array'],
  object: ['object'],
};

/** A constant is an enum of one. */
function valuesOf(schema: JsonObject): readonly Json[] | undefined {
  if (Object.hasOwn(schema, 'const')) return [schema['const'] as Json];
  const values = schema['enum'];
  return Array.isArray(values) ? (values as readonly Json[]) : undefined;
}

/** Undefined if the schema allows any type. */
function typesOf(schema: JsonObject): ValueTypes | undefined {
  const named = namedTypes(schema);
  const values = valuesOf(schema);
  if (!values) return named;
  const ofValues = new Set(values.map(typeOf).map((type) => (type === 'number' ? 'fraction' : (type as ValueType))));
  return named ? new Set([...named].filter((type) => ofValues.has(type))) : ofValues;
}

/** Only `type` and `nullable` count, not enum values. */
function namedTypes(schema: JsonObject): ValueTypes | undefined {
  const { type } = schema;
  if (type === undefined) return undefined;
  // Lists of types are not in 3.0.3, but their meaning is clear. The version is judged elsewhere.
  const names = Array.isArray(type) ? (type as readonly Json[]) : [type];
  const types = new Set(
    names.flatMap((name) => (typeof name === 'string' && Object.hasOwn(BY_NAME, name) ? BY_NAME[name]! : 'other')),
  );
  // OpenAPI 3.0.3, Schema Object: `nullable` has no effect without `type`.
  return schema['nullable'] === true ? types.add('null') : types;
}

function namesOf(types: ValueTypes): readonly (JsonType | 'other')[] {
  const isNumber = types.has('fraction');
  return [...types].flatMap((type) => (type === 'fraction' ? 'number' : isNumber && type === 'integer' ? [] : type));
}

/**
 * A description may accept more in requests and promise more in answers than the contract does: both are additive
 * changes (part 9.3). The reverse is a contradiction.
 */
export type Side = 'request' | 'answer';

/** One difference between a description and the contract. */
export type Contradiction = Required<Pick<Finding, 'pointer' | 'mismatch' | 'expected' | 'actualType' | 'actual'>>;

type Scalar = null | boolean | number | string;

export interface Shape {
  readonly types: ValueTypes;
  readonly values?: readonly Scalar[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly required: readonly string[];
  readonly properties: ReadonlyMap<string, Shape>;
  readonly items?: Shape;
}

/** `place`: a schema of the contract, which has no circular references. */
export function shapeOf(reader: DescriptionReader, place: PlacedValue): Shape {
  const schema = reader.follow(place);
  const types = schema && typesOf(schema.value);
  if (!types) throw new Error(`The contract has no typed schema at ${place.pointer}.`);
  const { minimum, maximum, required, items } = schema.value;
  const values = valuesOf(schema.value) as readonly Scalar[] | undefined;
  return {
    types,
    ...(values && { values }),
    ...(typeof minimum === 'number' && { minimum }),
    ...(typeof maximum === 'number' && { maximum }),
    required: Array.isArray(required) ? required.map(String) : [],
    properties: new Map(
      [...members(member(schema, 'properties'))].map(([name, property]) => [name, shapeOf(reader, property)]),
    ),
    ...(items !== undefined && { items: shapeOf(reader, member(schema, 'items')) }),
  };
}

/** Schemas that apply at the same time: those of `allOf` are among them. */
interface Parts {
  readonly parts: readonly Spot[];
  /** False if a part could not be read, or has alternatives, which are not judged: then nothing counts as missing. */
  readonly whole: boolean;
}

/** A schema beyond these limits is not compared. */
const MAX_PARTS = 64;
const MAX_DEPTH = 32;

function partsOf(reader: DescriptionReader, places: readonly PlacedValue[]): Parts {
  const parts: Spot[] = [];
  let whole = true;
  const add = (place: PlacedValue, above: readonly string[]): void => {
    const spot = reader.spend() ? reader.follow(place) : undefined;
    const isTooMuch = parts.length >= MAX_PARTS || above.length >= MAX_DEPTH;
    if (spot && (isTooMuch || above.includes(spot.pointer))) reader.leave(place);
    else if (spot) {
      parts.push(spot);
      whole &&= !ALTERNATIVES.some((keyword) => Array.isArray(spot.value[keyword]));
      for (const part of items(member(spot, 'allOf'))) add(part, [...above, spot.pointer]);
      return;
    }
    whole = false;
  };
  for (const place of places) add(place, []);
  return { parts, whole };
}

const ALTERNATIVES = ['oneOf', 'anyOf'];

/** `places`: schemas that apply at the same time. `name`: the field that they describe, if any. */
export function compareSchemas(
  reader: DescriptionReader,
  shape: Shape,
  places: readonly PlacedValue[],
  { side, name = '' }: { readonly side: Side; readonly name?: string },
): readonly Contradiction[] {
  const read = partsOf(
    reader,
    places.filter(({ value }) => value !== undefined),
  );
  const { parts } = read;
  if (parts.length === 0 || !reader.spend(parts.length)) return [];
  // With the wrong type, range and fields are not worth comparing.
  const type = typeContradiction(shape, read, side);
  if (type) return [type];
  const below = (keyword: string): readonly PlacedValue[] => parts.map((part) => member(part, keyword));
  return [
    ...valueContradictions(reader, parts, (values) =>
      side === 'request' ? missingValues(shape, values, name) : foreignValues(shape, values),
    ),
    ...(side === 'request'
      ? [...rangeContradictions(shape, parts), ...requiredContradictions(reader, shape, read)]
      : closedContradictions(shape, parts)),
    ...[...shape.properties].flatMap(([field, fieldShape]) =>
      compareSchemas(
        reader,
        fieldShape,
        below('properties').map((properties) => member(properties, field)),
        { side, name: field },
      ),
    ),
    ...(shape.items ? compareSchemas(reader, shape.items, below('items'), { side }) : []),
  ];
}

function typeContradiction(shape: Shape, { parts, whole }: Parts, side: Side): Contradiction | undefined {
  const typed = parts.flatMap((part) => {
    // An enum that is too narrow for a request is reported as such, unless only the enum gives the type.
    const types = (side === 'request' ? namedTypes(part.value) : undefined) ?? typesOf(part.value);
    return types ? [{ part, types }] : [];
  });
  if (side === 'request') {
    const wrong = typed.find(({ types }) => !covers(types, shape.types));
    return wrong && anotherType(shape, wrong.part, wrong.types);
  }
  const [first, ...others] = typed;
  if (!first) return undefined;
  // All parts apply, so only the types that all of them allow remain.
  const types = new Set([...first.types].filter((type) => others.every((other) => other.types.has(type))));
  // Alternatives may leave out those that the contract does not have.
  const isRight = covers(shape.types, types) || (!whole && [...types].some((type) => shape.types.has(type)));
  return isRight ? undefined : anotherType(shape, first.part, types);
}

function covers(wide: ValueTypes, narrow: ValueTypes): boolean {
  return [...narrow].every((type) => wide.has(type));
}

function anotherType(shape: Shape, part: Spot, types: ValueTypes): Contradiction {
  const names = namesOf(types);
  const isNullAlone =
    part.value['nullable'] === true && [...types].every((type) => type === 'null' || shape.types.has(type));
  const keyword = isNullAlone ? 'nullable' : part.value['type'] === undefined ? 'enum' : 'type';
  return {
    pointer: member(part, keyword).pointer,
    mismatch: 'type',
    expected: { kind: 'type', types: namesOf(shape.types) },
    actualType: names.length > 1 ? 'several-types' : (names[0] ?? 'no-type'),
    actual: { kind: 'types', types: names },
  };
}

/** Model ids belong to the deployment, so listing them in an enum is fine. */
const OPEN_TO_NAMES: ReadonlySet<string> = new Set(['model']);

function valueContradictions(
  reader: DescriptionReader,
  parts: readonly Spot[],
  judge: (values: readonly Json[]) => Problem | undefined,
): readonly Contradiction[] {
  return parts.flatMap((part): readonly Contradiction[] => {
    const values = valuesOf(part.value);
    if (!values || !reader.spend(values.length)) return [];
    const problem = judge(values);
    if (problem === undefined) return [];
    const keyword = Object.hasOwn(part.value, 'const') ? 'const' : 'enum';
    const actual = valueFound(values.slice(0, MAX_VALUES));
    return [{ pointer: member(part, keyword).pointer, mismatch: 'value', ...problem, actual }];
  });
}

/** More than a finding shows. */
const MAX_VALUES = 60;

type Problem = Pick<Contradiction, 'expected' | 'actualType'>;

function missingValues(shape: Shape, values: readonly Json[], name: string): Problem | undefined {
  // All values of an enum or a boolean.
  const few = shape.values ?? (shape.types.size === 1 && shape.types.has('boolean') ? [false, true] : undefined);
  if (!few) {
    const expected = { kind: 'every-value', types: namesOf(shape.types) } as const;
    return OPEN_TO_NAMES.has(name) ? undefined : { expected, actualType: 'some-values' };
  }
  const missing = few.filter((value) => !values.includes(value));
  if (missing.length === 0) return undefined;
  return { expected: { kind: 'all-values', values: few, missing }, actualType: 'missing-values' };
}

/** An answer may have fewer values than the contract, and new ones, but must share at least one. */
function foreignValues(shape: Shape, values: readonly Json[]): Problem | undefined {
  if (!shape.values || shape.values.some((value) => values.includes(value))) return undefined;
  return { expected: { kind: 'any-of-values', values: shape.values }, actualType: 'other-values' };
}

/** Largest signed 32-bit integer. Tools write it for "no bound", and nobody asks for more tokens. */
const FAR = 2 ** 31 - 1;

/** If the contract has no bound, any bound is narrower. Lengths are not compared: part 8 leaves them open. */
function rangeContradictions(shape: Shape, parts: readonly Spot[]): readonly Contradiction[] {
  if (!shape.types.has('integer')) return [];
  const { minimum = -FAR, maximum = FAR } = shape;
  const isWhole = !shape.types.has('fraction');
  const range = { ...(shape.minimum !== undefined && { minimum }), ...(shape.maximum !== undefined && { maximum }) };
  return parts.flatMap((part) =>
    [
      ...boundsOf(part, 'minimum').filter(({ bound, isOpen }) => excludes(bound - minimum, isOpen, isWhole)),
      ...boundsOf(part, 'maximum').filter(({ bound, isOpen }) => excludes(maximum - bound, isOpen, isWhole)),
      ...stepsOf(part, isWhole),
    ].map(({ at, keyword, bound }) => ({
      pointer: member(part, at).pointer,
      mismatch: 'range',
      expected: { kind: 'range', ...range },
      actualType: 'narrower-range',
      actual: { kind: 'bound', keyword, bound },
    })),
  );
}

/** Whether a bound excludes a value that the contract allows. `further`: how much narrower it is than the contract's. */
function excludes(further: number, isOpen: boolean, isWhole: boolean): boolean {
  if (!isOpen) return further > 0;
  // Above 0, integers begin at 1.
  return isWhole ? further > -1 : further >= 0;
}

/** Whole numbers are multiples of 1, of 0.5 and so on; of any other number, only some are. */
function stepsOf({ value: { multipleOf: step } }: Spot, isWhole: boolean) {
  if (typeof step !== 'number' || step <= 0 || (isWhole && Number.isInteger(1 / step))) return [];
  return [{ bound: step, keyword: 'multipleOf', at: 'multipleOf' } as const];
}

/** `isOpen`: the bound itself is excluded. `at`: the keyword that has the number. */
function boundsOf({ value: schema }: Spot, side: 'minimum' | 'maximum') {
  const exclusive = side === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum';
  // In 3.0 a flag beside the bound, in 3.1 a bound itself.
  const [bound, beside] = [schema[side], schema[exclusive]];
  const isOpen = beside === true;
  return [
    ...(typeof bound === 'number' ? [{ bound, isOpen, keyword: isOpen ? exclusive : side, at: side } as const] : []),
    ...(typeof beside === 'number'
      ? [{ bound: beside, isOpen: true, keyword: exclusive, at: exclusive } as const]
      : []),
  ];
}

/** Extra required fields that are reported. */
const MAX_EXTRA_FIELDS = 20;

/** Requests require exactly the fields that the contract requires. Answers may promise more. */
function requiredContradictions(
  reader: DescriptionReader,
  shape: Shape,
  { parts, whole }: Parts,
): readonly Contradiction[] {
  if (!shape.types.has('object')) return [];
  const asked = new Map<string, string>();
  for (const part of parts) {
    const list = member(part, 'required');
    for (const { value } of items(list)) {
      if (!reader.spend()) return [];
      if (typeof value === 'string') asked.set(value, list.pointer);
    }
  }
  const missing = whole ? shape.required.filter((name) => !asked.has(name)) : [];
  const extra = [...asked].filter(([name]) => !shape.required.includes(name) && !isReadOnly(reader, parts, name));
  const place = [...asked.values()][0] ?? parts[0]?.pointer ?? '';
  return [
    ...missing.map((name): Contradiction => ({
      pointer: place,
      mismatch: 'required',
      expected: { kind: 'required-fields', fields: shape.required },
      actualType: 'field-not-required',
      actual: { kind: 'field-not-required', field: name },
    })),
    ...extra.slice(0, MAX_EXTRA_FIELDS).map(([name, pointer]): Contradiction => ({
      pointer,
      mismatch: 'required',
      expected: { kind: 'no-other-required-fields', fields: shape.required },
      actualType: 'field-required',
      actual: { kind: 'field-required', field: quoteText(name, 60) },
    })),
  ];
}

/** OpenAPI 3.0.3, Schema Object: a read-only field is required only in answers. */
function isReadOnly(reader: DescriptionReader, parts: readonly Spot[], name: string): boolean {
  return parts.some((part) => reader.peek(member(member(part, 'properties'), name))?.value['readOnly'] === true);
}

/** Part 9.3: fields may be added at any time, so a closed answer contradicts the contract. */
function closedContradictions(shape: Shape, parts: readonly Spot[]): readonly Contradiction[] {
  if (!shape.types.has('object')) return [];
  const closed = parts.filter(({ value }) => value['additionalProperties'] === false);
  return closed.map((part) => ({
    pointer: member(part, 'additionalProperties').pointer,
    mismatch: 'closed',
    expected: { kind: 'open-object' },
    actualType: 'closed-object',
    actual: { kind: 'closed-object' },
  }));
}
