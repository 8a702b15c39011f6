/** Loads why each clause is read as it is. Not part of the clauses, since only a run that finds something needs it. */
import { type Explanation, type Subject, CONTRACT_SUBJECTS } from './contract.ts';
import { readPackageFile } from './package-files.ts';
import { sentencesOf } from './sentences.ts';
import { parseYaml } from './yaml/yaml-document.ts';

const loaded = new Map<Subject | 'gateway', ReadonlyMap<string, Explanation>>();

/** By clause id, loaded once per process. Without a subject: those of a gateway's front. */
export function loadExplanations(subject?: Subject): ReadonlyMap<string, Explanation> {
  const known = loaded.get(subject ?? 'gateway');
  if (known) return known;
  const file = `schemas/${subject ?? 'v1'}/explanations.yaml`;
  const { value } = parseYaml(readPackageFile(file), file);
  const explanations = new Map(Object.entries(value as Readonly<Record<string, Explanation>>));
  loaded.set(subject ?? 'gateway', explanations);
  return explanations;
}

/** Ids of other sides than a gateway's front start with the name of the side. */
export function loadExplanation(clause: string): Explanation | undefined {
  const subject = CONTRACT_SUBJECTS.find((each) => clause.startsWith(`${each}.`));
  const explanation = loadExplanations(subject).get(clause);
  const sentences = sentencesOf(clause);
  return explanation && { ...explanation, ...(sentences.length > 0 && { sentences }) };
}
