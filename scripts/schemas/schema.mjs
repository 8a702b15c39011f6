// The part of JSON Schema that is generated, and a walk through it.

/**
 * @typedef {object} Schema
 * @property {string} [$ref]
 * @property {string} [title]
 * @property {string} [description]
 * @property {string | string[]} [type]
 * @property {unknown} [const]
 * @property {unknown[]} [enum]
 * @property {string[]} [required]
 * @property {Record<string, Schema | boolean>} [properties]
 * @property {Schema | boolean} [additionalProperties]
 * @property {Schema | Schema[] | boolean} [items]
 * @property {Schema[]} [prefixItems]
 * @property {Schema[]} [anyOf]
 * @property {Schema[]} [oneOf]
 * @property {Schema[]} [allOf]
 * @property {{ propertyName: string }} [discriminator]
 * @property {Schema} [if]
 * @property {Schema} [then]
 * @property {Schema} [else]
 */

/** @typedef {{ root: Schema, definitions: Record<string, Schema> }} Described */

const REFERENCE = '#/definitions/';

/** The name of the definition that a schema refers to. @param {Schema} schema @returns {string | undefined} */
export function nameIn({ $ref }) {
  return $ref?.startsWith(REFERENCE) ? $ref.slice(REFERENCE.length) : undefined;
}

/** @param {unknown} value @returns {value is Schema} */
export function isSchema(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Changes a schema from the outside in.
 *
 * @param {Schema} schema
 * @param {(schema: Schema) => Schema} change
 * @returns {Schema}
 */
export function mapSchema(schema, change) {
  const inner = /** @param {unknown} value @returns {unknown} */ (value) => {
    if (Array.isArray(value)) return value.map(inner);
    return isSchema(value) ? mapSchema(value, change) : value;
  };
  const entries = Object.entries(change(schema)).map(([keyword, value]) => {
    if (DATA.has(keyword)) return [keyword, value];
    return [keyword, NAMED.has(keyword) && isSchema(value) ? mapValues(value, inner) : inner(value)];
  });
  return Object.fromEntries(entries);
}

/** Keywords whose values are no schemas. */
const DATA = new Set(['const', 'default', 'discriminator', 'enum', 'required']);
/** Keywords whose values are schemas by name. */
const NAMED = new Set(['properties', 'definitions']);

/** @param {object} values @param {(value: unknown) => unknown} change */
function mapValues(values, change) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}
