/** The contract, as loaded from `schemas/`. */
import type { QuotedValue } from '../text/quote.ts';
import type { Clause } from './clause.ts';

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
  readonly actualType: string;
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
