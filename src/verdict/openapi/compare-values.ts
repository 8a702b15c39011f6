/** Compares types, enums and ranges. */
import type { Json } from '../../json.ts';
import type { BoundKeyword } from '../actual.ts';
import { valueFound } from '../finding.ts';
import {
  type Contradiction,
  fewValues,
  type Role,
  type Shape,
  type Side,
  namedTypes,
  namesOf,
  typesOf,
  type ValueTypes,
  valuesOf,
} from './shape.ts';
import { type DescriptionReader, member, type Spot } from './reader.ts';

export function typeContradiction(shape: Shape, parts: readonly Spot[], side: Side): Contradiction | undefined {
  const typed = parts.flatMap((part) => {
    // An enum that is too narrow for a request is reported as such, unless only the enum gives the type.
    const types = (side === 'request' ? namedTypes(part.value) : undefined) ?? typesOf(part.value);
    return types ? [{ part, types }] : [];
  });
  if (side === 'request') {
    const wrong = typed.find(({ types }) => !covers(types, shape.types));
    return wrong && anotherType(shape, wrong.part, wrong.types);
  }
  const [first, ...others] = typed;
  if (!first) return undefined;
  // All parts apply, so only the types that all of them allow remain.
  const types = new Set([...first.types].filter((type) => others.every((other) => other.types.has(type))));
  return covers(shape.types, types) ? undefined : anotherType(shape, first.part, types);
}

function covers(wide: ValueTypes, narrow: ValueTypes): boolean {
  return [...narrow].every((type) => wide.has(type));
}

function anotherType(shape: Shape, part: Spot, types: ValueTypes): Contradiction {
  const names = namesOf(types);
  const isNullAlone =
    part.value['nullable'] === true && [...types].every((type) => type === 'null' || shape.types.has(type));
  const keyword = isNullAlone ? 'nullable' : part.value['type'] === undefined ? 'enum' : 'type';
  return {
    pointer: member(part, keyword).pointer,
    mismatch: 'type',
    expected: { kind: 'type', types: namesOf(shape.types) },
    actualType: names.length > 1 ? 'several-types' : (names[0] ?? 'no-type'),
    actual: { kind: 'types', types: names },
  };
}

/** Model ids belong to the deployment, so listing them in an enum is fine. */
const OPEN_TO_NAMES: ReadonlySet<string> = new Set(['model']);

export function valueContradictions(
  reader: DescriptionReader,
  shape: Shape,
  parts: readonly Spot[],
  { side, name = '' }: Role,
): readonly Contradiction[] {
  return parts.flatMap((part): readonly Contradiction[] => {
    const values = valuesOf(part.value);
    if (!values || !reader.spend(values.length)) return [];
    const problem = side === 'request' ? missingValues(shape, values, name) : foreignValues(shape, values);
    if (problem === undefined) return [];
    const keyword = Object.hasOwn(part.value, 'const') ? 'const' : 'enum';
    const actual = valueFound(values.slice(0, MAX_VALUES));
    return [{ pointer: member(part, keyword).pointer, mismatch: 'value', ...problem, actual }];
  });
}

/** More than a finding shows. */
const MAX_VALUES = 60;

type Problem = Pick<Contradiction, 'expected' | 'actualType'>;

function missingValues(shape: Shape, values: readonly Json[], name: string): Problem | undefined {
  const few = fewValues(shape);
  if (!few) {
    const expected = { kind: 'every-value', types: namesOf(shape.types) } as const;
    return OPEN_TO_NAMES.has(name) ? undefined : { expected, actualType: 'some-values' };
  }
  const missing = few.filter((value) => !values.includes(value));
  if (missing.length === 0) return undefined;
  return { expected: { kind: 'all-values', values: few, missing }, actualType: 'missing-values' };
}

/** An answer may have fewer values than the contract, and new ones, but must share at least one. */
function foreignValues(shape: Shape, values: readonly Json[]): Problem | undefined {
  if (!shape.values || shape.values.some((value) => values.includes(value))) return undefined;
  return { expected: { kind: 'any-of-values', values: shape.values }, actualType: 'other-values' };
}

/** Largest signed 32-bit integer. Tools write it for "no bound", and nobody asks for more tokens. */
const FAR = 2 ** 31 - 1;

/** If the contract has no bound, any bound is narrower. Lengths are not compared: part 8 leaves them open. */
export function rangeContradictions(shape: Shape, parts: readonly Spot[]): readonly Contradiction[] {
  if (!shape.types.has('integer')) return [];
  const { minimum = -FAR, maximum = FAR } = shape;
  const isWhole = !shape.types.has('fraction');
  const range = { ...(shape.minimum !== undefined && { minimum }), ...(shape.maximum !== undefined && { maximum }) };
  return parts.flatMap((part) =>
    [
      ...boundsOf(part, 'minimum').filter(({ bound, isOpen }) => excludes(bound - minimum, isOpen, isWhole)),
      ...boundsOf(part, 'maximum').filter(({ bound, isOpen }) => excludes(maximum - bound, isOpen, isWhole)),
      ...stepsOf(part, isWhole),
    ].map(({ at, keyword, bound }) => ({
      pointer: member(part, at).pointer,
      mismatch: 'range',
      expected: { kind: 'range', ...range },
      actualType: 'narrower-range',
      actual: { kind: 'bound', keyword, bound },
    })),
  );
}

/** Whether a bound excludes a value that the contract allows. `further`: how much narrower it is than the contract's. */
function excludes(further: number, isOpen: boolean, isWhole: boolean): boolean {
  if (!isOpen) return further > 0;
  // Above 0, integers begin at 1.
  return isWhole ? further > -1 : further >= 0;
}

interface Bound {
  readonly bound: number;
  /** Whether the bound itself is excluded. */
  readonly isOpen: boolean;
  readonly keyword: BoundKeyword;
  /** The keyword that has the number. */
  readonly at: BoundKeyword;
}

/** Whole numbers are multiples of 1, of 0.5 and so on; of any other number, only some are. */
function stepsOf({ value: { multipleOf: step } }: Spot, isWhole: boolean): readonly Bound[] {
  if (typeof step !== 'number' || step <= 0 || (isWhole && Number.isInteger(1 / step))) return [];
  return [{ bound: step, isOpen: false, keyword: 'multipleOf', at: 'multipleOf' }];
}

function boundsOf({ value: schema }: Spot, side: 'minimum' | 'maximum'): readonly Bound[] {
  const exclusive = side === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum';
  // In 3.0 a flag beside the bound, in 3.1 a bound itself.
  const [bound, beside] = [schema[side], schema[exclusive]];
  const isOpen = beside === true;
  return [
    ...(typeof bound === 'number' ? [{ bound, isOpen, keyword: isOpen ? exclusive : side, at: side } as const] : []),
    ...(typeof beside === 'number'
      ? [{ bound: beside, isOpen: true, keyword: exclusive, at: exclusive } as const]
      : []),
  ];
}
