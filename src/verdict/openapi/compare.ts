/** Compares a described schema with a shape of the contract. */
import { type Alternative, alternativesOf } from './alternatives.ts';
import { type Contradiction, casesOf, type Role, type Shape, type Side } from './shape.ts';
import { rangeContradictions, typeContradiction, valueContradictions } from './compare-values.ts';
import { type DescriptionReader, member, type Place, items, type Spot } from './reader.ts';
import { quoteText } from '../../text/quote.ts';

/** `places`: schemas that apply at the same time. */
export function compare(
  reader: DescriptionReader,
  shape: Shape,
  places: readonly Place[],
  role: Role,
): readonly Contradiction[] {
  const alternatives = alternativesOf(reader, places);
  const judge = (variant: Shape) =>
    pickFewest(alternatives.map((alternative) => compareAlternative(reader, variant, alternative, role)));
  return role.side === 'request' && alternatives.length > 1 ? casesOf(shape).flatMap(judge) : judge(shape);
}

/** One matching alternative is enough. If none matches, the closest one is reported. */
function pickFewest(found: readonly (readonly Contradiction[])[]): readonly Contradiction[] {
  return found.reduce((least, next) => (next.length < least.length ? next : least));
}

function compareAlternative(
  reader: DescriptionReader,
  shape: Shape,
  alternative: Alternative,
  role: Role,
): readonly Contradiction[] {
  const { side } = role;
  const { parts } = alternative;
  if (!reader.spend(parts.length)) return [];
  // With the wrong type, range and fields are not worth comparing.
  const type = typeContradiction(shape, parts, side);
  if (type) return [type];
  const own =
    side === 'request'
      ? [...rangeContradictions(shape, parts), ...requiredContradictions(reader, shape, alternative)]
      : closedContradictions(shape, parts);
  return [
    ...valueContradictions(reader, shape, parts, role),
    ...own,
    ...compareBelow(reader, shape, alternative, side),
  ];
}

function compareBelow(
  reader: DescriptionReader,
  shape: Shape,
  { parts }: Alternative,
  side: Side,
): readonly Contradiction[] {
  const descend = (next: Shape, places: readonly Place[], name?: string): readonly Contradiction[] => {
    const described = places.filter(({ value }) => value !== undefined);
    return described.length === 0
      ? []
      : compare(reader, next, described, { side, ...(name !== undefined && { name }) });
  };
  const members = (name: string): readonly Place[] => parts.map((part) => member(part, name));
  const fields = [...shape.properties].flatMap(([name, field]) => {
    const described = members('properties').map((properties) => member(properties, name));
    return descend(field, described, name);
  });
  return shape.items ? [...fields, ...descend(shape.items, members('items'))] : fields;
}

/** Extra required fields that are reported. */
const MAX_EXTRA_FIELDS = 20;

/** For requests: exactly the fields that the contract requires. Answers may promise more. */
export function requiredContradictions(
  reader: DescriptionReader,
  shape: Shape,
  { parts, whole }: Alternative,
): readonly Contradiction[] {
  if (!shape.types.has('object')) return [];
  const asked = new Map<string, string>();
  for (const part of parts) {
    const list = member(part, 'required');
    for (const { value } of items(list)) {
      if (!reader.spend()) return [];
      if (typeof value === 'string') asked.set(value, list.pointer);
    }
  }
  const missing = whole ? shape.required.filter((name) => !asked.has(name)) : [];
  const extra = [...asked].filter(([name]) => !shape.required.includes(name) && !isReadOnly(reader, parts, name));
  const place = [...asked.values()][0] ?? parts[0]?.pointer ?? '';
  return [
    ...missing.map((name): Contradiction => ({
      pointer: place,
      mismatch: 'required',
      expected: { kind: 'required-fields', fields: shape.required },
      actualType: 'field-not-required',
      actual: { kind: 'field-not-required', field: name },
    })),
    ...extra.slice(0, MAX_EXTRA_FIELDS).map(([name, pointer]): Contradiction => ({
      pointer,
      mismatch: 'required',
      expected: { kind: 'no-other-required-fields', fields: shape.required },
      actualType: 'field-required',
      actual: { kind: 'field-required', field: quoteText(name, 60) },
    })),
  ];
}

/** OpenAPI 3.0.3, Schema Object: a read-only field is required only in answers. */
function isReadOnly(reader: DescriptionReader, parts: readonly Spot[], name: string): boolean {
  return parts.some((part) => reader.peek(member(member(part, 'properties'), name))?.value['readOnly'] === true);
}

/** Part 9.3: fields may be added at any time, so a closed answer contradicts the contract. */
export function closedContradictions(shape: Shape, parts: readonly Spot[]): readonly Contradiction[] {
  if (!shape.types.has('object')) return [];
  const closed = parts.filter(({ value }) => value['additionalProperties'] === false);
  return closed.map((part) => ({
    pointer: member(part, 'additionalProperties').pointer,
    mismatch: 'closed',
    expected: { kind: 'open-object' },
    actualType: 'closed-object',
    actual: { kind: 'closed-object' },
  }));
}
