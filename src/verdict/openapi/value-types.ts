/** What a schema says about the type of a value, as a set. */
import { type Json, type JsonObject, typeOf } from '../../json.ts';

/** JSON's types, with a number that is no integer told apart; `other` is whatever OpenAPI has no such type for. */
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

/** Values that the schema allows by name; a constant is an enum of one. */
export function valuesOf(schema: JsonObject): readonly Json[] | undefined {
  if (Object.hasOwn(schema, 'const')) return [schema['const'] as Json];
  const values = schema['enum'];
  return Array.isArray(values) ? (values as readonly Json[]) : undefined;
}

/** Nothing where the schema leaves the type open. */
export function typesOf(schema: JsonObject): ValueTypes | undefined {
  const named = namedTypes(schema);
  const values = valuesOf(schema);
  if (!values) return named;
  const ofValues = new Set(values.map(typeOfValue));
  return named ? new Set([...named].filter((type) => ofValues.has(type))) : ofValues;
}

/** Without a look at the values. */
export function namedTypes(schema: JsonObject): ValueTypes | undefined {
  const { type } = schema;
  if (type === undefined) return undefined;
  // A list of types is not of 3.0.3, which is judged elsewhere; what it says is plain.
  const names = Array.isArray(type) ? (type as readonly Json[]) : [type];
  const types = new Set(names.flatMap((name) => knownTypes(name)));
  // It has no say beside anything but a type: OpenAPI 3.0.3, Schema Object.
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
export function namesOf(types: ValueTypes): readonly string[] {
  const isNumber = types.has('fraction');
  return [...types].flatMap((type) => (type === 'fraction' ? 'number' : isNumber && type === 'integer' ? [] : type));
}
