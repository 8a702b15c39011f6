/** Changes the OpenAPI description of the contract as its JSON Schemas were changed. OpenAPI 3.0.3 has no type `null`. */
import { isObject, type Json, type JsonObject, memberOf } from '../../json.ts';
import type { JsonSchema, JsonSchemas } from '../json-schema.ts';

export interface ProfileInfo {
  /** Beside the title. */
  readonly name?: string;
  /** Before the general description. */
  readonly about: string;
  /** The description of keys, if it is not that of v1. */
  readonly keys?: string;
}

export function changeDescription(
  description: JsonObject,
  before: JsonSchemas,
  after: JsonSchemas,
  { name: profile, about, keys }: ProfileInfo,
): JsonObject {
  const made = structuredClone(description) as unknown as Description;
  for (const [name, schema] of after) {
    const title = schemaTitle(schema);
    const own = title === undefined ? undefined : made.components.schemas[title];
    if (own && schema !== before.get(name)) made.components.schemas[title ?? name] = convert(schema, own, after);
  }
  const { title, description: general, ...info } = made.info;
  if (keys !== undefined) made.components.securitySchemes.bearer.description = keys;
  return {
    ...made,
    info: {
      title: profile === undefined ? title : `${title}: ${profile}`,
      ...info,
      description: `${about} ${general}`,
    },
  };
}

interface Description extends JsonObject {
  readonly info: JsonObject & { readonly title: string; readonly description: string };
  readonly components: JsonObject & {
    readonly schemas: Record<string, Json>;
    readonly securitySchemes: JsonObject & { readonly bearer: { description: string; readonly [name: string]: Json } };
  };
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
