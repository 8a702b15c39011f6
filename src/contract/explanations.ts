/** Loads why each clause is read as it is. Not part of the clauses, since a run does not need it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Subject } from './contract.ts';
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

/** By clause id. Without a subject: those of a gateway's front. */
export function loadExplanations(subject?: Subject): ReadonlyMap<string, Explanation> {
  const file = `schemas/${subject ?? 'v1'}/explanations.yaml`;
  const { value } = parseYaml(readFileSync(join(packageRoot(), file), 'utf8'), file);
  return new Map(Object.entries(value as Readonly<Record<string, Explanation>>));
}
