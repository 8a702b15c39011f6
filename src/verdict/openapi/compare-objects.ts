/** Which fields a description asks for, and whether it lets others in. */
import { quoteText } from '../../text/quote.ts';
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
  const missing = whole ? shape.required.filter((name) => !asked.has(name)) : [];
  const extra = [...asked].filter(([name]) => !shape.required.includes(name) && !isReadOnly(reader, parts, name));
  const place = [...asked.values()][0] ?? parts[0]?.pointer ?? '';
  return [
    ...missing.map((name): Contradiction => ({
      pointer: place,
      mismatch: 'required',
      expected: { kind: 'required-fields', fields: shape.required },
      actualType: `${name} is not required`,
      actual: { kind: 'field-not-required', field: name },
    })),
    ...extra.slice(0, MOST_SHOWN).map(([name, pointer]): Contradiction => {
      const field = quoteText(name, 60);
      return {
        pointer,
        mismatch: 'required',
        expected: { kind: 'no-other-required-fields', fields: shape.required },
        // The form is part of fingerprints.
        actualType: `${field.quote}${field.isCut ? `… (${name.length} characters)` : ''} is required as well`,
        actual: { kind: 'field-required', field },
      };
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
  return parts.flatMap((part): readonly Contradiction[] => {
    if (part.value['additionalProperties'] !== false) return [];
    return [
      {
        pointer: member(part, 'additionalProperties').pointer,
        mismatch: 'closed',
        expected: { kind: 'open-object' },
        actualType: 'none are allowed',
        actual: { kind: 'closed-object' },
      },
    ];
  });
}
