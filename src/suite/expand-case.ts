/** Expands a YAML entry into cases: `for` and `each` multiply it, schema entries become expectations. */

import type { Contract } from '../contract/contract.ts';
import type { Path } from '../contract/yaml/yaml-document.ts';
import { withoutUndefined } from '../json.ts';
import { Mistakes } from '../mistakes.ts';
import { didYouMean } from '../text/suggestion.ts';
import { UsageError } from '../usage-error.ts';
import { type BaseRequests, type Case, type Edit, type Expectation, isSelection, type SourcePlace } from './case.ts';
import { fillLimits } from './fill-limits.ts';
import { type EntryPlace, type IsUnread, readExpectation } from './read-cases.ts';
import type { CaseEntry, EditKeys } from './suite-file.ts';

/** Throws one error for all mistakes of the entry. */
export function expandCase(suite: string, entry: CaseEntry, place: EntryPlace, known: Known): readonly Case[] {
  const mistakes = new Mistakes();
  // Without its basis, a refusal would prove nothing.
  const variations = listVariations(suite, entry, place, mistakes).filter(
    ({ fields: { basis } }) => basis === undefined || !known.isLeftOut(basis),
  );
  const cases = variations.flatMap((variation) => readCase(variation, known, mistakes) ?? []);
  mistakes.throwAny();
  return cases;
}

function listVariations(suite: string, entry: CaseEntry, place: EntryPlace, mistakes: Mistakes): readonly Variation[] {
  const { each, for: bases, ...plain } = entry;
  const usual = { suite, fields: plain, label: '', source: place.at(), placeOf: place.at };
  if (bases && (each || plain.control !== undefined)) {
    const other = each ? 'each' : 'control';
    const problem = `${suite}/${plain.id} has both for and ${other}. Remove ${other}: for already names the controls.`;
    mistakes.note(new UsageError(problem, place.at(other)));
    // What it would send is unknown, so only its expectations are read.
    const { id, title, expect } = plain;
    return [{ ...usual, fields: { id, title, expect } }];
  }
  if (each) {
    return Object.entries(each).map(([label, fields]) => ({
      ...usual,
      fields: { ...plain, ...fields },
      label,
      placeOf: (key, ...rest) =>
        Object.hasOwn(fields, key) ? place.at('each', label, key, ...rest) : place.at(key, ...rest),
    }));
  }
  if (!bases) return [usual];
  return bases.map((base, index) => ({
    ...usual,
    fields: { ...plain, control: base },
    label: base,
    placeOf: (key, ...rest) => (key === 'control' ? place.at('for', index) : place.at(key, ...rest)),
  }));
}

interface Variation {
  readonly suite: string;
  readonly fields: CaseEntry;
  /** Empty for a case that was not multiplied. */
  readonly label: string;
  readonly source: SourcePlace;
  readonly placeOf: PlaceOf;
}

/** Undefined if it starts from a case with a mistake, or has one itself. */
function readCase(variation: Variation, known: Known, mistakes: Mistakes): Case | undefined {
  const { suite, fields, label, source, placeOf } = variation;
  // A case that starts from one without meaning has none either.
  const start = known.cases.get(fields.request ?? fields.control ?? '');
  const { entry, pointless = start?.pointless } = fillLimits(fields, known.contract.rules);
  const id = `${suite}/${entry.id}${label && `[${label}]`}`;
  const expected = entry.expect.map(
    (item, index) =>
      mistakes.attempt(() => readExpectation(item, placeOf('expect', index), known.contract), true) ?? [],
  );
  const edits = readEdits(entry);
  const note = (message: string, at: SourcePlace): void => mistakes.note(new UsageError(`${id} ${message}`, at));
  const ask = readAsk({ entry, edits, source, placeOf, note }, id, known, mistakes);
  if (!mistakes.isEmpty || EARLIER.some((key) => known.isUnread(entry[key] ?? ''))) return undefined;
  // Edits inherited from another case come first and were checked there.
  const inherited = Array.from({ length: (ask?.edits.length ?? 0) - edits.length }, () => source.line);
  return {
    id,
    suite,
    title: entry.title.replaceAll('${label}', label),
    source,
    lines: {
      edits: [...inherited, ...edits.map(({ edit, key }) => lineOfEdit(edit, key, placeOf))],
      expect: expected.flatMap((some, index) => some.map(() => placeOf('expect', index).line)),
    },
    ...withoutUndefined({ ask, pointless }),
    over: entry.over ?? [],
    ...(entry.always && { always: true }),
    needs: entry.needs ?? [],
    expect: [...expected.flat(), ...refusalsOf(ask)],
  };
}

function refusalsOf(ask: Case['ask']): readonly Expectation[] {
  const isEndpoint = !ask?.edits.some(({ kind }) => kind === 'path' || kind === 'method');
  return ask?.control !== undefined && isEndpoint ? [REFUSAL_EXPECTATION] : [];
}

/** The keys that name another case. */
const EARLIER = ['request', 'control', 'basis', 'coveredBy', 'confirm', 'unlessAnswered', 'unlessRefused'] as const;

/** An edit written as a map has a line for each of its pointers. */
function lineOfEdit(edit: Edit, key: keyof EditKeys, placeOf: PlaceOf): number {
  const inner = 'pointer' in edit && edit.kind !== 'remove' ? [edit.pointer] : [];
  return placeOf(key, ...inner).line;
}

// What is known while the entry of a case is read.

/** Everything that an entry may refer to. */
export interface Known {
  readonly contract: Contract;
  readonly requests: BaseRequests;
  /** The cases read so far; one of them may be a control. */
  readonly cases: ReadonlyMap<string, Case>;
  /** Whether a case is of a built-in suite that this run leaves out. */
  isLeftOut(id: string): boolean;
  readonly isUnread: IsUnread;
}

/** The place of a key of the entry, or of a part of its value: in the case itself, or in the variation that overrides it. */
type PlaceOf = (key: keyof CaseEntry, ...rest: Path) => SourcePlace;

// Reads the edits of a case from its YAML entry.

const READERS: { readonly [K in keyof EditKeys]-?: (entry: EditKeys) => readonly Edit[] } = {
  set: ({ set = {} }) => Object.entries(set).map(([pointer, value]) => ({ kind: 'set', pointer, value })),
  add: ({ add = {} }) => Object.entries(add).map(([pointer, value]) => ({ kind: 'add', pointer, value })),
  remove: ({ remove }) => (remove === undefined ? [] : [{ kind: 'remove', pointer: remove }]),
  raw: ({ raw }) => (raw === undefined ? [] : [{ kind: 'raw', text: raw }]),
  rawNumber: ({ rawNumber = {} }) =>
    Object.entries(rawNumber).map(([pointer, text]) => ({ kind: 'rawNumber', pointer, text })),
  spelling: ({ spelling: spellings }) => (spellings === undefined ? [] : [{ kind: 'spelling', spellings }]),
  header: ({ header = {} }) => Object.entries(header).map(([name, value]) => ({ kind: 'header', name, value })),
  key: ({ key }) => (key === undefined ? [] : [{ kind: 'key', use: key }]),
  method: ({ method }) => (method === undefined ? [] : [{ kind: 'method', method }]),
  path: ({ path }) => (path === undefined ? [] : [{ kind: 'path', path }]),
  query: ({ query }) => (query === undefined ? [] : [{ kind: 'query', query }]),
};

type ReadEdit = ReturnType<typeof readEdits>[number];

/** Each edit, and the key of the entry that holds it. */
function readEdits(entry: EditKeys) {
  return (Object.keys(READERS) as (keyof EditKeys)[]).flatMap((key) =>
    READERS[key](entry).map((edit) => ({ edit, key })),
  );
}

/** Every refusal is judged by it, whatever the case tests (part 7). The body is judged by errors/every-error-body. */
const REFUSAL_EXPECTATION: Expectation = { clause: 'errors.no-server-error', check: 'no-server-error', options: {} };

// Reads what a case sends: the request that it starts from, its edits, and the cases that it depends on.

/** A case as far as it was read. */
interface ReadEntry extends Pick<Variation, 'source' | 'placeOf'> {
  readonly entry: CaseEntry;
  readonly edits: readonly ReadEdit[];
  /** Keeps a mistake of the case. Reading goes on after each, to find the others. */
  readonly note: (message: string, at: SourcePlace) => void;
}

/** Undefined for a case that sends nothing, or whose start is wrong. */
function readAsk(read: ReadEntry, id: string, known: Known, mistakes: Mistakes): Case['ask'] {
  const { entry, edits, placeOf } = read;
  refuseMixedKeys(read);
  const from = entry.request === undefined ? 'control' : 'request';
  const name = entry[from];
  if (name === undefined) {
    refuseStrayKeys(read);
    return undefined;
  }
  if (entry.over) read.note('sends a request and has over. Split it into two cases.', placeOf('over'));
  if (from === 'control') refuseOtherEdits(read);
  const start = mistakes.attempt(() => findStart(id, name, placeOf(from), known), true);
  const earlier = (key: 'basis' | 'coveredBy' | 'confirm' | 'unlessAnswered' | 'unlessRefused') => {
    const named = entry[key];
    // A built-in suite that is chosen alone asks by itself what a case of another suite would have covered.
    if (named === undefined || known.isLeftOut(named)) return undefined;
    return mistakes.attempt(() => requireCase(named, placeOf(key), known), true);
  };
  // A case that is not sent shows nothing about this one.
  const sent = (key: 'basis' | 'coveredBy') => {
    const named = earlier(key);
    return named !== undefined && known.cases.get(named)?.pointless ? undefined : named;
  };
  const others = withoutUndefined({
    basis: sent('basis'),
    coveredBy: sent('coveredBy'),
    confirms: earlier('confirm'),
    unlessAnswered: earlier('unlessAnswered'),
    unlessRefused: earlier('unlessRefused'),
  });
  if (!start) return undefined;
  const { filler, repeat } = entry;
  return {
    base: start.base,
    edits: [...start.edits, ...edits.map(({ edit }) => edit)],
    ...(entry.control !== undefined && { control: start.control }),
    ...others,
    ...withoutUndefined({ filler, repeat }),
    ...(entry.ifReadable && { ifReadable: true }),
    ...(entry.patient && { patient: true }),
    sample: entry.sample ?? false,
    ...(entry.parallel && { parallel: true }),
    closing: entry.wave === 'closing',
  };
}

function refuseMixedKeys({ entry, placeOf, note }: ReadEntry): void {
  if (entry.request !== undefined && entry.control !== undefined) {
    const remedy = 'Keep request if the case has to be answered, control if it edits one.';
    note(`has both request and control. ${remedy}`, placeOf('control'));
  }
  if (entry.always && !entry.over?.every(isSelection))
    note('has always. Add over, with only selections such as *.', placeOf('always'));
}

/** A case without a request has nothing that concerns one. */
function refuseStrayKeys({ entry, edits, placeOf, note }: ReadEntry): void {
  const last = edits.at(-1);
  const stray = SENDING_KEYS.find((key) => entry[key] !== undefined);
  const remedy = 'Add request or control.';
  if (last) note(`edits a request but names none. ${remedy}`, placeOf(last.key));
  else if (stray) note(`has ${stray} but sends nothing. ${remedy}`, placeOf(stray));
}

/** Else a refusal would not show which edit was refused. */
function refuseOtherEdits({ edits, source, placeOf, note }: ReadEntry): void {
  const last = edits.at(-1);
  const message = `makes ${edits.length} edits to its control. Make exactly one.`;
  if (edits.length !== 1) note(message, last ? placeOf(last.key) : source);
}

/** Keys that only a case that sends something can have. */
const SENDING_KEYS = [
  'basis',
  'coveredBy',
  'confirm',
  'sample',
  'parallel',
  'wave',
  'repeat',
  'unlessAnswered',
  'unlessRefused',
  'ifReadable',
  'filler',
  'patient',
] as const;

/**
 * A case starts from a base request, or from the request of an earlier case. If that case is an edit itself, it should be
 * refused, so its own control is the one that has to be answered.
 */
function findStart(id: string, name: string, source: SourcePlace, known: Known) {
  const base = known.requests.get(name);
  if (base) return { base, edits: [], control: base.control ?? name };
  const earlier = known.cases.get(name)?.ask;
  if (earlier) return { base: earlier.base, edits: earlier.edits, control: earlier.control ?? name };
  if (known.isUnread(name)) return undefined;
  const guess = didYouMean(name, [...known.requests.keys(), ...known.cases.keys()]);
  throw new UsageError(`${id} starts from "${name}", which is neither a request nor an earlier case.${guess}`, source);
}

function requireCase(id: string, source: SourcePlace, known: Known): string {
  if (!known.cases.has(id) && !known.isUnread(id)) {
    throw new UsageError(`"${id}" is not an earlier case.${didYouMean(id, [...known.cases.keys()])}`, source);
  }
  return id;
}
