/** Expands a YAML entry into cases: `for` and `each` multiply it, schema entries become expectations. */
import type { Contract } from '../contract/contract.ts';
import { didYouMean } from '../text/suggestion.ts';
import { UsageError } from '../usage-error.ts';
import {
  type BaseRequest,
  type Case,
  type Edit,
  type Prerequisite,
  type SourcePlace,
  placeIn,
  isSelection,
  SELECTIONS,
} from './case.ts';
import type { BaseRequests } from './load-requests.ts';
import {
  type ExpectEntry,
  readExpectation,
  REFUSAL_EXPECTATION,
  type EditKeys,
  type ReadEdit,
  readEdits,
} from './case-parts.ts';

export interface CaseEntry extends EditKeys {
  readonly id: string;
  readonly title: string;
  readonly request?: string;
  readonly control?: string;
  readonly over?: readonly string[];
  readonly always?: boolean;
  readonly for?: readonly string[];
  readonly each?: Readonly<Record<string, Partial<CaseEntry>>>;
  readonly basis?: string;
  readonly coveredBy?: string;
  readonly confirm?: string;
  readonly sample?: boolean;
  readonly parallel?: boolean;
  readonly wave?: 'closing';
  readonly repeat?: { readonly until: number; readonly most: number };
  readonly needs?: readonly Prerequisite[];
  readonly expect: readonly ExpectEntry[];
}

/** Everything that an entry may refer to. */
export interface Known {
  readonly contract: Contract;
  readonly requests: BaseRequests;
  /** The cases read so far; one of them may be a control. */
  readonly cases: ReadonlyMap<string, Case>;
  /** Whether a case is of a built-in suite that this run leaves out. */
  isLeftOut(id: string): boolean;
  /** The line of a part of the entry. */
  lineOf(path: readonly (string | number)[]): number;
}

export function expandCase(suite: string, entry: CaseEntry, source: SourcePlace, known: Known): readonly Case[] {
  const { each, for: bases, ...plain } = entry;
  const at = (path: Path): SourcePlace => ({ ...source, line: known.lineOf(path) });
  if (bases && (each || plain.control !== undefined)) {
    const other = each ? 'each' : 'control';
    throw new UsageError(
      `${suite}/${entry.id} has both for and ${other}. Remove ${other}: for already names the controls.`,
      at([other]),
    );
  }
  if (isWithoutBasis(plain, known)) return [];
  if (each) {
    const chosen = Object.entries(each).filter(([, fields]) => !isWithoutBasis(fields, known));
    return chosen.map(([label, fields]) => {
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

/** A refusal would prove nothing then. */
function isWithoutBasis({ basis }: Pick<CaseEntry, 'basis'>, known: Known): boolean {
  return basis !== undefined && known.isLeftOut(basis);
}

type Path = readonly (string | number)[];
/** The place of a key of the entry, or of a part of its value: in the case itself, or in the variation that overrides it. */
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
  const expected = entry.expect.map((item, index) => readExpectation(item, placeOf('expect', index), known.contract));
  const edits = readEdits(entry);
  const ask = readAsk(id, entry, edits, source, placeOf, known);
  const isEndpoint = !ask?.edits.some(({ kind }) => kind === 'path' || kind === 'method');
  const refusal = ask?.control !== undefined && isEndpoint ? [REFUSAL_EXPECTATION] : [];
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
      over: (entry.over ?? []).map((_name, index) => placeOf('over', index).line),
    },
    ...(ask && { ask }),
    over: entry.over ?? [],
    ...(entry.always && { always: true }),
    needs: entry.needs ?? [],
    expect: [...expected.flat(), ...refusal],
  };
}

/** An edit written as a map has a line for each of its pointers. */
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
    throw new UsageError(
      `${id} has both request and control. Keep request if the case has to be answered, control if it edits one.`,
      placeOf('control'),
    );
  }
  const last = edits.at(-1);
  const from = entry.request === undefined ? 'control' : 'request';
  const name = entry[from];
  if (entry.always && !entry.over?.every(isSelection))
    throw new UsageError(`${id} has always. Add over, with selections such as * and no case.`, placeOf('always'));
  if (name === undefined) {
    if (last) throw new UsageError(`${id} edits a request but names none. Add request or control.`, placeOf(last.key));
    const stray = SENDING_KEYS.find((key) => entry[key] !== undefined);
    if (stray) throw new UsageError(`${id} has ${stray} but sends nothing. Add request or control.`, placeOf(stray));
    return undefined;
  }
  if (entry.over) throw new UsageError(`${id} sends a request and has over. Split it into two cases.`, placeOf('over'));
  if (entry.control !== undefined && edits.length !== 1) {
    throw new UsageError(
      `${id} makes ${edits.length} edits to its control. Make exactly one.`,
      last ? placeOf(last.key) : source,
    );
  }
  const start = findStart(id, name, placeOf(from), known);
  const earlier = (key: 'basis' | 'coveredBy' | 'confirm') => {
    const named = entry[key];
    return named === undefined ? undefined : requireCase(named, placeOf(key), known);
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
    ...(entry.parallel && { parallel: true }),
    closing: entry.wave === 'closing',
  };
}

/** Keys that only a case that sends something can have. */
const SENDING_KEYS = ['basis', 'coveredBy', 'confirm', 'sample', 'parallel', 'wave', 'repeat'] as const;

interface Start {
  readonly base: BaseRequest;
  readonly edits: readonly Edit[];
  readonly control: string;
}

/**
 * A case starts from a base request, or from the request of an earlier case. If that case is an edit itself, it should be
 * refused, so its own control is the one that has to be answered.
 */
function findStart(id: string, name: string, source: SourcePlace, known: Known): Start {
  const base = known.requests.get(name);
  if (base) return { base, edits: [], control: base.control ?? name };
  const earlier = known.cases.get(name)?.ask;
  if (earlier) return { base: earlier.base, edits: earlier.edits, control: earlier.control ?? name };
  const names = [...known.requests.keys(), ...known.cases.keys()];
  throw new UsageError(
    `${id} starts from "${name}", which is neither a request nor an earlier case.${didYouMean(name, names)}`,
    source,
  );
}

function requireCase(id: string, source: SourcePlace, known: Known): string {
  if (!known.cases.has(id)) {
    throw new UsageError(`"${id}" is not an earlier case.${didYouMean(id, [...known.cases.keys()])}`, source);
  }
  return id;
}

/** `over` may name cases of any suite, so it is checked after all of them are read. */
export function checkOver(cases: ReadonlyMap<string, Case>): void {
  const names = [...SELECTIONS, ...cases.keys()];
  for (const testCase of cases.values()) {
    const index = testCase.over.findIndex((name) => !names.includes(name));
    const unknown = testCase.over[index];
    if (unknown !== undefined) {
      throw new UsageError(
        `over names "${unknown}", which is not a case.${didYouMean(unknown, names)}`,
        placeIn(testCase, 'over', index),
      );
    }
  }
}
