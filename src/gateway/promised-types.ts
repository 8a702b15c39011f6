/** Gives fields of an answer the types that the gateway promises in place of those of v1. */
import { type Json, type JsonObject, isObject } from './json.ts';
import { hash } from '../random.ts';

/** Where the fields are, by the first part of their names. `*` is every item of a list. */
const HOLDERS: Readonly<Record<string, readonly string[]>> = {
  error: ['error'],
  completion: [],
  choice: ['choices', '*'],
  usage: ['usage'],
  model: ['data', '*'],
};

/** `types`: by field, such as `error.code`. Fields that the body does not have are left out. */
export function withPromisedTypes(body: JsonObject, types: Readonly<Record<string, string>> = {}): JsonObject {
  return Object.entries(types).reduce<JsonObject>((changed, [field, type]) => {
    const [holder = '', ...names] = field.split('.');
    const value = changeAt(changed, [...(HOLDERS[holder] ?? []), ...names], type);
    return isObject(value) ? value : changed;
  }, body);
}

function changeAt(value: Json, [name, ...rest]: readonly string[], type: string): Json {
  if (name === undefined) return convert(value, type);
  if (name === '*') return Array.isArray(value) ? value.map((item: Json) => changeAt(item, rest, type)) : value;
  const member = isObject(value) ? value[name] : undefined;
  return isObject(value) && member !== undefined ? { ...value, [name]: changeAt(member, rest, type) } : value;
}

function convert(value: Json, type: string): Json {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  switch (type) {
    case 'string':
      return text;
    case 'integer':
    case 'number':
      return typeof value === 'number' ? value : hash(text);
    case 'boolean':
      return true;
    case 'array':
      return [value];
    case 'object':
      return { value };
    default:
      return null;
  }
}
