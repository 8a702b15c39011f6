/** The part of JSON Schema that the contract uses. */

/** How a value can fail to match. */
export type SchemaMismatch = 'type' | 'absent' | 'value' | 'empty' | 'range';

export interface JsonSchema {
  readonly $id?: string;
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly if?: JsonSchema;
  readonly then?: JsonSchema;
  readonly 'x-clause'?: string | Readonly<Partial<Record<SchemaMismatch, string>>>;
}

/** By name, such as `v1/message`. */
export type JsonSchemas = ReadonlyMap<string, JsonSchema>;
