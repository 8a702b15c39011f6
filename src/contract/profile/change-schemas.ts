/** Changes the JSON Schemas of the contract as a profile says. */
import { REQUEST_SCHEMA } from '../assemble-contract.ts';
import type { JsonSchema, JsonSchemas } from '../json-schema.ts';
import { FIELDS, requiredClause } from './places.ts';
import type { ChangeOf, Profile, ProfileChange } from './profile.ts';

export function changeSchemas(schemas: JsonSchemas, { changes }: Pick<Profile, 'changes'>): JsonSchemas {
  return changes.reduce(changeOnce, schemas);
}

function changeOnce(schemas: JsonSchemas, change: ProfileChange): JsonSchemas {
  switch (change.kind) {
    case 'limit':
      return withSchema(schemas, REQUEST_SCHEMA, (schema) =>
        atPath(schema, [change.field], (parameter) => changeLimits(parameter, change)),
      );
    case 'required':
      return withSchema(schemas, REQUEST_SCHEMA, (schema) => requireField(schema, change.field));
    case 'field':
      return changeTypes(schemas, change);
    case 'level':
    case 'clause':
    case 'add':
      return schemas;
  }
}

function withSchema(schemas: JsonSchemas, name: string, edit: (schema: JsonSchema) => JsonSchema): JsonSchemas {
  const schema = schemas.get(name);
  if (!schema) throw new Error(`There is no schema ${name}.`);
  return new Map(schemas).set(name, edit(schema));
}

function atPath(schema: JsonSchema, path: readonly string[], edit: (place: JsonSchema) => JsonSchema): JsonSchema {
  const [first, ...rest] = path;
  if (first === undefined) return edit(schema);
  const below = schema.properties?.[first];
  if (!below) throw new Error(`A schema has no property ${first}.`);
  return { ...schema, properties: { ...schema.properties, [first]: atPath(below, rest, edit) } };
}

function changeLimits(parameter: JsonSchema, { min, max }: ChangeOf<'limit'>): JsonSchema {
  const { minimum, maximum, ...rest } = parameter;
  const least = min === undefined ? minimum : (min ?? undefined);
  const most = max === undefined ? maximum : (max ?? undefined);
  return { ...rest, ...(least !== undefined && { minimum: least }), ...(most !== undefined && { maximum: most }) };
}

function requireField(schema: JsonSchema, field: string): JsonSchema {
  return atPath({ ...schema, required: [...(schema.required ?? []), field] }, [field], (parameter) => {
    const own = parameter['x-clause'];
    const clauses = typeof own === 'string' ? { type: own } : own;
    return { ...parameter, 'x-clause': { ...clauses, absent: requiredClause(field) } };
  });
}

function changeTypes(schemas: JsonSchemas, { field, types }: ChangeOf<'field'>): JsonSchemas {
  const at = FIELDS[field];
  if (!at) throw new Error(`A profile cannot change the field ${field}.`);
  const [type, ...more] = types;
  const changed = more.length === 0 && type !== undefined ? type : types;
  return withSchema(schemas, at.schema, (schema) =>
    atPath(at.path.length > 1 ? withOwnCopy(schema, at.path[0] ?? '', schemas) : schema, at.path, (place) => ({
      ...place,
      type: changed,
    })),
  );
}

/** A property that refers to a schema of several uses gets a copy of it, so that the other uses stay as they are. */
function withOwnCopy(schema: JsonSchema, name: string, schemas: JsonSchemas): JsonSchema {
  const { $ref, properties = {}, ...own } = schema.properties?.[name] ?? {};
  if ($ref === undefined) return schema;
  const target = [...schemas.values()].find(({ $id }) => $id === $ref);
  if (!target) throw new Error(`A schema refers to the unknown ${$ref}.`);
  const { $id: _id, ...copied } = target;
  const members = Object.entries({ ...copied.properties, ...properties }).map(
    ([member]) => [member, { ...copied.properties?.[member], ...properties[member] }] as const,
  );
  const copy: JsonSchema = { ...copied, ...own, properties: Object.fromEntries(members) };
  return { ...schema, properties: { ...schema.properties, [name]: copy } };
}
