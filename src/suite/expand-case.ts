/** One YAML entry becomes one case or several: `for` and `each` multiply it, schema entries become expectations. */
import type { Contract } from '../contract/contract.ts';
import type { Json } from '../json.ts';
import { didYouMean } from '../nearest.ts';
import { UsageError } from '../usage-error.ts';
import type { BaseRequest, Case, Edit, Expectation, Prerequisite, SourcePlace } from './case.ts';
import { SELECTIONS } from './case.ts';
import type { BaseRequests } from './load-requests.ts';
import { type EditKeys, readEdits } from './read-edits.ts';

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
  if (bases && (each || plain.control !== undefined)) {
    const other = each ? 'each' : 'control';
    throw new UsageError(`${suite}/${entry.id} has both for and ${other}: for names the controls already`, source);
  }
  const byLabel: readonly [string, CaseEntry][] = each
    ? Object.entries(each).map(([label, fields]) => [label, { ...plain, ...fields }])
    : bases
      ? bases.map((base) => [base, { ...plain, control: base }])
      : [['', plain]];
  return byLabel.map(([label, one]) => {
    const place = each?.[label]?.expect ? ['each', label, 'expect'] : ['expect'];
    const expect = one.expect.flatMap((expectation, index) =>
      readExpectation(expectation, { ...source, line: known.lineOf([...place, index]) }, known),
    );
    return readCase(suite, label, one, expect, source, known);
  });
}

function readCase(
  suite: string,
  label: string,
  entry: CaseEntry,
  expect: readonly Expectation[],
  source: SourcePlace,
  known: Known,
): Case {
  const id = `${suite}/${entry.id}${label && `[${label}]`}`;
  const ask = readAsk(id, entry, source, known);
  const isEndpoint = !ask?.edits.some(({ kind }) => kind === 'path' || kind === 'method');
  const refusal = ask?.control !== undefined && isEndpoint ? REFUSAL_EXPECTATIONS : [];
  return {
    id,
    suite,
    title: entry.title.replaceAll('${label}', label),
    source,
    ...(ask && { ask }),
    over: entry.over ?? [],
    needs: entry.needs ?? [],
    expect: [...expect, ...refusal],
  };
}

function readAsk(id: string, entry: CaseEntry, source: SourcePlace, known: Known): Case['ask'] {
  if (entry.request !== undefined && entry.control !== undefined) {
    throw new UsageError(`${id} has both request and control: a case is either answered or edited`, source);
  }
  const edits = readEdits(entry);
  const name = entry.request ?? entry.control;
  if (name === undefined) {
    if (edits.length > 0) throw new UsageError(`${id} edits a request but names none: add request or control`, source);
    const stray = ASKING_KEYS.find((key) => entry[key] !== undefined);
    if (stray) throw new UsageError(`${id} has ${stray} but asks for nothing: add request or control`, source);
    return undefined;
  }
  if (entry.over)
    throw new UsageError(`${id} asks for something and looks over other cases: make it two cases`, source);
  if (entry.control !== undefined && edits.length !== 1) {
    throw new UsageError(`${id} must change exactly one thing of its control, but changes ${edits.length}`, source);
  }
  const start = findStart(id, name, source, known);
  return {
    base: start.base,
    edits: [...start.edits, ...edits],
    ...(entry.control !== undefined && { control: start.control }),
    ...(entry.basis !== undefined && { basis: knownCase(entry.basis, source, known) }),
    ...(entry.coveredBy !== undefined && { coveredBy: knownCase(entry.coveredBy, source, known) }),
    ...(entry.confirm !== undefined && { confirms: knownCase(entry.confirm, source, known) }),
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
  for (const { over, source } of cases.values()) {
    const stranger = over.find((name) => !names.includes(name));
    if (stranger !== undefined) {
      throw new UsageError(`over names "${stranger}", which is no case.${didYouMean(stranger, names)}`, source);
    }
  }
}
