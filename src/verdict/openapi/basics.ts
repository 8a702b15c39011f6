/** Version, operations and bearer scheme: what a description is there to state (part 9.8). */
import { typeOf } from '../../json.ts';
import { valueFound } from '../finding.ts';
import { contractOperations } from './agreement.ts';
import type { Contradiction } from './contradiction.ts';
import { findOperation, noteUnread, operationsOf } from './operations.ts';
import { type DescriptionReader, items, member, members, type Place } from './reader.ts';

export function versionContradictions({ root }: DescriptionReader): readonly Contradiction[] {
  return differing(member(root, 'openapi'), '3.0.3');
}

export function interfaceVersionContradictions({ root }: DescriptionReader): readonly Contradiction[] {
  return differing(member(member(root, 'info'), 'version'), '1.0.0');
}

function differing({ value, pointer }: Place, expected: string): readonly Contradiction[] {
  if (value === expected) return [];
  const mismatch = value === undefined ? 'absent' : 'value';
  const actualType = typeof value === 'string' ? 'another text' : typeOf(value);
  return [
    { pointer, mismatch, expected: { kind: 'constant', value: expected }, actualType, actual: valueFound(value) },
  ];
}

export function operationContradictions(reader: DescriptionReader): readonly Contradiction[] {
  const described = operationsOf(reader);
  return contractOperations().flatMap((own) => {
    const found = findOperation(own, described);
    if (found) return differing(member(found.spot, 'operationId'), own.id);
    noteUnread(reader, own);
    const expected = { kind: 'operation', id: own.id, method: own.method, path: own.path } as const;
    const actual = { kind: 'no-operation' } as const;
    return [{ pointer: '/paths', mismatch: 'absent', expected, actualType: 'absent', actual }];
  });
}

export function bearerContradictions(reader: DescriptionReader): readonly Contradiction[] {
  const schemes = member(member(reader.root, 'components'), 'securitySchemes');
  const bearers = new Set<string>();
  for (const [name, place] of members(schemes)) {
    if (!reader.spend()) break;
    const { type, scheme } = reader.peek(place)?.value ?? {};
    // RFC 9110 section 11.1: the name of a scheme is written in any case.
    if (type === 'http' && typeof scheme === 'string' && scheme.toLowerCase() === 'bearer') bearers.add(name);
  }
  if (bearers.size === 0) {
    for (const [, place] of members(schemes)) reader.follow(place);
    const expected = { kind: 'bearer-scheme' } as const;
    const actual = { kind: 'no-scheme' } as const;
    return [{ pointer: schemes.pointer, mismatch: 'absent', expected, actualType: 'absent', actual }];
  }
  const described = operationsOf(reader);
  const applies = (security: Place): boolean =>
    [...items(security)].some((one) => [...members(one)].some(([name]) => bearers.has(name)));
  return contractOperations().flatMap((own) => {
    const found = findOperation(own, described);
    if (!found) return [];
    // What an operation says of its security stands in place of what is said for all.
    const of = member(found.spot, 'security');
    const security = of.value === undefined ? member(reader.root, 'security') : of;
    if (applies(security)) return [];
    const expected = { kind: 'bearer-on', operation: own.id } as const;
    const actual = valueFound(security.value);
    return [{ pointer: security.pointer, mismatch: 'security', expected, actualType: typeOf(security.value), actual }];
  });
}
