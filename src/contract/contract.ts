/** The contract, as loaded from `schemas/`. */

import type { Json, JsonObject, JsonType } from '../json.ts';
import type { QuotedValue } from '../text/quote.ts';

/** Other subjects than a gateway's front. Each has clauses of its own; the schemas are shared. */
export const CONTRACT_SUBJECTS = ['client', 'relay', 'load'] as const;
export type Subject = (typeof CONTRACT_SUBJECTS)[number];

/** How the contract makes a statement. */
export const KINDS = ['stated', 'implied', 'prudent', 'silent', 'outside'] as const;
export type Kind = (typeof KINDS)[number];

export const LEVELS = ['must', 'should', 'observe'] as const;
export type Level = (typeof LEVELS)[number];

/** The input a clause needs: any run, one with an extra key or a setting, two runs, or the published description. */
export const SCOPES = [
  'run',
  'extra-key',
  'patience',
  'counts',
  'models',
  'fallback',
  'budget',
  'comparison',
  'description',
] as const;
export type Scope = (typeof SCOPES)[number];

/** What a report counts over all cases of the clauses that name it. */
export const TALLIES = ['unknown-request-fields'] as const;
export type TallyName = (typeof TALLIES)[number];

/** A statement of the contract, and how it is read. */
export interface Clause {
  /**
   * @pattern ^[a-z]+\.[a-z0-9]+(-[a-z0-9]+)*$
   * @x-message two names in lower case with a dot between, such as auth.key-prefix
   */
  readonly id: string;
  /**
   * Part of the contract, such as `5.5`; `-` if the contract does not mention it.
   *
   * @minLength 1
   */
  readonly part: string;
  readonly kind: Kind;
  /** `none` if it does not show over the wire. */
  readonly level: Level | 'none';
  /**
   * Why the level is not the usual one of its kind, or why it does not show.
   *
   * @minLength 1
   */
  readonly why?: string;
  readonly scope: Scope;
  readonly tally?: TallyName;
  /** Users come to harm without it: a profile that changes it says so wherever it states a verdict. */
  readonly safety?: true;
  /** @minLength 1 */
  readonly summary: string;
  /** The day since which it is challenged, which makes it an observation. */
  readonly challenged?: string;
}

/** How a clause is applied, and why. */
export interface Explanation {
  readonly reading: string;
  /** An answer or behaviour that keeps it; absent for what is never judged. */
  readonly passes?: string;
  /** One that breaks it. */
  readonly fails?: string;
  /** Who is hurt where it is broken, and how: one sentence; absent for what is never judged. */
  readonly hurts?: string;
  /** What the contract itself says; absent for what it does not say, and for clauses that a profile changes. */
  readonly sentences?: readonly Sentence[];
}

/** A sentence of the contract, or a row of one of its tables, word for word. */
export interface Sentence {
  readonly part: string;
  /** The table that a row is of. Its cells are separated by `|`. */
  readonly table?: string;
  readonly text: string;
}

export const USUAL_LEVEL: Record<Kind, Level | 'none'> = {
  stated: 'must',
  implied: 'should',
  prudent: 'should',
  silent: 'observe',
  outside: 'none',
};

/** What a schema asks for at a place. */
export type SchemaExpectation =
  | { readonly kind: 'type'; readonly types: readonly string[] }
  | { readonly kind: 'one-of'; readonly values: readonly (null | boolean | number | string)[] }
  | { readonly kind: 'constant'; readonly value: null | boolean | number | string }
  | { readonly kind: 'not-empty' }
  | { readonly kind: 'range'; readonly minimum?: number; readonly maximum?: number };

/** A place where a value does not match a schema. */
export interface SchemaIssue {
  /** The clause that is broken. */
  readonly clause: string;
  readonly pointer: string;
  readonly mismatch: SchemaMismatch;
  readonly expected: SchemaExpectation;
  readonly actualType: JsonType | 'absent' | 'text';
  /** Absent where the place is, and where the text is not JSON. */
  readonly value?: QuotedValue;
  /** Clauses of places below this one, which could not be validated. */
  readonly hides?: readonly string[];
}

/** Both ends included. */
export interface Range {
  readonly minimum?: number;
  readonly maximum?: number;
}

/** What the contract asks of every chat request. */
export interface RequestRules {
  /** The range of each parameter. */
  readonly limits: Readonly<Record<string, Range>>;
  /** Fields that a request has to have. */
  readonly required: readonly string[];
  /** What is sent along, by JSON pointer. */
  readonly added: Readonly<Record<string, Json>>;
}

/** A suite as it was read. */
export interface ContractSuite {
  readonly file: string;
  readonly value: Json;
}

export interface Contract {
  readonly clauses: readonly Clause[];
  clause(id: string): Clause | undefined;
  /** SHA-256 of all files of `schemas/` and `suites/`, so that a report says what it was judged by. */
  readonly hash: string;
  /** Why it is read as it is. */
  explain(id: string): Explanation | undefined;
  readonly rules: RequestRules;
  /** Cases for clauses that only this contract has. */
  readonly suite?: ContractSuite;
  /** The OpenAPI description of the contract. */
  readonly description: JsonObject;
  readonly schemas: JsonSchemas;
  /** Names such as `v1/chat-completion-response` or `wire/completion`. */
  readonly schemaNames: readonly string[];
  /** The clauses of a schema, in its order. */
  clausesOf(schema: string): readonly string[];
  /**
   * The issues of a value, at most `most` per clause (20 by default), so that no clause hides another. Arrays are
   * validated item by item, so the cost of a huge one grows only with its length.
   */
  validate(schema: string, value: unknown, most?: number): readonly SchemaIssue[];
  /** Whether the value has what the clause speaks of. A type clause says nothing of a value without that field. */
  couldBreak(schema: string, clause: string, value: unknown): boolean;
}

/** The part of JSON Schema that the contract uses. */

/** How a value can fail to match. */
export type SchemaMismatch = 'type' | 'absent' | 'value' | 'empty' | 'range';

export interface JsonSchema {
  readonly $id?: string;
  readonly title?: string;
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

/** A schema has a name such as `v1/message`. */
export type JsonSchemas = ReadonlyMap<string, JsonSchema>;

// The limits of a parameter in words.

/** `below 0 or above 2`; undefined if there is no limit. */
export function formatOutside({ minimum, maximum }: Range): string | undefined {
  const parts = [
    ...(minimum === undefined ? [] : [`below ${minimum}`]),
    ...(maximum === undefined ? [] : [`above ${maximum}`]),
  ];
  return parts.length === 0 ? undefined : parts.join(' or ');
}

/** `from 0 to 2`, `of 1 or more` */
export function formatInside({ minimum, maximum }: Range): string {
  if (minimum !== undefined && maximum !== undefined) return `from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `of ${minimum} or more`;
  return maximum === undefined ? 'of any size' : `of ${maximum} or less`;
}
