/**
 * What is said of clauses: why each is read as it is, the contract's own words, and the rules by which it is read where its
 * words leave a choice. Not part of the clauses, since only a run that finds something needs it.
 */
import { type Explanation, type Sentence, type Subject, CONTRACT_SUBJECTS } from './contract.ts';
import { loadPackageYaml } from './yaml/yaml-document.ts';

/** The explanation of each clause, by its id. */
export function loadExplanations(subject: Subject | 'v1'): Readonly<Record<string, Explanation>> {
  return loadPackageYaml(`schemas/${subject}/explanations.yaml`) as Readonly<Record<string, Explanation>>;
}

/** Ids of other sides than a gateway's front start with the name of the side. */
export function loadExplanation(clause: string): Explanation | undefined {
  const subject = CONTRACT_SUBJECTS.find((each) => clause.startsWith(`${each}.`)) ?? 'v1';
  const explanation = loadExplanations(subject)[clause];
  const sentences = sentencesOf(clause);
  return explanation && { ...explanation, ...(sentences.length > 0 && { sentences }) };
}

export const SENTENCES_FILE = 'schemas/v1/sentences.yaml';

/** A sentence, and ids of the clauses that it states or implies, of all subjects. */
export type ListedSentence = Sentence & { readonly clauses: readonly string[] };

/** The sentences stand in the order of the contract. */
export function loadSentences(): readonly ListedSentence[] {
  return loadPackageYaml(SENTENCES_FILE) as readonly ListedSentence[];
}

/** Those that a clause comes from. */
export function sentencesOf(clause: string): readonly Sentence[] {
  return loadSentences()
    .filter(({ clauses }) => clauses.includes(clause))
    .map(({ clauses: _clauses, ...sentence }) => sentence);
}

export const READINGS_FILE = 'schemas/v1/readings.yaml';

export interface Reading {
  /** Never changes, and is never used again. */
  readonly number: number;
  /** The day since which the contract is read so. */
  readonly date: string;
  readonly title: string;
  readonly text: string;
  readonly reason: string;
  /** What else was considered, and why it was not chosen. */
  readonly considered: string;
  /** Ids of the clauses that rest on it, of all subjects. */
  readonly clauses: readonly string[];
}

/** The readings stand in the order of their numbers. */
export function loadReadings(): readonly Reading[] {
  return loadPackageYaml(READINGS_FILE) as readonly Reading[];
}

/** Those that a clause rests on. */
export function readingsOf(clause: string): readonly Reading[] {
  return loadReadings().filter(({ clauses }) => clauses.includes(clause));
}

/** Where the page of readings has it. */
export function anchorOfReading({ number }: Reading): string {
  return `reading-${number}`;
}
