/** Reads what a case sends: the request that it starts from, its edits, and the cases that it depends on. */
import type { Mistakes } from '../mistakes.ts';
import { didYouMean } from '../text/suggestion.ts';
import { UsageError } from '../usage-error.ts';
import { type Ask, type BaseRequest, type Case, type Edit, isSelection, type SourcePlace } from './case.ts';
import type { Known, PlaceOf } from './case-entry.ts';
import type { ReadEdit } from './case-parts.ts';
import type { CaseEntry } from './suite-file.ts';

/** A case as far as it was read. */
interface ReadEntry {
  readonly id: string;
  readonly entry: CaseEntry;
  readonly edits: readonly ReadEdit[];
  readonly source: SourcePlace;
  readonly placeOf: PlaceOf;
  /** Those of the case. Reading goes on after each, to find the others. */
  readonly mistakes: Mistakes;
}

/** Undefined for a case that sends nothing, or whose start is wrong. */
export function readAsk(read: ReadEntry, known: Known): Case['ask'] {
  const { id, entry, edits, placeOf, mistakes } = read;
  refuseMixedKeys(read);
  const from = entry.request === undefined ? 'control' : 'request';
  const name = entry[from];
  if (name === undefined) {
    refuseStrayKeys(read);
    return undefined;
  }
  if (entry.over) {
    mistakes.note(new UsageError(`${id} sends a request and has over. Split it into two cases.`, placeOf('over')));
  }
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
  const [basis, coveredBy, confirms] = [sent('basis'), sent('coveredBy'), earlier('confirm')];
  const exceptions = exceptionsOf(earlier);
  if (!start) return undefined;
  return {
    base: start.base,
    edits: [...start.edits, ...edits.map(({ edit }) => edit)],
    ...(entry.control !== undefined && { control: start.control }),
    ...(basis !== undefined && { basis }),
    ...(coveredBy !== undefined && { coveredBy }),
    ...(confirms !== undefined && { confirms }),
    ...exceptions,
    ...(entry.filler && { filler: entry.filler }),
    ...(entry.patient && { patient: true }),
    ...(entry.repeat && { repeat: entry.repeat }),
    sample: entry.sample ?? false,
    ...(entry.parallel && { parallel: true }),
    closing: entry.wave === 'closing',
  };
}

/** When the request need not be sent. */
function exceptionsOf(
  earlier: (key: 'unlessAnswered' | 'unlessRefused') => string | undefined,
): Pick<Ask, 'unlessAnswered' | 'unlessRefused'> {
  const [unlessAnswered, unlessRefused] = [earlier('unlessAnswered'), earlier('unlessRefused')];
  return {
    ...(unlessAnswered !== undefined && { unlessAnswered }),
    ...(unlessRefused !== undefined && { unlessRefused }),
  };
}

function refuseMixedKeys({ id, entry, placeOf, mistakes }: ReadEntry): void {
  if (entry.request !== undefined && entry.control !== undefined) {
    const remedy = 'Keep request if the case has to be answered, control if it edits one.';
    mistakes.note(new UsageError(`${id} has both request and control. ${remedy}`, placeOf('control')));
  }
  if (entry.always && !entry.over?.every(isSelection)) {
    mistakes.note(new UsageError(`${id} has always. Add over, with only selections such as *.`, placeOf('always')));
  }
}

/** Without a request, nothing may concern one. */
function refuseStrayKeys({ id, entry, edits, placeOf, mistakes }: ReadEntry): void {
  const last = edits.at(-1);
  const stray = SENDING_KEYS.find((key) => entry[key] !== undefined);
  const remedy = 'Add request or control.';
  if (last) mistakes.note(new UsageError(`${id} edits a request but names none. ${remedy}`, placeOf(last.key)));
  else if (stray) mistakes.note(new UsageError(`${id} has ${stray} but sends nothing. ${remedy}`, placeOf(stray)));
}

/** Else a refusal would not show which edit was refused. */
function refuseOtherEdits({ id, edits, source, placeOf, mistakes }: ReadEntry): void {
  if (edits.length === 1) return;
  const last = edits.at(-1);
  const message = `${id} makes ${edits.length} edits to its control. Make exactly one.`;
  mistakes.note(new UsageError(message, last ? placeOf(last.key) : source));
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
  'filler',
  'patient',
] as const;

interface Start {
  readonly base: BaseRequest;
  readonly edits: readonly Edit[];
  readonly control: string;
}

/**
 * A case starts from a base request, or from the request of an earlier case. If that case is an edit itself, it should be
 * refused, so its own control is the one that has to be answered.
 */
function findStart(id: string, name: string, source: SourcePlace, known: Known): Start | undefined {
  const base = known.requests.get(name);
  if (base) return { base, edits: [], control: base.control ?? name };
  const earlier = known.cases.get(name)?.ask;
  if (earlier) return { base: earlier.base, edits: earlier.edits, control: earlier.control ?? name };
  if (known.isUnread(name)) return undefined;
  const names = [...known.requests.keys(), ...known.cases.keys()];
  throw new UsageError(
    `${id} starts from "${name}", which is neither a request nor an earlier case.${didYouMean(name, names)}`,
    source,
  );
}

function requireCase(id: string, source: SourcePlace, known: Known): string {
  if (!known.cases.has(id) && !known.isUnread(id)) {
    throw new UsageError(`"${id}" is not an earlier case.${didYouMean(id, [...known.cases.keys()])}`, source);
  }
  return id;
}
