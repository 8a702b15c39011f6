/** Loads why each clause is read as it is. Not part of the clauses, since a run does not need it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type Json } from '../json.ts';
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
  const entries = isObject(value) ? Object.entries(value) : [];
  return new Map(entries.map(([id, entry]) => [id, readExplanation(entry)]));
}

function readExplanation(entry: Json): Explanation {
  const text = (key: string): string | undefined => {
    const value = isObject(entry) ? entry[key] : undefined;
    return typeof value === 'string' ? value : undefined;
  };
  const passes = text('passes');
  const fails = text('fails');
  return {
    reading: text('reading') ?? '',
    ...(passes !== undefined && { passes }),
    ...(fails !== undefined && { fails }),
  };
}
