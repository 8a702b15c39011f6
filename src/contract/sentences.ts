/** The contract's own words, by clause. */
import type { Sentence } from './contract.ts';
import { readPackageFile } from './package-files.ts';
import { parseYaml } from './yaml/yaml-document.ts';

export const SENTENCES_FILE = 'schemas/v1/sentences.yaml';

/** A sentence, and ids of the clauses that it states or implies, of all subjects. */
export type ListedSentence = Sentence & { readonly clauses: readonly string[] };

let loaded: readonly ListedSentence[] | undefined;

/** In the order of the contract, loaded once per process. */
export function loadSentences(): readonly ListedSentence[] {
  loaded ??= parseYaml(readPackageFile(SENTENCES_FILE), SENTENCES_FILE).value as readonly ListedSentence[];
  return loaded;
}

/** Those that a clause comes from. */
export function sentencesOf(clause: string): readonly Sentence[] {
  return loadSentences()
    .filter(({ clauses }) => clauses.includes(clause))
    .map(({ clauses: _clauses, ...sentence }) => sentence);
}
