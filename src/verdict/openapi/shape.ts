/** Shapes: the contract's schema of a body, prepared for comparison. */
import { type Json, type JsonObject, type JsonType, typeOf } from '../../json.ts';
import type { Finding } from '../verdict.ts';
import { type DescriptionReader, member, members, type Place } from './reader.ts';

/** JSON types, with numbers split into integers and fractions. `other`: a type that OpenAPI does not have. */
export type ValueType = 'null' | 'boolean' | 'integer' | 'fraction' | 'string' | 'array' | 'object' | 'other';
export type ValueTypes = ReadonlySet<ValueType>;

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
export function valuesOf(schema: JsonObject): readonly Json[] | undefined {
  if (Object.hasOwn(schema, 'const')) return [schema['const'] as Json];
  const values = schema['enum'];
  return Array.isArray(values) ? (values as readonly Json[]) : undefined;
}

/** Undefined if the schema allows any type. */
export function typesOf(schema: JsonObject): ValueTypes | undefined {
  const named = namedTypes(schema);
  const values = valuesOf(schema);
  if (!values) return named;
  const ofValues = new Set(values.map(typeOfValue));
  return named ? new Set([...named].filter((type) => ofValues.has(type))) : ofValues;
}

/** From `type` and `nullable` only, not from enum values. */
export function namedTypes(schema: JsonObject): ValueTypes | undefined {
  const { type } = schema;
  if (type === undefined) return undefined;
  // Lists of types are not in 3.0.3, but their meaning is clear. The version is judged elsewhere.
  const names = Array.isArray(type) ? (type as readonly Json[]) : [type];
  const types = new Set(names.flatMap((name) => knownTypes(name)));
  // OpenAPI 3.0.3, Schema Object: `nullable` has no effect without `type`.
  return schema['nullable'] === true ? types.add('null') : types;
}

function knownTypes(name: Json): readonly ValueType[] {
  return typeof name === 'string' && Object.hasOwn(BY_NAME, name) ? (BY_NAME[name] ?? []) : ['other'];
}

function typeOfValue(value: Json): ValueType {
  const type = typeOf(value);
  return type === 'number' ? 'fraction' : (type as ValueType);
}

/** In the words of JSON Schema. */
export function namesOf(types: ValueTypes): readonly (JsonType | 'other')[] {
  const isNumber = types.has('fraction');
  return [...types].flatMap((type) => (type === 'fraction' ? 'number' : isNumber && type === 'integer' ? [] : type));
}

/**
 * A description may accept more in requests and promise more in answers than the contract does: both are additive
 * changes (part 9.3). The reverse is a contradiction.
 */
export type Side = 'request' | 'answer';

/** What a described schema is for. */
export interface Role {
  readonly side: Side;
  /** The field that it describes, if any. */
  readonly name?: string;
}

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
export function shapeOf(reader: DescriptionReader, place: Place): Shape {
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

/** All values of an enum or a boolean; undefined for other types. */
export function fewValues({ values, types }: Shape): readonly Scalar[] | undefined {
  if (values) return values;
  return types.size === 1 && types.has('boolean') ? [false, true] : undefined;
}

/**
 * Splits a shape by the values of its enum, or of one enum field. A description may have one schema per value, such as
 * per role: none of them covers the whole shape, but together they do.
 */
export function casesOf(shape: Shape): readonly Shape[] {
  const own = fewValues(shape);
  if (own) return own.map((value) => ({ ...shape, values: [value] }));
  for (const [name, field] of shape.properties) {
    const values = fewValues(field);
    if (!values || values.length < 2) continue;
    return values.map((value) => ({
      ...shape,
      properties: new Map(shape.properties).set(name, { ...field, values: [value] }),
    }));
  }
  return [shape];
}
