/** The places of the contract that a profile can change, by the names that profiles use. */
import type { JsonSchemas } from '../json-schema.ts';

export interface FieldPlace {
  readonly schema: string;
  /** Names of properties, from the root of the schema; none for the whole value. */
  readonly path: readonly string[];
  /** The clause about its type. */
  readonly clause: string;
}

const place = (schema: string, path: readonly string[], clause: string): FieldPlace => ({ schema, path, clause });

/** Fields of answers. Kind markers and roles have fixed values, so only the level of their clause can change. */
export const FIELDS: Readonly<Record<string, FieldPlace>> = {
  'error.message': place('v1/error', ['error', 'message'], 'errors.message'),
  'error.type': place('v1/error', ['error', 'type'], 'errors.type'),
  'error.code': place('v1/error', ['error', 'code'], 'errors.code'),
  'completion.id': place('v1/chat-completion-response', ['id'], 'completion.id-type'),
  'completion.created': place('v1/chat-completion-response', ['created'], 'completion.created-type'),
  'completion.model': place('v1/chat-completion-response', ['model'], 'completion.model-type'),
  'completion.usage': place('v1/usage', [], 'completion.usage-type'),
  'choice.index': place('v1/choice', ['index'], 'choice.index-type'),
  'choice.finish_reason': place('v1/choice', ['finish_reason'], 'choice.finish-reason-type'),
  'choice.message.content': place('v1/choice', ['message', 'content'], 'choice.message-content'),
  'usage.prompt_tokens': place('v1/usage', ['prompt_tokens'], 'usage.prompt-tokens-type'),
  'usage.completion_tokens': place('v1/usage', ['completion_tokens'], 'usage.completion-tokens-type'),
  'usage.total_tokens': place('v1/usage', ['total_tokens'], 'usage.total-tokens-type'),
  'model.id': place('v1/model', ['id'], 'model.id'),
  'model.owned_by': place('v1/model', ['owned_by'], 'model.owned-by-type'),
};

/** Its type in these schemas. */
export function typeOfField(field: string, schemas: JsonSchemas): string | undefined {
  const { schema = '', path = [] } = FIELDS[field] ?? {};
  const type = path.reduce((here, name) => here?.properties?.[name], schemas.get(schema))?.type;
  return typeof type === 'string' ? type : undefined;
}

/** The types of JSON Schema. */
export const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'] as const;

/** The clauses about the limits of a parameter. */
export function limitClauses(field: string): { readonly outside: string; readonly inside: string } {
  const name = field.replaceAll('_', '-');
  return { outside: `limits.${name}`, inside: `limits.${name}-in-range` };
}

/** The clause about a parameter that a profile requires. */
export function requiredClause(field: string): string {
  return `request.${field.replaceAll('_', '-')}-required`;
}
