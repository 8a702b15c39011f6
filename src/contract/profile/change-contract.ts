/** Changes the contract as a profile says: clauses, JSON Schemas and the OpenAPI description. */

import { isObject, type Json, type JsonObject, memberOf, withoutUndefined } from '../../json.ts';
import { count, listAll, listAlternatives } from '../../text/layout.ts';
import { REQUEST_SCHEMA } from '../assemble-contract.ts';
import { referredSchema } from '../schema-validator.ts';
import {
  type Clause,
  type Explanation,
  formatInside,
  formatOutside,
  type JsonSchema,
  type JsonSchemas,
  type RequestRules,
} from '../contract.ts';
import { type ChangeOf, changesOf, type Profile, type ProfileChange } from './profile.ts';

/** `rules`: those of the changed contract. */
export function changeClauses(clauses: readonly Clause[], profile: Profile, rules: RequestRules): readonly Clause[] {
  const statements = changedStatements(clauses, profile, rules);
  const levels = new Map(changesOf(profile, 'level').map((change) => [change.clause, change]));
  return clauses.map((clause): Clause => {
    const statement = statements.get(clause.id);
    const level = levels.get(clause.id);
    return {
      ...clause,
      ...statement,
      ...(level && { level: level.level, ...(level.why !== undefined && { why: level.why }) }),
    };
  });
}

/** Clauses that v1 does not have: one of the profile itself, or one for a field that it requires. */
export function newClauses(change: ProfileChange): readonly Clause[] {
  const why = change.why === undefined ? {} : { why: change.why };
  if (change.kind === 'clause') {
    const { clause: id, level, summary } = change;
    return [{ id, part: '-', kind: 'stated', level, ...why, scope: 'run', summary }];
  }
  if (change.kind !== 'required') return [];
  const id = requiredClause(change.field);
  const summary = `A request without ${change.field} is not answered with a completion.`;
  return [{ id, part: '2', kind: 'stated', level: 'must', ...why, scope: 'run', summary }];
}

type Statement = Pick<Clause, 'summary'> & Partial<Pick<Clause, 'level' | 'why'>>;

/** The changed statements by the id of their clause. */
function changedStatements(clauses: readonly Clause[], profile: Profile, { limits, required }: RequestRules) {
  const made = new Map<string, Statement>();
  for (const { field } of changesOf(profile, 'limit')) {
    const { outside, inside } = limitClauses(field);
    const range = limits[field] ?? {};
    const beyond = formatOutside(range);
    if (beyond === undefined)
      made.set(outside, { level: 'observe', summary: `The profile sets no limit for ${field}.` });
    else made.set(outside, { summary: `A ${field} ${beyond} is not answered with a completion.` });
    made.set(inside, { summary: `A ${field} ${formatInside(range)} is answered.` });
  }
  if (changesOf(profile, 'required').length > 0) {
    const fields = listAll(required);
    made.set('request.optional-fields', { summary: `A request with only ${fields} is answered.` });
    const summary = `Chat requests have ${fields}, and every known field has its type.`;
    made.set('client.request-fields', { summary });
  }
  for (const { field, types } of changesOf(profile, 'field')) {
    const id = FIELDS[field]?.clause ?? '';
    const before = clauses.find((clause) => clause.id === id)?.summary ?? '';
    // Such statements end with the type: `The id of a completion is a string.`
    made.set(id, { summary: before.replace(/an? \w+\.$/, `${formatTypes(types)}.`) });
  }
  return made;
}

/** Why a clause reads as it does in this profile; undefined if the profile does not change its statement. */
export function explainChange(id: string, { name, changes }: Profile, rules: RequestRules): Explanation | undefined {
  for (const change of changes) {
    const why = change.why === undefined ? '' : ` ${change.why}`;
    if (change.kind === 'clause' && change.clause === id) {
      const reading = `${name === undefined ? 'Your suite' : 'The profile'} states it.${why}`;
      return { reading, ...withoutUndefined({ hurts: change.hurts }) };
    }
    if (change.kind === 'required' && requiredClause(change.field) === id) {
      return {
        reading: `The profile requires ${change.field}.${why} Any 4xx with the error body is a proper refusal.`,
        passes: '400 with the error body.',
        fails: '200 with a completion.',
        hurts: `The operator, who needs ${change.field} in every request, does not get it, and no caller is told so.`,
      };
    }
    if (change.kind === 'field' && FIELDS[change.field]?.clause === id) {
      return { reading: `The profile allows ${formatTypes(change.types)}.${why}` };
    }
    if (change.kind === 'limit') {
      const { inside, outside } = limitClauses(change.field);
      const range = formatInside(rules.limits[change.field] ?? {});
      if (id === inside || id === outside) {
        return { reading: `The profile sets the limit: a ${change.field} ${range} is answered.${why}` };
      }
    }
  }
  return undefined;
}

/** `a string, an integer or null` */
function formatTypes(types: readonly string[]): string {
  const words = types.map((type) => (type === 'null' ? type : `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`));
  return listAlternatives(words);
}

// Changes the JSON Schemas of the contract as a profile says.

export function changeSchemas(schemas: JsonSchemas, change: ProfileChange): JsonSchemas {
  if (change.kind === 'limit')
    return withSchema(schemas, REQUEST_SCHEMA, (schema) =>
      atPath(schema, [change.field], (parameter) => changeLimits(parameter, change)),
    );
  if (change.kind === 'required')
    return withSchema(schemas, REQUEST_SCHEMA, (schema) => requireField(schema, change.field));
  return change.kind === 'field' ? changeTypes(schemas, change) : schemas;
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
  return { ...rest, ...withoutUndefined({ minimum: least, maximum: most }) };
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
  const [first = '', ...below] = at.path;
  const type = types.length === 1 ? types[0]! : types;
  return withSchema(schemas, at.schema, (schema) => {
    const own = below.length > 0 ? withOwnCopy(schema, first, schemas) : schema;
    return atPath(own, at.path, (place) => ({ ...place, type }));
  });
}

/** A property that refers to a schema of several uses gets a copy of it, so that the other uses stay as they are. */
function withOwnCopy(schema: JsonSchema, name: string, schemas: JsonSchemas): JsonSchema {
  const { $ref, properties = {}, ...own } = schema.properties?.[name] ?? {};
  if ($ref === undefined) return schema;
  const { $id: _id, ...copied } = referredSchema(schemas, $ref);
  const members = Object.entries({ ...copied.properties, ...properties }).map(
    ([member]) => [member, { ...copied.properties?.[member], ...properties[member] }] as const,
  );
  const copy: JsonSchema = { ...copied, ...own, properties: Object.fromEntries(members) };
  return { ...schema, properties: { ...schema.properties, [name]: copy } };
}

// Changes the OpenAPI description of the contract as its JSON Schemas were changed. OpenAPI 3.0.3 has no type `null`.

/** The description of a profile never looks like that of v1. */
export function changeDescription(
  description: JsonObject,
  before: JsonSchemas,
  after: JsonSchemas,
  profile: Profile,
): JsonObject {
  const made = structuredClone(description) as unknown as Description;
  for (const [name, schema] of after) {
    const { title = name } = schema;
    const own = made.components.schemas[title];
    if (own && schema !== before.get(name)) made.components.schemas[title] = convert(schema, own, after);
  }
  const { title, description: general, ...info } = made.info;
  const { name, version = '', about, changes, digest } = profile;
  const isPrefixOpen = changesOf(profile, 'level').some(
    ({ clause, level }) => clause === 'auth.key-prefix' && level === 'observe',
  );
  if (isPrefixOpen) made.components.securitySchemes.bearer.description = 'An API key.';
  const fields = changesOf(profile, 'add').flatMap((change) => Object.keys(change.fields));
  const words = [
    ...(about === undefined ? [] : [about]),
    `This is v1 with ${count(changes.length, 'change')}, digest ${digest}.`,
    ...(fields.length === 0 ? [] : [`Every chat request also has ${fields.join(', ')}.`]),
    general,
  ];
  const named = name === undefined ? title : `${title}: ${name} ${version}`;
  return { ...made, info: { title: named, ...info, description: words.join(' ') } };
}

interface Description extends JsonObject {
  readonly info: JsonObject & { readonly title: string; readonly description: string };
  readonly components: JsonObject & {
    readonly schemas: Record<string, Json>;
    readonly securitySchemes: JsonObject & { readonly bearer: { description: string; readonly [name: string]: Json } };
  };
}

/** Keeps what the description has beyond the schema, such as examples. */
function convert(schema: JsonSchema, before: Json | undefined, schemas: JsonSchemas): Json {
  if (schema.$ref !== undefined)
    return { $ref: `#/components/schemas/${referredSchema(schemas, schema.$ref).title ?? ''}` };
  const kept = isObject(before) && memberOf(before, '$ref') === undefined ? before : {};
  const { minimum: _min, maximum: _max, type: _type, nullable: _nullable, required: _required, ...rest } = kept;
  const { minimum, maximum, required, properties, items } = schema;
  return {
    ...typesOf(schema),
    ...rest,
    ...withoutUndefined({ required, minimum, maximum }),
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

// The places of the contract that a profile can change, by the names that profiles use.

/** `path`: names of properties, from the root of the schema; none for the whole value. `clause`: that about its type. */
const place = (schema: string, path: readonly string[], clause: string) => ({ schema, path, clause });

/** Fields of answers. Kind markers and roles have fixed values, so only the level of their clause can change. */
export const FIELDS: Readonly<Record<string, ReturnType<typeof place>>> = {
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
export const TYPES: readonly string[] = ['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'];

/** The clauses about the limits of a parameter. */
export function limitClauses(field: string): { readonly outside: string; readonly inside: string } {
  const name = field.replaceAll('_', '-');
  return { outside: `limits.${name}`, inside: `limits.${name}-in-range` };
}

/** The clause about a parameter that a profile requires. */
export function requiredClause(field: string): string {
  return `request.${field.replaceAll('_', '-')}-required`;
}
