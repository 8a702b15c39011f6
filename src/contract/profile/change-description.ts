/** Changes the OpenAPI description of the contract as its JSON Schemas were changed. OpenAPI 3.0.3 has no type `null`. */
import { isObject, type Json, type JsonObject, memberOf } from '../../json.ts';
import type { JsonSchema, JsonSchemas } from '../json-schema.ts';

/** `about`: takes the place of the general description. */
export function changeDescription(
  description: JsonObject,
  before: JsonSchemas,
  after: JsonSchemas,
  about: string,
): JsonObject {
  const made = structuredClone(description) as unknown as Description;
  for (const [name, schema] of after) {
    const title = schemaTitle(schema);
    const own = title === undefined ? undefined : made.components.schemas[title];
    if (own && schema !== before.get(name)) made.components.schemas[title ?? name] = convert(schema, own, after);
  }
  return { ...made, info: { ...made.info, description: about } };
}

interface Description {
  readonly info: Readonly<Record<string, Json>>;
  readonly components: { readonly schemas: Record<string, Json> };
}

function schemaTitle(schema: JsonSchema): string | undefined {
  const { title } = schema as { readonly title?: string };
  return title;
}

/** Keeps what the description has beyond the schema, such as examples. */
function convert(schema: JsonSchema, before: Json | undefined, schemas: JsonSchemas): Json {
  if (schema.$ref !== undefined) {
    const target = [...schemas.values()].find(({ $id }) => $id === schema.$ref);
    return { $ref: `#/components/schemas/${(target && schemaTitle(target)) ?? ''}` };
  }
  const kept = isObject(before) && memberOf(before, '$ref') === undefined ? before : {};
  const { minimum: _min, maximum: _max, type: _type, nullable: _nullable, required: _required, ...rest } = kept;
  const { minimum, maximum, required, properties, items } = schema;
  return {
    ...typesOf(schema),
    ...rest,
    ...(required && { required }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, below]) => [
          name,
          convert(below, memberOf(memberOf(kept, 'properties'), name), schemas),
        ]),
      ),
    }),
    ...(items && { items: convert(items, memberOf(kept, 'items'), schemas) }),
  };
}

function typesOf({ type }: JsonSchema): Readonly<Record<string, Json>> {
  const types = type === undefined ? [] : typeof type === 'string' ? [type] : type;
  const [only, ...others] = types.filter((each) => each !== 'null');
  const nullable = types.includes('null') ? { nullable: true } : {};
  if (only === undefined) return nullable;
  return others.length === 0
    ? { type: only, ...nullable }
    : { anyOf: [only, ...others].map((each) => ({ type: each })), ...nullable };
}
