/** Takes `allOf`, `oneOf` and `anyOf` apart: the ways in which a value can satisfy a schema, each a list of plain parts. */
import { type DescriptionReader, items, member, type Place, type Spot } from './reader.ts';

export interface Alternative {
  /** Schemas that hold together. */
  readonly parts: readonly Spot[];
  /** False where something that belongs to it could not be read, so that nothing can be said to be missing. */
  readonly whole: boolean;
}

/** Beyond these a schema is left alone: twenty choices of two are a million alternatives. */
const MAX_ALTERNATIVES = 64;
const MAX_PARTS = 64;
const MAX_DEPTH = 32;

const UNREAD: readonly Alternative[] = [{ parts: [], whole: false }];

/** Of several schemas that hold together. Never empty. */
export function alternativesOf(reader: DescriptionReader, places: readonly Place[]): readonly Alternative[] {
  return combineAlternatives(
    places.map((place) => expand(reader, place, [])),
    reader,
    places[0],
  );
}

function expand(reader: DescriptionReader, place: Place, above: readonly string[]): readonly Alternative[] {
  if (!reader.spend()) return leaveUnread(reader, place);
  const spot = reader.follow(place);
  if (!spot) return UNREAD;
  if (above.includes(spot.pointer) || above.length >= MAX_DEPTH) return leaveUnread(reader, place);
  const below = [...above, spot.pointer];
  const groups: (readonly Alternative[])[] = [[{ parts: [spot], whole: true }]];
  for (const keyword of ['allOf', 'oneOf', 'anyOf']) {
    const list = member(spot, keyword);
    if (Array.isArray(list.value) && list.value.length > MAX_ALTERNATIVES) return leaveUnread(reader, spot);
    const branches = [...items(list)].map((branch) => expand(reader, branch, below));
    if (keyword === 'allOf') groups.push(...branches);
    else if (branches.length > 0) groups.push(branches.flat());
  }
  return combineAlternatives(groups, reader, place);
}

/** Every combination of one alternative from each. */
function combineAlternatives(
  groups: readonly (readonly Alternative[])[],
  reader: DescriptionReader,
  place: Place | undefined,
): readonly Alternative[] {
  let sofar: readonly Alternative[] = [{ parts: [], whole: true }];
  for (const group of groups) {
    if (sofar.length * group.length > MAX_ALTERNATIVES) return leaveUnread(reader, place);
    sofar = sofar.flatMap((combination) =>
      group.map((other) => ({
        parts: [...combination.parts, ...other.parts],
        whole: combination.whole && other.whole,
      })),
    );
    if (sofar.some(({ parts }) => parts.length > MAX_PARTS)) return leaveUnread(reader, place);
  }
  return sofar;
}

function leaveUnread(reader: DescriptionReader, place: Place | undefined): readonly Alternative[] {
  if (place) reader.leave(place);
  return UNREAD;
}
