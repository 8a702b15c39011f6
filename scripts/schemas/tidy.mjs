// Brings what the generator wrote into the form that we publish: JSON Schema 2020-12, with short definitions in place.
import { mapSchema, nameIn } from './schema.mjs';
import { writeUnion } from './unions.mjs';

/** @typedef {import('./schema.mjs').Schema} Schema */
/** @typedef {import('./schema.mjs').Described} Described */

/** Keeps only those definitions that are still referred to. @param {Described} raw @returns {Described} */
export function tidySchemas({ root, definitions }) {
  const tidy = /** @param {Schema} schema */ (schema) =>
    mapSchema(schema, (part) => orderKeywords(writeTuple(writeConstant(expand(part, definitions)))));
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
    return expand(name === ANY ? own : { ...definition, ...own }, definitions);
  }
  return schema.anyOf ? writeUnion(schema, definitions) : schema;
}

/** The type of any JSON value: nothing is left to say about it. */
const ANY = 'Json';

/** A number or a text of a certain form says more in its place than its name would; so does a type with parameters. */
function isShort(/** @type {string} */ name, /** @type {Schema} */ definition) {
  const { type, enum: values, anyOf, $ref } = definition;
  return name === ANY || !/^\w+$/.test(name) || $ref !== undefined || (isScalar(type) && !values && !anyOf);
}

/** @param {Schema['type']} type */
function isScalar(type) {
  return type === 'string' || type === 'number' || type === 'integer';
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

/** @param {Schema} schema @returns {Schema} */
function orderKeywords(schema) {
  const { required, properties } = schema;
  const names = Object.keys(properties ?? {});
  const inOrder = required && { required: required.toSorted((a, b) => names.indexOf(a) - names.indexOf(b)) };
  const rank = /** @param {string} keyword */ (keyword) => (FIRST.indexOf(keyword) + FIRST.length + 1) % (FIRST.length + 1);
  const entries = Object.entries({ ...schema, ...inOrder }).toSorted(([a], [b]) => rank(a) - rank(b));
  return Object.fromEntries(entries);
}
