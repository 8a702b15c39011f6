/** A small choice of the subjects of the self-test: together they show what all of them show, one clause at a time. */
import type { AnyCase } from '../../src/suite/case.ts';

interface Subject {
  readonly id: string;
  readonly breaks?: readonly string[];
}

/** One faulty subject for each clause that they break, and so many of those that break none, evenly spread. */
export function onePerClause(subjects: readonly Subject[], right: number): readonly string[] {
  const covered = new Set<string>();
  const faulty = subjects.flatMap(({ id, breaks = [] }) => {
    const isNew = breaks.some((clause) => !covered.has(clause));
    for (const clause of breaks) covered.add(clause);
    return isNew ? [id] : [];
  });
  const others = subjects.filter(({ breaks }) => breaks === undefined).map(({ id }) => id);
  return [...faulty, ...evenlySpread(others, right)];
}

export function judgesAny({ expect }: AnyCase, clauses: readonly string[]): boolean {
  return expect.some(({ clause }) => clauses.includes(clause));
}

/** At most so many, from the whole list. */
export function evenlySpread(names: readonly string[], count: number): readonly string[] {
  const step = Math.ceil(names.length / count);
  return names.filter((_name, place) => place % step === 0);
}
