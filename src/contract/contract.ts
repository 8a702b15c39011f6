/** The contract, as loaded from `schemas/`. */
import type { JsonType } from '../json.ts';
import type { QuotedValue } from '../text/quote.ts';

/** Other subjects than a gateway's front. Each has clauses of its own; the schemas are shared. */
export const CONTRACT_SUBJECTS = ['client', 'relay', 'load'] as const;
export type Subject = (typeof CONTRACT_SUBJECTS)[number];

/** How the contract makes a statement. */
export const KINDS = ['stated', 'implied', 'prudent', 'silent', 'outside'] as const;
export type Kind = (typeof KINDS)[number];

export const LEVELS = ['must', 'should', 'observe'] as const;
export type Level = (typeof LEVELS)[number];

/** The input a clause needs: any run, a run with an extra key, two runs, or the published description. */
export const SCOPES = ['run', 'extra-key', 'patience', 'comparison', 'description'] as const;
export type Scope = (typeof SCOPES)[number];

/** What a report counts over all cases of the clauses that name it. */
export const TALLIES = ['unknown-request-fields'] as const;
export type Tally = (typeof TALLIES)[number];

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
  readonly tally?: Tally;
  /** @minLength 1 */
  readonly summary: string;
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
  readonly mismatch: 'type' | 'absent' | 'value' | 'empty' | 'range';
  readonly expected: SchemaExpectation;
  readonly actualType: JsonType | 'absent' | 'text';
  /** Absent where the place is, and where the text is not JSON. */
  readonly value?: QuotedValue;
  /** Clauses of places below this one, which could not be validated. */
  readonly hides?: readonly string[];
}

export interface Contract {
  readonly clauses: readonly Clause[];
  clause(id: string): Clause | undefined;
  /** SHA-256 of all files of `schemas/` and `suites/`, so that a report says what it was judged by. */
  readonly hash: string;
  /** Names such as `v1/chat-completion-response` or `wire/completion`. */
  readonly schemaNames: readonly string[];
  /** The clauses of a schema, in its order. */
  clausesOf(schema: string): readonly string[];
  /**
   * The issues of a value, at most `most` per clause (20 by default), so that no clause hides another. Arrays are
   * validated item by item, so the cost of a huge one grows only with its length.
   */
  validate(schema: string, value: unknown, most?: number): readonly SchemaIssue[];
}
