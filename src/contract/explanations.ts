/** Loads why each clause is read as it is. Not part of the clauses, since a run does not need it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './package-root.ts';
import { parseYaml } from './yaml/yaml-document.ts';

export interface Explanation {
  /** How the clause is applied, and why. */
  readonly reading: string;
  /** An answer or behaviour that keeps it; absent for what is never judged. */
  readonly passes?: string;
  /** One that breaks it. */
  readonly fails?: string;
}

const FILE = 'schemas/v1/explanations.yaml';

/** By clause id. */
export function loadExplanations(): ReadonlyMap<string, Explanation> {
  const { value } = parseYaml(readFileSync(join(packageRoot(), FILE), 'utf8'), FILE);
  return new Map(Object.entries(value as Readonly<Record<string, Explanation>>));
}
