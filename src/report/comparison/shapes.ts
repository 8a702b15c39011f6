/** Infers the shape of answers per endpoint, mode and status: fields, how often they occur, and their types. */
import { hasErrorMember, isObject, type Json, parseJson, pointerOf, typeOf } from '../../json.ts';
import type { Endpoint, Mode } from '../../plan/plan.ts';
import { type AnswerShape, shapeOfAnswer } from '../../verdict/checks/observed-fields.ts';
import type { ObservedExchange } from './observed-exchange.ts';

export interface FieldCount {
  /** Answers in which every parent object has it, and in which any does. */
  inAll: number;
  inAny: number;
  /** Each with exchanges that show it. */
  readonly types: Map<string, string[]>;
  readonly exchanges: string[];
}

/** Words, with exchanges that have them. */
export type Vocabulary = Map<string, string[]>;

export interface ObservedShape {
  readonly endpoint: Endpoint;
  readonly mode: Mode;
  readonly status: number;
  /** The resource of the contract; chunks of a stream are none. */
  readonly resource: AnswerShape | undefined;
  answers: number;
  readonly exchanges: string[];
  /** A JSON type, `event stream` or `no JSON`. */
  readonly bodyTypes: Set<string>;
  /** Answers that had an object at this place, by pointer, with `*` for every item of a list. */
  readonly places: Map<string, number>;
  /** By pointer as well. */
  readonly fields: Map<string, FieldCount>;
  /** Values of the fields that hold words of a vocabulary. */
  readonly words: Map<string, Vocabulary>;
}

/** Exchanges listed per change. */
export const MAX_EXCHANGES = 3;
/** A target may send a new name every time. */
const MAX_FIELDS = 2_000;
const MAX_WORDS = 200;
const MAX_WORD_LENGTH = 100;
const MAX_DEPTH = 12;

/** Fields whose values are a vocabulary: the contract has no list of them, so a new one is additive. */
const VOCABULARIES = new Set(['/choices/*/finish_reason', '/error/type', '/error/code']);

export type ObservedShapes = Map<string, ObservedShape>;

export function addToShapes(shapes: ObservedShapes, { id, endpoint, mode, answer }: ObservedExchange): void {
  if (!answer || endpoint === 'other') return;
  const { status, text, stream } = answer;
  const isStream = mode === 'stream' && status === 200;
  // A body that was cut may lack fields only for that reason.
  if (!isStream && text === undefined) return;
  const values = isStream ? (stream?.events ?? []).map(parseJson) : [parseJson(text)];
  // An error disguised as success would make every field of a completion look optional.
  if (status === 200 && values.some(hasErrorMember)) return;
  const name = `${endpoint} ${mode} ${status}`;
  const shape = shapes.get(name) ?? newShape(endpoint, mode, status);
  shapes.set(name, shape);
  shape.answers += 1;
  addExchange(shape.exchanges, id);
  shape.bodyTypes.add(bodyType(values, isStream));
  const seen: Seen = { objects: new Map(), fields: new Map() };
  for (const value of values) collectFields(value, '', seen, 0);
  countFields(shape, seen, id, isStream);
}

function bodyType(values: readonly (Json | undefined)[], isStream: boolean): string {
  if (isStream) return values.length === 0 ? 'no event' : 'event stream';
  return values[0] === undefined ? 'no JSON' : typeOf(values[0]);
}

function newShape(endpoint: Endpoint, mode: Mode, status: number): ObservedShape {
  return {
    endpoint,
    mode,
    status,
    resource: shapeOfAnswer(endpoint, mode, status),
    answers: 0,
    exchanges: [],
    bodyTypes: new Set(),
    places: new Map(),
    fields: new Map(),
    words: new Map(),
  };
}

/** Number of answers with the parent of the field. */
export function answersWithParent({ places }: ObservedShape, pointer: string): number {
  return places.get(parentOf(pointer)) ?? 0;
}

export function parentOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'));
}

/** One answer: number of objects by pointer, and number of them with each field. */
interface Seen {
  readonly objects: Map<string, number>;
  readonly fields: Map<string, { present: number; readonly types: Set<string>; readonly words: Set<string> }>;
}

function collectFields(value: Json | undefined, place: string, seen: Seen, depth: number): void {
  if (depth > MAX_DEPTH) return;
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) collectFields(item, `${place}/*`, seen, depth + 1);
    return;
  }
  if (!isObject(value)) return;
  seen.objects.set(place, (seen.objects.get(place) ?? 0) + 1);
  for (const [name, member] of Object.entries(value)) {
    const pointer = place + pointerOf([name]);
    const field = seen.fields.get(pointer) ?? { present: 0, types: new Set<string>(), words: new Set<string>() };
    seen.fields.set(pointer, field);
    field.present += 1;
    field.types.add(typeOf(member));
    if (typeof member === 'string' && VOCABULARIES.has(pointer)) field.words.add(member.slice(0, MAX_WORD_LENGTH));
    collectFields(member, pointer, seen, depth + 1);
  }
}

/** Chunks may differ, so a stream has a field if any chunk does. */
function countFields(shape: ObservedShape, { objects, fields }: Seen, id: string, isStream: boolean): void {
  for (const place of objects.keys()) shape.places.set(place, (shape.places.get(place) ?? 0) + 1);
  for (const [pointer, { present, types, words }] of fields) {
    const known = shape.fields.get(pointer);
    if (!known && shape.fields.size >= MAX_FIELDS) continue;
    const field = known ?? newField();
    shape.fields.set(pointer, field);
    field.inAny += 1;
    if (isStream || present === objects.get(parentOf(pointer))) field.inAll += 1;
    for (const type of types) addType(field, type, [id]);
    addExchange(field.exchanges, id);
    for (const word of words) addWord(shape.words, pointer, word, [id]);
  }
}

export function addWord(words: Map<string, Vocabulary>, pointer: string, word: string, ids: readonly string[]): void {
  const vocabulary: Vocabulary = words.get(pointer) ?? new Map();
  words.set(pointer, vocabulary);
  const exchanges = vocabulary.get(word) ?? [];
  if (vocabulary.has(word) || vocabulary.size < MAX_WORDS) vocabulary.set(word, exchanges);
  addExchange(exchanges, ...ids);
}

function addExchange(exchanges: string[], ...ids: readonly string[]): void {
  exchanges.push(...ids.slice(0, Math.max(0, MAX_EXCHANGES - exchanges.length)));
}

/** Adds all that the others have seen. */
export function mergeShapes(shapes: ObservedShapes, others: ObservedShapes): void {
  for (const [name, other] of others) {
    const shape = shapes.get(name) ?? newShape(other.endpoint, other.mode, other.status);
    shapes.set(name, shape);
    shape.answers += other.answers;
    addExchange(shape.exchanges, ...other.exchanges);
    for (const type of other.bodyTypes) shape.bodyTypes.add(type);
    for (const [place, answers] of other.places) shape.places.set(place, (shape.places.get(place) ?? 0) + answers);
    for (const [pointer, field] of other.fields) mergeField(shape, pointer, field);
    for (const [pointer, vocabulary] of other.words)
      for (const [word, exchanges] of vocabulary) addWord(shape.words, pointer, word, exchanges);
  }
}

function mergeField({ fields }: ObservedShape, pointer: string, { inAll, inAny, types, exchanges }: FieldCount): void {
  const field = fields.get(pointer) ?? newField();
  if (!fields.has(pointer) && fields.size >= MAX_FIELDS) return;
  fields.set(pointer, field);
  field.inAll += inAll;
  field.inAny += inAny;
  for (const [type, ids] of types) addType(field, type, ids);
  addExchange(field.exchanges, ...exchanges);
}

function newField(): FieldCount {
  return { inAll: 0, inAny: 0, types: new Map(), exchanges: [] };
}

function addType({ types }: FieldCount, type: string, ids: readonly string[]): void {
  const exchanges = types.get(type) ?? [];
  types.set(type, exchanges);
  addExchange(exchanges, ...ids);
}
