/** Reads the cases of a suite file, whichever subject it is for: places, ids and expectations are treated alike. */
import { type Contract, type Level, LEVELS } from '../contract/contract.ts';
import type { Path, YamlDocument } from '../contract/yaml/yaml-document.ts';
import { memberOf } from '../json.ts';
import { Mistakes } from '../mistakes.ts';
import { didYouMean } from '../text/suggestion.ts';
import { UsageError } from '../usage-error.ts';
import type { AnyCase, Expectation, SourcePlace } from './case.ts';
import type { ExpectEntry } from './suite-file.ts';

/** Where an entry is in its file. Paths are those below the entry. */
export interface EntryPlace {
  readonly at: (...path: Path) => SourcePlace;
  readonly refuse: (message: string, ...path: Path) => never;
}

/** An entry, and its path in the document. */
export interface LocatedEntry<Entry> {
  readonly entry: Entry;
  readonly path: Path;
  /** False: its form is wrong, which is said elsewhere. It is not read, and neither is what starts from it. */
  readonly isSound?: boolean;
}

/** `known`: the cases of earlier files. Those of this one are added while it is read. */
export function readCases<Entry, Of extends AnyCase>(
  document: YamlDocument,
  entries: readonly LocatedEntry<Entry>[],
  read: (entry: Entry, place: EntryPlace) => readonly Of[],
  known = new Map<string, Of>(),
): readonly Of[] {
  const mistakes = new Mistakes();
  const wrong: string[] = [];
  const all = entries.map(({ entry, path, isSound = true }) => {
    // A case that starts from a wrong one would be complained about for that alone.
    if (wrong.some((id) => id !== '' && needs(entry).includes(`/${id}`))) return [];
    const place = placeOf(document, path);
    const cases = isSound ? mistakes.attempt(() => readNew(read(entry, place), place, known)) : undefined;
    if (!cases) wrong.push(idOf(entry));
    return cases ?? [];
  });
  mistakes.throwAny();
  return all.flat();
}

function readNew<Of extends AnyCase>(cases: readonly Of[], place: EntryPlace, known: Map<string, Of>): readonly Of[] {
  for (const testCase of cases) {
    const { id } = testCase;
    const before = known.get(id)?.source;
    if (before) place.refuse(`the id ${id} is already used at ${before.file}:${before.line}. Choose another.`, 'id');
    known.set(id, testCase);
  }
  return cases;
}

/** Its text without `over`, which may name cases that were not read. */
function needs(entry: unknown): string {
  return JSON.stringify(entry, (key, value: unknown) => (key === 'over' ? undefined : value));
}

function idOf(entry: unknown): string {
  const id = memberOf(entry, 'id');
  return typeof id === 'string' ? id : '';
}

function placeOf(document: YamlDocument, path: Path): EntryPlace {
  const at = (...below: Path): SourcePlace => ({
    file: document.file,
    line: document.lineOf([...path, ...below]),
  });
  return {
    at,
    refuse: (message, ...below) => {
      throw new UsageError(message, at(...below));
    },
  };
}

/** A clause with a check, or a schema that stands for all its clauses. */
export function readExpectation(entry: ExpectEntry, source: SourcePlace, contract: Contract): readonly Expectation[] {
  const { clause, check, schema, level, ...rest } = entry;
  if (schema !== undefined && !contract.schemaNames.includes(schema)) {
    throw new UsageError(`unknown schema "${schema}".${didYouMean(schema, contract.schemaNames)}`, source);
  }
  if (schema !== undefined && clause === undefined) {
    return contract.clausesOf(schema).map((id) => ({ clause: id, check: 'schema', options: { schema } }));
  }
  if (clause === undefined || check === undefined) {
    throw new UsageError('incomplete expectation. Give it a clause and a check, or a schema.', source);
  }
  refuseUnknownClause(clause, source, contract);
  if (level !== undefined) refuseHigherLevel(clause, level, source, contract);
  const options = { ...rest, ...(schema !== undefined && { schema }) };
  return [{ clause, check, options, ...(level !== undefined && { level }) }];
}

/** A run would seem to break a must that the contract does not have. */
function refuseHigherLevel(clause: string, level: Level, source: SourcePlace, contract: Contract): void {
  const { level: own = 'none' } = contract.clause(clause) ?? {};
  if (own === 'none' || LEVELS.indexOf(level) > LEVELS.indexOf(own)) return;
  const remedy = 'Change the level of the clause with levels or a profile, or bring a clause of your own';
  const problem =
    level === own ? `already ${own}. Remove level` : `only ${own}, and level can only lower that. ${remedy}`;
  throw new UsageError(`${clause} is ${problem}.`, source);
}

export function refuseUnknownClause(clause: string, source: SourcePlace, contract: Contract): void {
  const known = contract.clause(clause);
  if (!known) {
    const ids = contract.clauses.map(({ id }) => id);
    throw new UsageError(`unknown clause "${clause}".${didYouMean(clause, ids)}`, source);
  }
  if (known.level === 'none') {
    throw new UsageError(
      `the clause ${clause} cannot be judged. Remove it. (${known.why ?? 'It cannot be observed over the wire.'})`,
      source,
    );
  }
}
