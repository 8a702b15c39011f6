/** Reads the cases of a suite file, whichever subject it is for: places, ids and expectations are treated alike. */
import { type Contract, type Level, LEVELS } from '../contract/contract.ts';
import { type Path, placeOf, type YamlDocument } from '../contract/yaml/yaml-document.ts';
import { Mistakes } from '../mistakes.ts';
import { didYouMean } from '../text/suggestion.ts';
import { UsageError } from '../usage-error.ts';
import type { AnyCase, Expectation, SourcePlace } from './case.ts';
import type { ExpectEntry } from './suite-file.ts';

/** Where an entry is in its file. Paths are those below the entry. */
export type EntryPlace = ReturnType<typeof placeOfEntry>;

/** An entry, and its path in the document. */
export interface LocatedEntry<Entry> {
  readonly entry: Entry;
  readonly path: Path;
  /** Those of its cases. */
  readonly ids: readonly string[];
  /** False: its form is wrong, which is said elsewhere. It is not read, and neither is what starts from it. */
  readonly isSound?: boolean;
}

/** Whether a case has a mistake. Whatever starts from it would be complained about for that alone. */
export type IsUnread = (id: string) => boolean;

/** `known`: the cases of earlier files. Those of this one are added while it is read. */
export function readCases<Entry, Of extends AnyCase>(
  document: YamlDocument,
  entries: readonly LocatedEntry<Entry>[],
  read: (entry: Entry, place: EntryPlace, isUnread: IsUnread) => readonly Of[],
  known = new Map<string, Of>(),
): readonly Of[] {
  const mistakes = new Mistakes();
  const places = new Map([...known].map(([id, { source }]) => [id, source]));
  const unread = new Set<string>();
  const isUnread: IsUnread = (id) => unread.has(id) || unread.has(withoutLabel(id));
  const all = entries.map(({ entry, path, ids, isSound = true }) => {
    const place = placeOfEntry(document, path);
    for (const id of ids) mistakes.attempt(() => claim(id, place, places), true);
    const cases = (isSound ? mistakes.attempt(() => read(entry, place, isUnread)) : undefined) ?? [];
    for (const testCase of cases) known.set(testCase.id, testCase);
    if (!isSound || !mistakes.isEmpty) for (const id of ids) if (!known.has(id)) unread.add(id).add(withoutLabel(id));
    return cases;
  });
  mistakes.throwAny();
  return all.flat();
}

function claim(id: string, place: EntryPlace, places: Map<string, SourcePlace>): void {
  const before = places.get(id);
  if (before) place.refuse(`the id ${id} is already used at ${before.file}:${before.line}. Choose another.`, 'id');
  places.set(id, place.at());
}

function withoutLabel(id: string): string {
  return id.replace(/\[.*$/, '');
}

function placeOfEntry(document: YamlDocument, path: Path) {
  const at = (...below: Path): SourcePlace => placeOf(document, ...path, ...below);
  const refuse = (message: string, ...below: Path): never => {
    throw new UsageError(message, at(...below));
  };
  return { at, refuse };
}

/** A clause with a check, or a schema that stands for all its clauses. */
export function readExpectation(entry: ExpectEntry, source: SourcePlace, contract: Contract): readonly Expectation[] {
  const { clause, check, schema, level, ...rest } = entry;
  const mistakes = new Mistakes();
  if (schema !== undefined && !contract.schemaNames.includes(schema)) {
    const guess = didYouMean(schema, contract.schemaNames);
    mistakes.note(new UsageError(`unknown schema "${schema}".${guess}`, source));
  }
  if (clause !== undefined) mistakes.attempt(() => refuseUnknownClause(clause, source, contract), true);
  mistakes.throwAny();
  if (schema !== undefined && clause === undefined) {
    return contract.clausesOf(schema).map((id) => ({ clause: id, check: 'schema', options: { schema } }));
  }
  if (clause === undefined || check === undefined) {
    throw new UsageError('incomplete expectation. Give it a clause and a check, or a schema.', source);
  }
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
  if (known.level !== 'none') return;
  const why = known.why ?? 'It cannot be observed over the wire.';
  throw new UsageError(`the clause ${clause} cannot be judged. Remove it. (${why})`, source);
}
