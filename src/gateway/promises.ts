/** What a gateway promises where it does not follow v1: other limits, more required fields, other types, further headers. */

export interface Limits {
  readonly min?: number;
  readonly max?: number;
}

export interface Promises {
  /** By parameter: `max_tokens`, `temperature`, `top_p`. One that is absent has the limits of v1. */
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
