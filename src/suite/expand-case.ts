/** One YAML entry becomes one case or several: `for` and `each` multiply it, schema entries become expectations. */
import type { Contract } from '../contract/contract.ts';
import type { Json } from '../json.ts';
import { didYouMean } from '../text/suggestion.ts';
import { UsageError } from '../usage-error.ts';
import {
  type BaseRequest,
  type Case,
  type Edit,
  type Expectation,
  type Prerequisite,
  type SourcePlace,
  placeIn,
  SELECTIONS,
} from './case.ts';
import type { BaseRequests } from './load-requests.ts';
import { type EditKeys, type ReadEdit, readEdits } from './read-edits.ts';

export interface ExpectEntry {
  readonly clause?: string;
  readonly check?: string;
  readonly schema?: string;
  readonly [option: string]: Json | undefined;
}

export interface CaseEntry extends EditKeys {
  readonly id: string;
  readonly title: string;
  readonly request?: string;
  readonly control?: string;
  readonly over?: readonly string[];
  readonly for?: readonly string[];
  readonly each?: Readonly<Record<string, Partial<CaseEntry>>>;
  readonly basis?: string;
  readonly coveredBy?: string;
  readonly confirm?: string;
  readonly sample?: boolean;
  readonly wave?: 'closing';
  readonly repeat?: { readonly until: number; readonly most: number };
  readonly needs?: readonly Prerequisite[];
  readonly expect: readonly ExpectEntry[];
}

/** What a case entry may refer to. */
export interface Known {
  readonly contract: Contract;
  readonly requests: BaseRequests;
  /** Cases read so far, for controls that are cases. */
  readonly cases: ReadonlyMap<string, Case>;
  /** Line of a part of the entry. */
  lineOf(path: readonly (string | number)[]): number;
}

/** Every clause that any refusal speaks of, whatever the case is about (part 7). */
const REFUSAL_EXPECTATIONS: readonly Expectation[] = [
  { clause: 'errors.no-server-error', check: 'no-server-error', options: {} },
  ...['json', 'object', 'message', 'type', 'code', 'message-not-empty'].map((name) => ({
    clause: `errors.${name}`,
    check: 'error-body',
    options: {},
  })),
];

export function expandCase(suite: string, entry: CaseEntry, source: SourcePlace, known: Known): readonly Case[] {
  const { each, for: bases, ...plain } = entry;
  const at = (path: Path): SourcePlace => ({ ...source, line: known.lineOf(path) });
  if (bases && (each || plain.control !== undefined)) {
    const other = each ? 'each' : 'control';
    throw new UsageError(`${suite}/${entry.id} has both for and ${other}: for names the controls already`, at([other]));
  }
  if (each) {
    return Object.entries(each).map(([label, fields]) => {
      const placeOf: PlaceOf = (key, ...rest) =>
        at(Object.hasOwn(fields, key) ? ['each', label, key, ...rest] : [key, ...rest]);
      return readCase(suite, label, { ...plain, ...fields }, source, placeOf, known);
    });
  }
  if (bases) {
    return bases.map((base, index) => {
      const placeOf: PlaceOf = (key, ...rest) => at(key === 'control' ? ['for', index] : [key, ...rest]);
      return readCase(suite, base, { ...plain, control: base }, source, placeOf, known);
    });
  }
  return [readCase(suite, '', plain, source, (key, ...rest) => at([key, ...rest]), known)];
}

type Path = readonly (string | number)[];
/** Where a key of the entry, or a part of its value, stands: in the case itself, or in the variation that lays it over. */
type PlaceOf = (key: keyof CaseEntry, ...rest: Path) => SourcePlace;

function readCase(
  suite: string,
  label: string,
  entry: CaseEntry,
  source: SourcePlace,
  placeOf: PlaceOf,
  known: Known,
): Case {
  const id = `${suite}/${entry.id}${label && `[${label}]`}`;
  const expected = entry.expect.map((one, index) => readExpectation(one, placeOf('expect', index), known));
  const edits = readEdits(entry);
  const ask = readAsk(id, entry, edits, source, placeOf, known);
  const isEndpoint = !ask?.edits.some(({ kind }) => kind === 'path' || kind === 'method');
  const refusal = ask?.control !== undefined && isEndpoint ? REFUSAL_EXPECTATIONS : [];
  // Edits of the case that this one starts from come first, and were looked at there.
  const inherited = Array.from({ length: (ask?.edits.length ?? 0) - edits.length }, () => source.line);
  return {
    id,
    suite,
    title: entry.title.replaceAll('${label}', label),
    source,
    lines: {
      edits: [...inherited, ...edits.map(({ edit, key }) => lineOfEdit(edit, key, placeOf))],
      expect: expected.flatMap((some, index) => some.map(() => placeOf('expect', index).line)),
      over: (entry.over ?? []).map((_name, index) => placeOf('over', index).line),
    },
    ...(ask && { ask }),
    over: entry.over ?? [],
    needs: entry.needs ?? [],
    expect: [...expected.flat(), ...refusal],
  };
}

/** Edits that are written as maps have a line for each of their pointers. */
function lineOfEdit(edit: Edit, key: keyof EditKeys, placeOf: PlaceOf): number {
  const inner = 'pointer' in edit && edit.kind !== 'remove' ? [edit.pointer] : [];
  return placeOf(key, ...inner).line;
}

function readAsk(
  id: string,
  entry: CaseEntry,
  edits: readonly ReadEdit[],
  source: SourcePlace,
  placeOf: PlaceOf,
  known: Known,
): Case['ask'] {
  if (entry.request !== undefined && entry.control !== undefined) {
    throw new UsageError(`${id} has both request and control: a case is either answered or edited`, placeOf('control'));
  }
  const last = edits.at(-1);
  const from = entry.request === undefined ? 'control' : 'request';
  const name = entry[from];
  if (name === undefined) {
    if (last) throw new UsageError(`${id} edits a request but names none: add request or control`, placeOf(last.key));
    const stray = ASKING_KEYS.find((key) => entry[key] !== undefined);
    if (stray) throw new UsageError(`${id} has ${stray} but asks for nothing: add request or control`, placeOf(stray));
    return undefined;
  }
  if (entry.over)
    throw new UsageError(`${id} asks for something and looks over other cases: make it two cases`, placeOf('over'));
  if (entry.control !== undefined && edits.length !== 1) {
    throw new UsageError(
      `${id} must change exactly one thing of its control, but changes ${edits.length}`,
      last ? placeOf(last.key) : source,
    );
  }
  const start = findStart(id, name, placeOf(from), known);
  const earlier = (key: 'basis' | 'coveredBy' | 'confirm') => {
    const named = entry[key];
    return named === undefined ? undefined : knownCase(named, placeOf(key), known);
  };
  const [basis, coveredBy, confirms] = [earlier('basis'), earlier('coveredBy'), earlier('confirm')];
  return {
    base: start.base,
    edits: [...start.edits, ...edits.map(({ edit }) => edit)],
    ...(entry.control !== undefined && { control: start.control }),
    ...(basis !== undefined && { basis }),
    ...(coveredBy !== undefined && { coveredBy }),
    ...(confirms !== undefined && { confirms }),
    ...(entry.repeat && { repeat: entry.repeat }),
    sample: entry.sample ?? false,
    closing: entry.wave === 'closing',
  };
}

/** What only a case that asks for something can have. */
const ASKING_KEYS = ['basis', 'coveredBy', 'confirm', 'sample', 'wave', 'repeat'] as const;

interface Start {
  readonly base: BaseRequest;
  readonly edits: readonly Edit[];
  readonly control: string;
}

/** A case starts from a base request, or from the request of an earlier case. */
function findStart(id: string, name: string, source: SourcePlace, known: Known): Start {
  const base = known.requests.get(name);
  if (base) return { base, edits: [], control: base.control ?? name };
  const earlier = known.cases.get(name)?.ask;
  if (earlier) return { base: earlier.base, edits: earlier.edits, control: name };
  const names = [...known.requests.keys(), ...known.cases.keys()];
  throw new UsageError(
    `${id} starts from "${name}", which is no request and no earlier case.${didYouMean(name, names)}`,
    source,
  );
}

function knownCase(id: string, source: SourcePlace, known: Known): string {
  if (!known.cases.has(id)) {
    throw new UsageError(
      `"${id}" is no case that stands before this one.${didYouMean(id, [...known.cases.keys()])}`,
      source,
    );
  }
  return id;
}

function readExpectation(entry: ExpectEntry, source: SourcePlace, { contract }: Known): readonly Expectation[] {
  const { clause, check, schema, ...rest } = entry;
  if (schema !== undefined && !contract.schemaNames.includes(schema)) {
    throw new UsageError(`unknown schema "${schema}".${didYouMean(schema, contract.schemaNames)}`, source);
  }
  if (schema !== undefined && clause === undefined) {
    return contract.clausesOf(schema).map((one) => ({ clause: one, check: 'schema', options: { schema } }));
  }
  if (clause === undefined || check === undefined) {
    throw new UsageError('an expectation needs a clause and a check, or a schema', source);
  }
  const known = contract.clause(clause);
  if (!known) {
    const ids = contract.clauses.map(({ id }) => id);
    throw new UsageError(`unknown clause "${clause}".${didYouMean(clause, ids)}`, source);
  }
  if (known.level === 'none') {
    throw new UsageError(
      `the clause ${clause} cannot be judged: ${known.why ?? 'it does not show over the wire'}`,
      source,
    );
  }
  return [{ clause, check, options: { ...rest, ...(schema !== undefined && { schema }) } }];
}

/** `over` may name cases of any suite, so it is looked at when all are read. */
export function checkOver(cases: ReadonlyMap<string, Case>): void {
  const names = [...SELECTIONS, ...cases.keys()];
  for (const one of cases.values()) {
    const index = one.over.findIndex((name) => !names.includes(name));
    const stranger = one.over[index];
    if (stranger !== undefined) {
      throw new UsageError(
        `over names "${stranger}", which is no case.${didYouMean(stranger, names)}`,
        placeIn(one, 'over', index),
      );
    }
  }
}
