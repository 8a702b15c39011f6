/** Expands a YAML entry into cases: `for` and `each` multiply it, schema entries become expectations. */
import { Mistakes } from '../mistakes.ts';
import { didYouMean } from '../text/suggestion.ts';
import { UsageError } from '../usage-error.ts';
import { type Case, type Edit, placeIn, SELECTIONS, type SourcePlace } from './case.ts';
import type { Known, PlaceOf } from './case-entry.ts';
import { readEdits, REFUSAL_EXPECTATION } from './case-parts.ts';
import { fillLimits } from './fill-limits.ts';
import { readAsk } from './read-ask.ts';
import { type EntryPlace, readExpectation } from './read-cases.ts';
import type { CaseEntry, EditKeys } from './suite-file.ts';

export function expandCase(suite: string, entry: CaseEntry, place: EntryPlace, known: Known): readonly Case[] {
  const { each, for: bases, ...plain } = entry;
  const source = place.at();
  if (bases && (each || plain.control !== undefined)) {
    const other = each ? 'each' : 'control';
    place.refuse(
      `${suite}/${entry.id} has both for and ${other}. Remove ${other}: for already names the controls.`,
      other,
    );
  }
  if (isWithoutBasis(plain, known)) return [];
  if (each) {
    const chosen = Object.entries(each).filter(([, fields]) => !isWithoutBasis(fields, known));
    return chosen.map(([label, fields]) => {
      const placeOf: PlaceOf = (key, ...rest) =>
        Object.hasOwn(fields, key) ? place.at('each', label, key, ...rest) : place.at(key, ...rest);
      return readCase({ ...plain, ...fields }, { suite, label, source, placeOf }, known);
    });
  }
  if (bases) {
    return bases.map((base, index) => {
      const placeOf: PlaceOf = (key, ...rest) => (key === 'control' ? place.at('for', index) : place.at(key, ...rest));
      return readCase({ ...plain, control: base }, { suite, label: base, source, placeOf }, known);
    });
  }
  return [readCase(plain, { suite, label: '', source, placeOf: place.at }, known)];
}

/** A refusal would prove nothing then. */
function isWithoutBasis({ basis }: Pick<CaseEntry, 'basis'>, known: Known): boolean {
  return basis !== undefined && known.isLeftOut(basis);
}

interface Variation {
  readonly suite: string;
  /** Empty for a case that was not multiplied. */
  readonly label: string;
  readonly source: SourcePlace;
  readonly placeOf: PlaceOf;
}

function readCase(written: CaseEntry, { suite, label, source, placeOf }: Variation, known: Known): Case {
  const { entry, pointless = pointlessStart(written, known) } = fillLimits(written, known.contract.rules);
  const id = `${suite}/${entry.id}${label && `[${label}]`}`;
  const mistakes = new Mistakes();
  const expected = entry.expect.map(
    (item, index) => mistakes.attempt(() => readExpectation(item, placeOf('expect', index), known.contract)) ?? [],
  );
  const edits = readEdits(entry);
  const ask = mistakes.attempt(() => readAsk({ id, entry, edits, source, placeOf }, known));
  mistakes.throwAny();
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
    ...(pointless && { pointless }),
    expect: [...expected.flat(), ...refusal],
  };
}

/** A case that starts from one without meaning has none either. */
function pointlessStart({ request, control }: CaseEntry, { cases }: Known): Case['pointless'] {
  return cases.get(request ?? control ?? '')?.pointless;
}

/** An edit written as a map has a line for each of its pointers. */
function lineOfEdit(edit: Edit, key: keyof EditKeys, placeOf: PlaceOf): number {
  const inner = 'pointer' in edit && edit.kind !== 'remove' ? [edit.pointer] : [];
  return placeOf(key, ...inner).line;
}

/** `over` may name cases of any suite, so it is checked after all of them are read. `written`: ids that are not read. */
export function checkOver(cases: ReadonlyMap<string, Case>, written: readonly string[], mistakes: Mistakes): void {
  const names: ReadonlySet<string> = new Set([...SELECTIONS, ...cases.keys()]);
  const isWritten = (name: string): boolean => written.includes(name.replace(/\[.*$/, ''));
  for (const testCase of cases.values()) {
    for (const [index, name] of testCase.over.entries()) {
      if (names.has(name) || isWritten(name)) continue;
      mistakes.attempt(() => {
        throw new UsageError(
          `over names "${name}", which is not a case.${didYouMean(name, [...names])}`,
          placeIn(testCase, 'over', index),
        );
      });
    }
  }
}
