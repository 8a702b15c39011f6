/** What the contract says about a body: its own description, made ready to be compared with. */
import { type DescriptionReader, member, members, type Place } from './reader.ts';
import { typesOf, type ValueTypes, valuesOf } from './value-types.ts';

/**
 * What is sent may be described more widely than the contract has it, what comes back more narrowly: both are additive
 * changes (part 9.3). The other way round is a contradiction.
 */
export type Side = 'request' | 'answer';

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

/** Takes a schema of the contract, which is plain and has no circles. */
export function shapeOf(reader: DescriptionReader, place: Place): Shape {
  const schema = reader.at(place);
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

/** Values that can be counted out, where there are so few. */
export function fewValues({ values, types }: Shape): readonly Scalar[] | undefined {
  if (values) return values;
  return types.size === 1 && types.has('boolean') ? [false, true] : undefined;
}

/**
 * The same shape, once for each of the few values that it or one of its fields can have. A description may have a schema
 * for each of them, such as one for each role: none of these covers the shape, but together they do.
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
