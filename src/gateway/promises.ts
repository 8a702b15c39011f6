/** What a gateway promises where it does not follow v1: other limits, more required fields, other types, further headers. */
import { alter } from './change.ts';
import type { Json, JsonObject } from './json.ts';
import { hash } from '../random.ts';

export interface Limits {
  readonly min?: number;
  readonly max?: number;
}

export interface Promises {
  /** The keys are `max_tokens`, `temperature` and `top_p`. One that is absent has the limits of v1. */
  readonly limits?: Readonly<Record<string, Limits>>;
  /** Fields that a chat request has to have besides model and messages. */
  readonly required?: readonly string[];
  /** The types of fields that have another type than in v1, such as null for `error.code`. */
  readonly types?: Readonly<Record<string, string>>;
  /** Names of headers that every answer has. */
  readonly headers?: readonly string[];
}

const V1_LIMITS: Readonly<Record<string, Limits>> = {
  max_tokens: { min: 1 },
  temperature: { min: 0, max: 2 },
  top_p: { min: 0, max: 1 },
};

/** Undefined for a value within its limits. */
export function outOfRange(field: string, value: number, { limits = {} }: Promises): string | undefined {
  const { min = -Infinity, max = Infinity } = limits[field] ?? V1_LIMITS[field] ?? {};
  if (value >= min && value <= max) return undefined;
  return value < min ? `${field} is below ${min}.` : `${field} is not within ${min} and ${max}.`;
}

/** Where the fields are, by the first part of their names; those of a completion are at its top. */
const HOLDERS: Readonly<Record<string, string>> = {
  error: '/error',
  choice: '/choices/*',
  usage: '/usage',
  model: '/data/*',
};

/** `types`: by field, such as `error.code`. Fields that the body does not have are left out. */
export function withPromisedTypes(body: JsonObject, types: Readonly<Record<string, string>> = {}): JsonObject {
  return Object.entries(types).reduce<JsonObject>((changed, [field, type]) => {
    const [holder = '', ...names] = field.split('.');
    const pointer = [HOLDERS[holder], ...names].join('/');
    return alter(pointer, (old) => (old === undefined ? old : convert(old, type)))(changed);
  }, body);
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
