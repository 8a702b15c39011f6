/** The shapes of answers, with the fields that parts 2 and 7 define. */
import type { Exchange } from '../../exchange/exchange.ts';
import { hasErrorMember, isObject, type Json, type JsonObject, memberOf } from '../../json.ts';
import type { Endpoint, Mode } from '../../plan/plan.ts';
import { allAnswers, itemsOf, objectOf } from './answers.ts';

/** The contract's fields of each object, by pointer, with `*` for array items. */
const SHAPES = {
  completion: {
    '': ['id', 'object', 'created', 'model', 'choices', 'usage'],
    '/choices/*': ['index', 'message', 'finish_reason'],
    '/choices/*/message': ['role', 'content'],
    '/usage': ['prompt_tokens', 'completion_tokens', 'total_tokens'],
  },
  'model-list': {
    '': ['object', 'data'],
    '/data/*': ['id', 'object', 'owned_by'],
  },
  error: {
    '': ['error'],
    '/error': ['message', 'type', 'code'],
  },
} as const satisfies Record<string, Readonly<Record<string, readonly string[]>>>;

export type Shape = keyof typeof SHAPES;

// Pointers such as `/choices/*/message/role`.
export function contractFields(shape: Shape): ReadonlySet<string> {
  const places = Object.entries(SHAPES[shape] as Readonly<Record<string, readonly string[]>>);
  return new Set(places.flatMap(([place, fields]) => fields.map((field) => `${place}/${field}`)));
}

export interface ShapedAnswer {
  readonly shape: Shape;
  readonly value: JsonObject;
}

export function shapeOfAnswer(endpoint: Endpoint, mode: Mode, status: number): Shape | undefined {
  if (endpoint === 'other') return undefined;
  if (status >= 400) return 'error';
  // Stream checks deal with chunks.
  if (status !== 200 || mode === 'stream') return undefined;
  return endpoint === 'models' ? 'model-list' : 'completion';
}

/** Every answer that is a JSON object of a known shape, retried attempts included. */
export function* shapedAnswers(exchanges: readonly Exchange[]): Generator<ShapedAnswer> {
  for (const { exchange, answer } of allAnswers(exchanges)) {
    const { endpoint, mode } = exchange.request;
    const shape = shapeOfAnswer(endpoint, mode, answer.status);
    const value = shape && objectOf(answer);
    // An error disguised as success would make every field of a completion look optional.
    if (shape && value && (shape === 'error' || !hasErrorMember(value))) yield { shape, value };
  }
}

interface ShapePlace {
  /** Shape and place, such as `completion /usage`. */
  readonly title: string;
  readonly tokens: readonly string[];
  /** The contract's fields: name → title, such as `completion /usage/total_tokens`. */
  readonly fields: ReadonlyMap<string, string>;
}

const PLACES = new Map<Shape, readonly ShapePlace[]>(
  (Object.keys(SHAPES) as Shape[]).map((shape) => [
    shape,
    Object.entries(SHAPES[shape] as Readonly<Record<string, readonly string[]>>).map(([place, fields]) => ({
      title: `${shape} ${place}`,
      tokens: place.split('/').slice(1),
      fields: new Map(fields.map((field) => [field, `${shape} ${place}/${field}`])),
    })),
  ]),
);

interface ShapedObject {
  readonly object: JsonObject;
  readonly place: ShapePlace;
}

/** Each object of the shape in this value. */
export function objectsOf({ shape, value }: ShapedAnswer): readonly ShapedObject[] {
  const found: ShapedObject[] = [];
  for (const place of PLACES.get(shape) ?? []) addObjects(value, place, 0, found);
  return found;
}

// Places are such as `/choices/*/message`; `depth` tokens of one lead to the value.
function addObjects(value: Json | undefined, place: ShapePlace, depth: number, found: ShapedObject[]): void {
  const token = place.tokens[depth];
  if (token === '*') for (const item of itemsOf(value)) addObjects(item, place, depth + 1, found);
  else if (token !== undefined) addObjects(memberOf(value, token), place, depth + 1, found);
  else if (isObject(value)) found.push({ object: value, place });
}
