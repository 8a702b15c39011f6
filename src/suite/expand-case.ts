/** Expands a YAML entry into cases: `for` and `each` multiply it, schema entries become expectations. */
import { Mistakes } from '../mistakes.ts';
import { UsageError } from '../usage-error.ts';
import type { Case, Edit, Expectation, SourcePlace } from './case.ts';
import type { Known, PlaceOf } from './case-entry.ts';
import { readEdits, REFUSAL_EXPECTATION } from './case-parts.ts';
import { fillLimits } from './fill-limits.ts';
import { readAsk } from './read-ask.ts';
import { type EntryPlace, readExpectation } from './read-cases.ts';
import type { CaseEntry, EditKeys } from './suite-file.ts';

/** Throws one error for all mistakes of the entry. */
export function expandCase(suite: string, entry: CaseEntry, place: EntryPlace, known: Known): readonly Case[] {
  const mistakes = new Mistakes();
  const variations = listVariations(suite, entry, place, mistakes).filter(
    ({ fields }) => !isWithoutBasis(fields, known),
  );
  const cases = variations.flatMap((variation) => readCase(variation, known, mistakes) ?? []);
  mistakes.throwAny();
  return cases;
}

function listVariations(
  suite: string,
  { each, for: bases, ...plain }: CaseEntry,
  place: EntryPlace,
  mistakes: Mistakes,
): readonly Variation[] {
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

/** A refusal would prove nothing then. */
function isWithoutBasis({ basis }: Pick<CaseEntry, 'basis'>, known: Known): boolean {
  return basis !== undefined && known.isLeftOut(basis);
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
  const { entry, pointless = pointlessStart(fields, known) } = fillLimits(fields, known.contract.rules);
  const id = `${suite}/${entry.id}${label && `[${label}]`}`;
  const expected = entry.expect.map(
    (item, index) =>
      mistakes.attempt(() => readExpectation(item, placeOf('expect', index), known.contract), true) ?? [],
  );
  const edits = readEdits(entry);
  const ask = readAsk({ id, entry, edits, source, placeOf, mistakes }, known);
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
    ...(ask && { ask }),
    over: entry.over ?? [],
    ...(entry.always && { always: true }),
    needs: entry.needs ?? [],
    ...(pointless && { pointless }),
    expect: [...expected.flat(), ...refusalsOf(ask)],
  };
}

function refusalsOf(ask: Case['ask']): readonly Expectation[] {
  const isEndpoint = !ask?.edits.some(({ kind }) => kind === 'path' || kind === 'method');
  return ask?.control !== undefined && isEndpoint ? [REFUSAL_EXPECTATION] : [];
}

/** The keys that name another case. */
const EARLIER = ['request', 'control', 'basis', 'coveredBy', 'confirm', 'unlessAnswered', 'unlessRefused'] as const;

/** A case that starts from one without meaning has none either. */
function pointlessStart({ request, control }: CaseEntry, { cases }: Known): Case['pointless'] {
  return cases.get(request ?? control ?? '')?.pointless;
}

/** An edit written as a map has a line for each of its pointers. */
function lineOfEdit(edit: Edit, key: keyof EditKeys, placeOf: PlaceOf): number {
  const inner = 'pointer' in edit && edit.kind !== 'remove' ? [edit.pointer] : [];
  return placeOf(key, ...inner).line;
}
