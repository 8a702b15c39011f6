/** The contract as it is loaded from `schemas/`. */
import type { Clause } from './clause.ts';

/** One place where a value does not fit a schema. */
export interface SchemaIssue {
  /** Clause of the schema that does not hold. */
  readonly clause: string;
  readonly pointer: string;
  /** `type`, `absent`, `value`, `empty` or `range`. */
  readonly mismatch: 'type' | 'absent' | 'value' | 'empty' | 'range';
  /** In words, such as `string` or `one of system, user, assistant`. */
  readonly expected: string;
  readonly actualType: string;
  /** The value as JSON text, cut to a sensible length. */
  readonly actual: string;
  /** Clauses of places below this one, which could not be looked at; absent where there are none. */
  readonly hides?: readonly string[];
}

export interface Contract {
  readonly clauses: readonly Clause[];
  clause(id: string): Clause | undefined;
  /** SHA-256 over every file of `schemas/` and `suites/`, so that a report says what it was judged by. */
  readonly hash: string;
  /** Names such as `v1/chat-completion-response` or `wire/completion`. */
  readonly schemaNames: readonly string[];
  /** Clauses that the schema speaks of, in its order. */
  clausesOf(schema: string): readonly string[];
  /**
   * Issues of a value, at most `most` of each clause (20 where it is not given), so that no clause hides another.
   * Arrays are walked item by item, so that a huge one costs no more than its length.
   */
  validate(schema: string, value: unknown, most?: number): readonly SchemaIssue[];
}
