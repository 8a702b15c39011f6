/** The rows of the catalogues: what a client, a relay or a gateway does, and which clauses that breaks. */

export interface Titled {
  readonly title: string;
  /** Where it was seen. */
  readonly source?: string;
}

export interface Broken {
  /** Exactly the must and should clauses that a correct checker finds broken. Absent if it keeps the contract. */
  readonly breaks: readonly string[];
}

/** The parts of a row that it has besides those that all have. */
type Parts<Row, Same> = Omit<Row, 'title' | 'breaks' | keyof Same>;

/**
 * Makes rows that break clauses. `prefix` is that of the subject's own clauses, which rows name without it; `same` is what
 * all of them have.
 */
export function faultyRows<Row extends Titled & Broken, Same = object>(prefix: string, same?: Same) {
  return (title: string, breaks: string | readonly string[], parts: Parts<Row, Same>): Row => {
    const clauses = [breaks].flat().map((clause) => (clause.includes('.') ? clause : `${prefix}.${clause}`));
    return { ...same, title, breaks: clauses, ...parts } as unknown as Row;
  };
}

/** Makes rows that keep the contract. */
export function rightRows<Row extends Titled, Same = object>(same?: Same) {
  return (title: string, parts: Parts<Row, Same>): Row => ({ ...same, title, ...parts }) as unknown as Row;
}
