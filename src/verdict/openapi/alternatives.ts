/** Takes `allOf`, `oneOf` and `anyOf` apart: the ways in which a value can satisfy a schema, each a list of plain parts. */
import { type DescriptionReader, items, member, type Place, type Spot } from './reader.ts';

export interface Alternative {
  /** Schemas that hold together. */
  readonly parts: readonly Spot[];
  /** False where something that belongs to it could not be read, so that nothing can be said to be missing. */
  readonly whole: boolean;
}

/** Beyond these a schema is left alone: twenty choices of two are a million alternatives. */
const MOST_ALTERNATIVES = 64;
const MOST_PARTS = 64;
const DEEPEST = 32;

const UNREAD: readonly Alternative[] = [{ parts: [], whole: false }];

/** Of several schemas that hold together. Never empty. */
export function alternativesOf(reader: DescriptionReader, places: readonly Place[]): readonly Alternative[] {
  return together(
    places.map((place) => expand(reader, place, [])),
    reader,
    places[0],
  );
}

function expand(reader: DescriptionReader, place: Place, above: readonly string[]): readonly Alternative[] {
  if (!reader.spend()) return unread(reader, place);
  const spot = reader.follow(place);
  if (!spot) return UNREAD;
  if (above.includes(spot.pointer) || above.length >= DEEPEST) return unread(reader, place);
  const below = [...above, spot.pointer];
  const branches = (name: string) =>
    firstOf(items(member(spot, name)), reader, spot)?.map((one) => expand(reader, one, below));
  const all = branches('allOf');
  const choices = ['oneOf', 'anyOf'].map((name) => branches(name)?.flat());
  if (!all || choices.includes(undefined)) return UNREAD;
  const own: readonly Alternative[] = [{ parts: [spot], whole: true }];
  const real = choices.filter(
    (choice) => choice !== undefined && choice.length > 0,
  ) as readonly (readonly Alternative[])[];
  return together([own, ...all, ...real], reader, place);
}

/** Every combination of one alternative from each. */
function together(
  groups: readonly (readonly Alternative[])[],
  reader: DescriptionReader,
  place: Place | undefined,
): readonly Alternative[] {
  let sofar: readonly Alternative[] = [{ parts: [], whole: true }];
  for (const group of groups) {
    if (sofar.length * group.length > MOST_ALTERNATIVES) return unread(reader, place);
    sofar = sofar.flatMap((one) =>
      group.map((other) => ({ parts: [...one.parts, ...other.parts], whole: one.whole && other.whole })),
    );
    if (sofar.some(({ parts }) => parts.length > MOST_PARTS)) return unread(reader, place);
  }
  return sofar;
}

/** Nothing where there are too many of them. */
function firstOf(places: Iterable<Place>, reader: DescriptionReader, spot: Spot): readonly Place[] | undefined {
  const taken: Place[] = [];
  for (const place of places) {
    if (taken.length === MOST_ALTERNATIVES) return reader.leave(spot);
    taken.push(place);
  }
  return taken;
}

function unread(reader: DescriptionReader, place: Place | undefined): readonly Alternative[] {
  if (place) reader.leave(place);
  return UNREAD;
}
