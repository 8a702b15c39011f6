/** Expands `allOf`, `oneOf` and `anyOf` into alternatives, each a list of plain schemas. */
import { type DescriptionReader, items, member, type Place, type Spot } from './reader.ts';

export interface Alternative {
  /** Schemas that apply at the same time. */
  readonly parts: readonly Spot[];
  /** False if a part could not be read: then nothing counts as missing. */
  readonly whole: boolean;
}

/** A schema beyond these limits is not compared: twenty choices of two make a million alternatives. */
const MAX_ALTERNATIVES = 64;
const MAX_PARTS = 64;
const MAX_DEPTH = 32;

const UNREAD: readonly Alternative[] = [{ parts: [], whole: false }];

/** `places`: schemas that apply at the same time. The result is never empty. */
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

/** The Cartesian product of the groups. */
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
