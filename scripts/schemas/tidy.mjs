// Brings what the generator wrote into the form that we publish: JSON Schema 2020-12, with short definitions in place.
import { mapSchema, nameIn } from './schema.mjs';
import { writeUnion } from './unions.mjs';

/** @typedef {import('./schema.mjs').Schema} Schema */
/** @typedef {import('./schema.mjs').Described} Described */

/** Keeps only those definitions that are still referred to. @param {Described} raw @returns {Described} */
export function tidySchemas({ root, definitions }) {
  const tidy = /** @param {Schema} schema */ (schema) =>
    mapSchema(schema, (part) => order(writeTuple(writeConstant(expand(part, definitions)))));
  const tidied = tidy(root);
  /** @type {Record<string, Schema>} */
  const kept = {};
  const keep = /** @param {Schema} schema */ (schema) => {
    for (const name of namesIn(schema)) {
      const definition = definitions[name];
      if (Object.hasOwn(kept, name) || !definition) continue;
      kept[name] = tidy(definition);
      keep(kept[name]);
    }
  };
  keep(tidied);
  return { root: tidied, definitions: kept };
}

/** @param {Schema} schema @returns {readonly string[]} */
function namesIn(schema) {
  /** @type {Set<string>} */
  const names = new Set();
  mapSchema(schema, (part) => {
    const name = nameIn(part);
    if (name !== undefined) names.add(name);
    return part;
  });
  return [...names];
}

/** @param {Schema} schema @param {Record<string, Schema>} definitions @returns {Schema} */
function expand(schema, definitions) {
  const name = nameIn(schema);
  const definition = name === undefined ? undefined : definitions[name];
  if (name !== undefined && definition && isShort(name, definition)) {
    const { $ref: _ref, ...own } = schema;
    const { description: _description, ...form } = definition;
    return expand(name === ANY ? own : { ...form, ...own }, definitions);
  }
  return schema.anyOf ? expandUnion(writeUnion(schema, definitions), definitions) : schema;
}

/** A union may turn out to have one member. @param {Schema} union @param {Record<string, Schema>} definitions */
function expandUnion(union, definitions) {
  return union.$ref === undefined ? union : expand(union, definitions);
}

/** The type of any JSON value: nothing is left to say about it. */
const ANY = 'Json';

/**
 * A number or a text of a certain form says more in its place than its name would. So does a type with parameters.
 *
 * @param {string} name
 * @param {Schema} definition
 */
function isShort(name, { type, enum: values, anyOf, $ref }) {
  const isScalar = type === 'string' || type === 'number' || type === 'integer';
  return name === ANY || !/^\w+$/.test(name) || $ref !== undefined || (isScalar && !values && !anyOf);
}

/** @param {Schema} schema @returns {Schema} */
function writeConstant(schema) {
  const { type: _type, ...rest } = schema;
  return 'const' in schema ? rest : schema;
}

/** @param {Schema} schema @returns {Schema} */
function writeTuple(schema) {
  const { items, maxItems: _most, ...rest } = /** @type {Schema & { maxItems?: number }} */ (schema);
  if (!Array.isArray(items)) return schema;
  return { ...rest, prefixItems: items.map(({ title: _title, ...item }) => item), items: false };
}

const FIRST = ['$ref', 'title', 'description', 'type', 'required', 'properties', 'additionalProperties'];

/** The order of declarations depends on which type extends which. @param {Schema} schema @returns {Schema} */
function order(schema) {
  const { required, properties } = schema;
  const propertyRank = /** @param {[name: string, property: Schema | boolean]} entry */ ([name, property]) => {
    if (!required?.includes(name)) return 2;
    return typeof property === 'object' && typeof property.const === 'string' ? 0 : 1;
  };
  const members = Object.entries(properties ?? {}).toSorted((a, b) => propertyRank(a) - propertyRank(b));
  const names = members.map(([name]) => name);
  const keywordRank = /** @param {string} keyword */ (keyword) =>
    FIRST.includes(keyword) ? FIRST.indexOf(keyword) : FIRST.length;
  const ordered = {
    ...schema,
    ...(required && { required: required.toSorted((a, b) => names.indexOf(a) - names.indexOf(b)) }),
    ...(properties && { properties: Object.fromEntries(members) }),
  };
  return Object.fromEntries(Object.entries(ordered).toSorted(([a], [b]) => keywordRank(a) - keywordRank(b)));
}
