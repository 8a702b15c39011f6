/** The schema of a chat request, as the contract or the profile has it. */

import type { Contract, JsonSchema } from '../contract/contract.ts';

const REQUEST = 'v1/chat-completion-request';

export function requestSchema({ schemas }: Contract): JsonSchema {
  const schema = schemas.get(REQUEST);
  if (!schema) throw new Error(`There is no schema ${REQUEST}.`);
  return schema;
}

/** The schema that a reference names, or the schema itself. */
export function resolve(schema: JsonSchema, { schemas }: Contract): JsonSchema {
  if (schema.$ref === undefined) return schema;
  const found = [...schemas.values()].find(({ $id }) => $id === schema.$ref);
  if (!found) throw new Error(`There is no schema ${schema.$ref}.`);
  return found;
}

/** By name, in the order of the schema. */
export function fieldsOf(contract: Contract): ReadonlyMap<string, JsonSchema> {
  return new Map(Object.entries(requestSchema(contract).properties ?? {}));
}
