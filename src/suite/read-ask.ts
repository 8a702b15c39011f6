/** Reads what a case sends: the request that it starts from, its edits, and the cases that it depends on. */
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
}

/** Undefined for a case that sends nothing. */
export function readAsk(read: ReadEntry, known: Known): Case['ask'] {
  const { id, entry, edits, placeOf } = read;
  refuseMixedKeys(read);
  const from = entry.request === undefined ? 'control' : 'request';
  const name = entry[from];
  if (name === undefined) {
    refuseStrayKeys(read);
    return undefined;
  }
  if (entry.over) throw new UsageError(`${id} sends a request and has over. Split it into two cases.`, placeOf('over'));
  if (entry.control !== undefined) refuseOtherEdits(read);
  const start = findStart(id, name, placeOf(from), known);
  const earlier = (key: 'basis' | 'coveredBy' | 'confirm' | 'unlessAnswered' | 'unlessRefused') => {
    const named = entry[key];
    // A built-in suite that is chosen alone asks by itself what a case of another suite would have covered.
    return named === undefined || known.isLeftOut(named) ? undefined : requireCase(named, placeOf(key), known);
  };
  // A case that is not sent shows nothing about this one.
  const sent = (key: 'basis' | 'coveredBy') => {
    const named = earlier(key);
    return named !== undefined && known.cases.get(named)?.pointless ? undefined : named;
  };
  const [basis, coveredBy, confirms] = [sent('basis'), sent('coveredBy'), earlier('confirm')];
  return {
    base: start.base,
    edits: [...start.edits, ...edits.map(({ edit }) => edit)],
    ...(entry.control !== undefined && { control: start.control }),
    ...(basis !== undefined && { basis }),
    ...(coveredBy !== undefined && { coveredBy }),
    ...(confirms !== undefined && { confirms }),
    ...exceptionsOf(earlier),
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

function refuseMixedKeys({ id, entry, placeOf }: ReadEntry): void {
  if (entry.request !== undefined && entry.control !== undefined) {
    throw new UsageError(
      `${id} has both request and control. Keep request if the case has to be answered, control if it edits one.`,
      placeOf('control'),
    );
  }
  if (entry.always && !entry.over?.every(isSelection))
    throw new UsageError(`${id} has always. Add over, with only selections such as *.`, placeOf('always'));
}

/** Without a request, nothing may concern one. */
function refuseStrayKeys({ id, entry, edits, placeOf }: ReadEntry): void {
  const last = edits.at(-1);
  if (last) throw new UsageError(`${id} edits a request but names none. Add request or control.`, placeOf(last.key));
  const stray = SENDING_KEYS.find((key) => entry[key] !== undefined);
  if (stray) throw new UsageError(`${id} has ${stray} but sends nothing. Add request or control.`, placeOf(stray));
}

/** Else a refusal would not show which edit was refused. */
function refuseOtherEdits({ id, edits, source, placeOf }: ReadEntry): void {
  if (edits.length === 1) return;
  const last = edits.at(-1);
  throw new UsageError(
    `${id} makes ${edits.length} edits to its control. Make exactly one.`,
    last ? placeOf(last.key) : source,
  );
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
