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

/**
 * Makes rows that break clauses. `prefix` is that of the subject's own clauses, which rows name without it; `same` is what
 * all of them have.
 */
export function faultyRows<Hooks extends object, Same = object>(prefix: string, same: Same = {} as Same) {
  return (
    title: string,
    breaks: string | readonly string[],
    hooks: Hooks & Pick<Titled, 'source'>,
  ): Hooks & Same & Titled & Broken => ({
    ...same,
    title,
    breaks: [breaks].flat().map((clause) => (clause.includes('.') ? clause : `${prefix}.${clause}`)),
    ...hooks,
  });
}

/** Makes rows that keep the contract. */
export function rightRows<Hooks extends object, Same = object>(same: Same = {} as Same) {
  return (title: string, hooks: Hooks & Pick<Titled, 'source'>): Hooks & Same & Titled => ({
    ...same,
    title,
    ...hooks,
  });
}
