/** Holds a described schema against a shape of the contract. */
import { type Alternative, alternativesOf } from './alternatives.ts';
import type { Contradiction } from './contradiction.ts';
import { closedContradictions, requiredContradictions } from './compare-objects.ts';
import { rangeContradictions, typeContradiction, valueContradictions } from './compare-values.ts';
import { type DescriptionReader, member, type Place } from './reader.ts';
import { casesOf, type Shape, type Side } from './shape.ts';

/** `places` are schemas that hold together; `name` is the field that they describe, if it is one. */
export function compare(
  reader: DescriptionReader,
  shape: Shape,
  places: readonly Place[],
  side: Side,
  name = '',
): readonly Contradiction[] {
  const alternatives = alternativesOf(reader, places);
  const judge = (one: Shape) =>
    fewest(alternatives.map((alternative) => compareOne(reader, one, alternative, side, name)));
  return side === 'request' && alternatives.length > 1 ? casesOf(shape).flatMap(judge) : judge(shape);
}

/** One alternative that agrees is enough; where none does, the one that comes nearest shows what is wrong. */
function fewest(found: readonly (readonly Contradiction[])[]): readonly Contradiction[] {
  return found.reduce((least, next) => (next.length < least.length ? next : least));
}

function compareOne(
  reader: DescriptionReader,
  shape: Shape,
  alternative: Alternative,
  side: Side,
  name: string,
): readonly Contradiction[] {
  const { parts } = alternative;
  if (!reader.spend(parts.length)) return [];
  // Of another type, it has no right range or fields either.
  const type = typeContradiction(shape, parts, side);
  if (type) return [type];
  const own =
    side === 'request'
      ? [...rangeContradictions(shape, parts), ...requiredContradictions(reader, shape, alternative)]
      : closedContradictions(shape, parts);
  return [...valueContradictions(reader, shape, parts, side, name), ...own, ...below(reader, shape, alternative, side)];
}

function below(reader: DescriptionReader, shape: Shape, { parts }: Alternative, side: Side): readonly Contradiction[] {
  const found: Contradiction[] = [];
  const descend = (next: Shape, places: readonly Place[], name?: string): void => {
    const described = places.filter(({ value }) => value !== undefined);
    if (described.length > 0) found.push(...compare(reader, next, described, side, name));
  };
  for (const [name, field] of shape.properties) {
    descend(
      field,
      parts.map((part) => member(member(part, 'properties'), name)),
      name,
    );
  }
  if (shape.items)
    descend(
      shape.items,
      parts.map((part) => member(part, 'items')),
    );
  return found;
}
