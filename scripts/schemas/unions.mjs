// Writes a union so that a validator knows which member a value should be, and complains about that member alone.
/* oxlint-disable unicorn/no-thenable -- JSON Schema has a keyword of this name */
import { nameIn } from './schema.mjs';

/** @typedef {import('./schema.mjs').Schema} Schema */
/** @typedef {Record<string, Schema>} Definitions By name, as the generator wrote them. */

/**
 * @param {Schema} schema With `anyOf`.
 * @param {Definitions} definitions
 * @returns {Schema}
 */
export function writeUnion({ anyOf = [], ...rest }, definitions) {
  return { ...rest, ...formOf(anyOf.filter(isPossible), definitions) };
}

/** JSON has no undefined, which the generator writes as `not: {}`. @param {Schema} member */
function isPossible(member) {
  return JSON.stringify(member) !== '{"not":{}}';
}

/** @param {readonly Schema[]} members @param {Definitions} definitions @returns {Schema} */
function formOf(members, definitions) {
  const [only] = members;
  if (only && members.length === 1) return only;
  return (
    asEnum(members, definitions) ??
    byTag(members, definitions) ??
    byPresence(members, definitions) ??
    byType(members, definitions) ??
    byList(members, definitions) ?? { anyOf: [...members] }
  );
}

/** Words. @param {readonly Schema[]} members @param {Definitions} definitions @returns {Schema | undefined} */
function asEnum(members, definitions) {
  const words = members.map((member) => resolve(member, definitions));
  if (!words.every(({ type, const: word, enum: some }) => type === 'string' && (word ?? some))) return undefined;
  return { type: 'string', enum: words.flatMap(({ const: word, enum: some = [word] }) => some) };
}

/**
 * Objects that have the same property with different constants, such as `kind`.
 *
 * @param {readonly Schema[]} members
 * @param {Definitions} definitions
 * @returns {Schema | undefined}
 */
function byTag(members, definitions) {
  const objects = members.flatMap((member) => membersOf(member, definitions));
  const shapes = objects.map((member) => resolve(member, definitions));
  const tag = Object.keys(shapes[0]?.properties ?? {}).find((name) => {
    const values = shapes.flatMap((shape) => tagValues(shape, name, definitions));
    return values.every((value) => typeof value === 'string') && new Set(values).size === values.length;
  });
  if (tag === undefined) return undefined;
  const oneOf = mergeAlike(objects, tag, definitions);
  return { type: 'object', required: [tag], discriminator: { propertyName: tag }, oneOf };
}

/**
 * Undefined is among them if the property may be absent, or have other values.
 *
 * @param {Schema} shape
 * @param {string} name
 * @param {Definitions} definitions
 * @returns {readonly unknown[]}
 */
function tagValues({ properties = {}, required = [] }, name, definitions) {
  const property = properties[name];
  if (typeof property !== 'object' || !required.includes(name)) return [undefined];
  return membersOf(property, definitions)
    .map((member) => resolve(member, definitions))
    .flatMap(({ const: value, enum: values = [value] }) => values);
}

/**
 * Members that differ in nothing but their tag become one.
 *
 * @param {readonly Schema[]} members
 * @param {string} tag
 * @param {Definitions} definitions
 * @returns {Schema[]}
 */
function mergeAlike(members, tag, definitions) {
  /** @typedef {{ member: Schema, values: unknown[] }} Group */
  /** @type {Map<string, Group>} */
  const groups = new Map();
  for (const member of members) {
    const { type: _type, ...shape } = member;
    const { [tag]: _tag, ...others } = shape.properties ?? {};
    const key = JSON.stringify({ ...shape, properties: others, required: shape.required?.toSorted() });
    /** @type {Group} */
    const group = groups.get(key) ?? { member: shape, values: [] };
    groups.set(key, group);
    group.values.push(...tagValues(member, tag, definitions));
  }
  return [...groups.values()].map(({ member, values }) => {
    if (member.$ref !== undefined) return member;
    const { [tag]: _tag, ...others } = member.properties ?? {};
    const property = values.length === 1 ? { const: values[0] } : { enum: values };
    return { ...member, properties: { [tag]: property, ...others } };
  });
}

/**
 * Objects of which each but the last has a required property that no other has.
 *
 * @param {readonly Schema[]} members
 * @param {Definitions} definitions
 * @returns {Schema | undefined}
 */
function byPresence(members, definitions) {
  const [first, ...others] = members;
  if (!first || members.some((member) => typeOf(member, definitions) !== 'object')) return undefined;
  if (others.length === 0) return first;
  const foreign = new Set(
    others
      .flatMap((member) => membersOf(member, definitions))
      .flatMap((member) => Object.keys(resolve(member, definitions).properties ?? {})),
  );
  const mark = resolve(first, definitions).required?.find((name) => !foreign.has(name));
  const rest = mark === undefined ? undefined : byPresence(others, definitions);
  return mark === undefined || !rest
    ? undefined
    : { type: 'object', if: { required: [mark] }, then: first, else: rest };
}

/**
 * Members of different JSON types.
 *
 * @param {readonly Schema[]} members
 * @param {Definitions} definitions
 * @returns {Schema | undefined}
 */
function byType(members, definitions) {
  /** @type {Map<string, Schema[]>} */
  const groups = new Map();
  for (const member of members) {
    const type = typeOf(member, definitions);
    if (type === undefined) return undefined;
    groups.set(type, [...(groups.get(type) ?? []), member]);
  }
  if (groups.size === 1) return undefined;
  const forms = [...groups].map(([type, group]) => ({ type, form: formOf(group, definitions) }));
  const conditions = forms
    .filter(({ form }) => Object.keys(form).some((keyword) => keyword !== 'type'))
    .map(({ type, form }) => ({ if: { type }, then: form }));
  const [condition] = conditions;
  const type = forms.map((form) => form.type);
  return {
    type,
    ...(condition && conditions.length === 1 ? condition : conditions.length > 0 && { allOf: conditions }),
  };
}

/**
 * A list, or anything else.
 *
 * @param {readonly Schema[]} members
 * @param {Definitions} definitions
 * @returns {Schema | undefined}
 */
function byList(members, definitions) {
  const isList = /** @param {Schema} member */ (member) => typeOf(member, definitions) === 'array';
  const [list, other] = [members.find(isList), members.find((member) => !isList(member))];
  if (!list || !other || members.length > 2) return undefined;
  return { if: { type: 'array' }, then: list, else: other };
}

/** @param {Schema} member @param {Definitions} definitions @returns {string | undefined} */
function typeOf(member, definitions) {
  const { type, anyOf = [] } = resolve(member, definitions);
  if (typeof type === 'string') return type;
  const [only, ...others] = new Set(anyOf.map((inner) => typeOf(inner, definitions)));
  return others.length === 0 ? only : undefined;
}

/** @param {Schema} member @param {Definitions} definitions @returns {Schema} */
function resolve(member, definitions) {
  const name = nameIn(member);
  const definition = name === undefined ? undefined : definitions[name];
  return definition ? resolve(definition, definitions) : member;
}

/** The members of a union, or the schema itself. @param {Schema} member @param {Definitions} definitions @returns {readonly Schema[]} */
function membersOf(member, definitions) {
  const { anyOf } = resolve(member, definitions);
  return anyOf ? anyOf.flatMap((inner) => membersOf(inner, definitions)) : [member];
}
