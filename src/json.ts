/** JSON values, and RFC 6901 pointers into them. */

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

export interface JsonObject {
  readonly [name: string]: Json;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Own members only, so that `__proto__` and `constructor` find nothing. */
export function memberOf(value: unknown, name: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The members that have a value, to be spread into an object where they may be absent. */
export function withoutUndefined<Of extends object>(
  members: Of,
): { readonly [Name in keyof Of]?: Exclude<Of[Name], undefined> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Name in keyof Of]?: Exclude<Of[Name], undefined> };
}

/** The error in an object. Null, false and an empty string say that there is none. */
export function errorMember(value: unknown): Json | undefined {
  const error = memberOf(value, 'error') ?? '';
  return error === '' || error === false ? undefined : error;
}

export function hasErrorMember(value: unknown): boolean {
  return errorMember(value) !== undefined;
}

/** Undefined for a text that is not JSON. */
export function parseJson(text: string | undefined): Json | undefined {
  if (text === undefined) return undefined;
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** Integers have a name of their own. */
export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/** The JSON type of a value; `absent` for no value. */
export function typeOf(value: unknown): JsonType | 'absent' {
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'string') return 'string';
  return typeof value === 'boolean' ? 'boolean' : 'object';
}

export function pointerTokens(pointer: string): string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function pointerOf(tokens: readonly (string | number)[]): string {
  return tokens.map((token) => `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The value at a pointer, or `undefined`. Only own members count, so `__proto__` finds nothing. */
export function valueAt(document: unknown, pointer: string): unknown {
  let here: unknown = document;
  for (const token of pointerTokens(pointer)) {
    if (Array.isArray(here)) here = here[Number(token)];
    else if (isObject(here) && Object.hasOwn(here, token)) here = here[token];
    else return undefined;
  }
  return here;
}

/** How every `--json` prints: indented, with a line end. */
export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
