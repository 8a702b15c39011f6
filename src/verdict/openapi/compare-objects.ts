/** Which fields a description asks for, and whether it lets others in. */
import { cutText } from '../finding.ts';
import type { Alternative } from './alternatives.ts';
import type { Contradiction } from './contradiction.ts';
import { type DescriptionReader, items, member, type Spot } from './reader.ts';
import type { Shape } from './shape.ts';

/** Fields beyond the contract's that are shown one by one. */
const MOST_SHOWN = 20;

/** For requests: exactly the fields that the contract requires. In answers a promise of more is welcome. */
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
  const expected = `only ${shape.required.join(' and ')} to be required`;
  const missing = whole ? shape.required.filter((name) => !asked.has(name)) : [];
  const extra = [...asked].filter(([name]) => !shape.required.includes(name) && !isReadOnly(reader, parts, name));
  const place = [...asked.values()][0] ?? parts[0]?.pointer ?? '';
  return [
    ...missing.map((name) => ({
      pointer: place,
      mismatch: 'required',
      expected: `${shape.required.join(' and ')} to be required`,
      actualType: `${name} is not required`,
      actual: `${name} is not required`,
    })),
    ...extra.slice(0, MOST_SHOWN).map(([name, pointer]) => {
      const actual = `${cutText(name, 60)} is required as well`;
      return { pointer, mismatch: 'required', expected, actualType: actual, actual };
    }),
  ];
}

/** OpenAPI 3.0.3, Schema Object: a field that is read-only is required in answers alone. */
function isReadOnly(reader: DescriptionReader, parts: readonly Spot[], name: string): boolean {
  return parts.some((part) => reader.peek(member(member(part, 'properties'), name))?.value['readOnly'] === true);
}

/** Part 9.3: new fields may come at any time, so that an answer closed to them contradicts the contract. */
export function closedContradictions(shape: Shape, parts: readonly Spot[]): readonly Contradiction[] {
  if (!shape.types.has('object')) return [];
  return parts.flatMap((part) => {
    if (part.value['additionalProperties'] !== false) return [];
    return [
      {
        pointer: member(part, 'additionalProperties').pointer,
        mismatch: 'closed',
        expected: 'further fields to be allowed in an answer',
        actualType: 'none are allowed',
        actual: 'additionalProperties: false',
      },
    ];
  });
}
