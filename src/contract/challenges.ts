/** Clauses that are challenged in public, and not decided yet: they are recorded and break nothing. */
import type { Clause } from './contract.ts';
import { loadPackageYaml } from './yaml/yaml-document.ts';

export const CHALLENGES_FILE = 'schemas/challenges.yaml';

export interface Challenge {
  readonly clause: string;
  /** The day on which it was challenged. */
  readonly since: string;
}

export function loadChallenges(): readonly Challenge[] {
  return loadPackageYaml(CHALLENGES_FILE) as readonly Challenge[];
}

export function excludeChallenged(clauses: readonly Clause[], challenges: readonly Challenge[]): readonly Clause[] {
  return clauses.map((clause) => {
    const found = challenges.find((challenge) => challenge.clause === clause.id);
    return found === undefined || clause.level === 'none'
      ? clause
      : {
          ...clause,
          level: 'observe',
          why: `It is challenged, and recorded until that is decided.`,
          challenged: found.since,
        };
  });
}
