/** The rules by which the contract is read, where its words leave a choice. */
import { readPackageFile } from './package-files.ts';
import { parseYaml } from './yaml/yaml-document.ts';

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

let loaded: readonly Reading[] | undefined;

/** In the order of their numbers, loaded once per process. */
export function loadReadings(): readonly Reading[] {
  loaded ??= parseYaml(readPackageFile(READINGS_FILE), READINGS_FILE).value as readonly Reading[];
  return loaded;
}

/** Those that a clause rests on. */
export function readingsOf(clause: string): readonly Reading[] {
  return loadReadings().filter(({ clauses }) => clauses.includes(clause));
}

/** Where the page of readings has it. */
export function anchorOfReading({ number }: Reading): string {
  return `reading-${number}`;
}
