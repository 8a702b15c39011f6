/** What the schemas of the contract say of a request. */
import type { Contract, JsonSchema } from '../../contract/contract.ts';
import type { JsonObject } from '../../json.ts';

/** The schema that a reference names, or the schema itself. */
export function resolve(schema: JsonSchema, { schemas }: Contract): JsonSchema {
  if (schema.$ref === undefined) return schema;
  const found = [...schemas.values()].find(({ $id }) => $id === schema.$ref);
  if (!found) throw new Error(`There is no schema ${schema.$ref}.`);
  return found;
}

/** The fields by name, in the order of the schema. */
export function fieldsOf(contract: Contract): ReadonlyMap<string, JsonSchema> {
  return new Map(Object.entries(contract.schemas.get('v1/chat-completion-request')?.properties ?? {}));
}

/** The schema of a message. */
export function messageSchema(contract: Contract): JsonSchema {
  return resolve(fieldsOf(contract).get('messages')?.items ?? {}, contract);
}

/** The fields that the contract sends along with every request. */
export function addedFields({ rules }: Contract): readonly string[] {
  return Object.keys(rules.added).map((pointer) => pointer.split('/')[1] ?? '');
}

/** What a body has of them. */
export function addedIn(body: JsonObject, contract: Contract): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => addedFields(contract).includes(name)));
}
