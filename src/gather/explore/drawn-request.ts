/** A request that was drawn, before it is filled in and sent. Plain data, so that it can be shrunk and saved. */
import type { Contract, JsonSchema } from '../../contract/contract.ts';
import { isObject, type Json, type JsonObject, memberOf } from '../../json.ts';
import type { Spelling } from '../../suite/case.ts';

export interface DrawnRequest {
  /** The body, with placeholders such as `${model}`. */
  readonly body: JsonObject;
  /** Numbers that are written in another way, by field. */
  readonly written: Readonly<Record<string, string>>;
  readonly spellings: readonly Spelling[];
  /** The number of the mistake that makes it no JSON, or no object. */
  readonly mistake?: number;
}

/** One request, or a sequence on one connection, of which the last is the point. */
export interface Draw {
  /** The first draw is 1. */
  readonly number: number;
  /** How to make it again: its number, and what made it smaller since then. */
  readonly path: string;
  /** There is at least one. */
  readonly requests: readonly DrawnRequest[];
}

/** Bodies that are not JSON, or not an object. */
export const MISTAKES: readonly ((text: string) => string)[] = [
  (text) => text.slice(0, -1),
  (text) => `${text}garbage`,
  (text) => `${text.slice(0, -1)},}`,
  (text) => `[${text}]`,
  (text) => text.replace(':', '='),
  (text) => text.replaceAll('"', "'"),
  () => '"Say hello."',
  () => 'null',
  () => '',
];

/** The text that is sent instead of the body. */
export function mistakenText({ body, mistake = -1 }: DrawnRequest): string | undefined {
  return MISTAKES[mistake]?.(JSON.stringify(body));
}

export function plainly(body: JsonObject): DrawnRequest {
  return { body, written: {}, spellings: [] };
}

export function isStreamed({ body }: DrawnRequest): boolean {
  return body['stream'] === true;
}

export function messagesIn({ body }: DrawnRequest): readonly JsonObject[] {
  const messages = memberOf(body, 'messages');
  return Array.isArray(messages) ? (messages as readonly Json[]).filter(isObject) : [];
}

/** The roles of all messages, with spaces between. */
export function rolesIn(request: DrawnRequest): string {
  return messagesIn(request)
    .map(({ role }) => (typeof role === 'string' ? role : 'none'))
    .join(' ');
}

export function textsIn(request: DrawnRequest): readonly string[] {
  return messagesIn(request).flatMap(({ content }) => (typeof content === 'string' ? [content] : []));
}

/** Nothing is kept that was said about fields that the new body does not have. */
export function withBody(request: DrawnRequest, body: JsonObject): DrawnRequest {
  const kept = Object.entries(request.written).filter(([field]) => Object.hasOwn(body, field));
  return { ...request, body, written: Object.fromEntries(kept) };
}

export function withMessages(request: DrawnRequest, messages: readonly JsonObject[]): DrawnRequest {
  return withBody(request, { ...request.body, messages });
}

/** `place`: counted on from the first after the last. */
export function changeMessage(
  request: DrawnRequest,
  place: number,
  change: (message: JsonObject) => JsonObject,
): DrawnRequest {
  const messages = messagesIn(request);
  return withMessages(
    request,
    messages.map((message, at) => (at === place % messages.length ? change(message) : message)),
  );
}

export function without<Value>(object: Readonly<Record<string, Value>>, name: string): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(object).filter(([field]) => field !== name));
}

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

/** An invalid max_tokens may leave the reply without any limit. */
export function breaksTokens({ body }: DrawnRequest): boolean {
  return Number(body['max_tokens'] ?? 1) < 1;
}
