/**
 * What the answers to some requests show: times, how streams end, and per endpoint, mode and status the shape of answers:
 * their fields, how often they occur, and their types.
 */
import { hasErrorMember, isObject, type Json, parseJson, pointerOf, typeOf } from '../../json.ts';
import type { Endpoint, Mode } from '../../plan/plan.ts';
import { type AnswerShape, shapeOfAnswer } from '../../verdict/checks/observed-fields.ts';
import type { ObservedAnswer, ObservedExchange, StreamTimes } from './observed-exchange.ts';

/** Words or types, each with exchanges that show it. */
export type Sightings = Map<string, readonly string[]>;

export interface FieldCount {
  /** Answers in which every parent object has it, and in which any does. */
  inAll: number;
  inAny: number;
  readonly types: Sightings;
  /** Values of a field that holds words of a vocabulary. */
  readonly words: Sightings;
  exchanges: readonly string[];
}

export interface ObservedShape {
  readonly endpoint: Endpoint;
  readonly mode: Mode;
  readonly status: number;
  /** The resource of the contract; chunks of a stream are none. */
  readonly resource: AnswerShape | undefined;
  answers: number;
  exchanges: readonly string[];
  /** A JSON type, `event stream` or `no JSON`. */
  readonly bodyTypes: Set<string>;
  /** Answers that had an object at this place, by pointer, with `*` for every item of a list. */
  readonly places: Map<string, number>;
  /** The key is a pointer as well. */
  readonly fields: Map<string, FieldCount>;
}

/** The key is made of endpoint, mode and status. */
export type ObservedShapes = Map<string, ObservedShape>;

export interface Observations {
  readonly shapes: ObservedShapes;
  /** Milliseconds by what was measured, and by exchange. */
  readonly times: Map<string, Map<string, number>>;
  /** The key is an exchange. */
  readonly streamTimes: Map<string, StreamTimes>;
  /** Streams with [DONE], and without. */
  readonly streams: { readonly done: string[]; readonly withoutMarker: string[] };
}

/** Times of answers. Refusals are those of chat requests. */
export const REPLY = 'reply';
export const REFUSAL = 'refusal';
export const MODEL_LIST = 'model list';

/** Exchanges listed per change. */
export const MAX_EXCHANGES = 3;
/** A target may send a new name every time. */
const MAX_FIELDS = 2_000;
const MAX_WORDS = 200;
const MAX_WORD_LENGTH = 100;
const MAX_DEPTH = 12;

/** Fields whose values are a vocabulary: the contract has no list of them, so a new one is additive. */
const VOCABULARIES = new Set(['/choices/*/finish_reason', '/error/type', '/error/code']);

export function noObservations(): Observations {
  return { shapes: new Map(), times: new Map(), streamTimes: new Map(), streams: { done: [], withoutMarker: [] } };
}

export function observeAnswer({ id, endpoint, mode }: ObservedExchange, answer: ObservedAnswer): Observations {
  const { status, endAt, stream } = answer;
  const isStream = mode === 'stream' && status === 200;
  const found = noObservations();
  if (isStream && stream && stream.events.length > 0)
    (stream.isDone ? found.streams.done : found.streams.withoutMarker).push(id);
  if (endpoint === 'other') return found;
  const shape = shapeOf(id, { endpoint, mode }, answer);
  if (shape) found.shapes.set(`${endpoint} ${mode} ${status}`, shape);
  const time = (measure: string) => found.times.set(measure, new Map([[id, endAt]]));
  if (isStream) {
    if (stream) found.streamTimes.set(id, stream.times);
  } else if (status === 200) time(endpoint === 'models' ? MODEL_LIST : REPLY);
  else if (status >= 400 && status < 500 && endpoint === 'chat') time(REFUSAL);
  return found;
}

type Asked = Pick<ObservedShape, 'endpoint' | 'mode'>;

function shapeOf(id: string, asked: Asked, { status, text, stream }: ObservedAnswer): ObservedShape | undefined {
  const isStream = asked.mode === 'stream' && status === 200;
  // A body that was cut may lack fields only for that reason.
  if (!isStream && text === undefined) return undefined;
  const values = isStream ? (stream?.events ?? []).map(parseJson) : [parseJson(text)];
  // An error disguised as success would make every field of a completion look optional.
  if (status === 200 && values.some(hasErrorMember)) return undefined;
  const objects = new Map<string, number>();
  const fields = new Map<string, FieldCount>();
  for (const value of values) collectFields(value, '', { id, objects, fields }, 0);
  // Chunks may differ, so a stream has a field if any chunk does.
  for (const [pointer, field] of fields)
    field.inAll = Number(isStream || field.inAll === objects.get(parentOf(pointer)));
  return {
    ...{ ...asked, status, resource: shapeOfAnswer(asked.endpoint, asked.mode, status) },
    ...{ answers: 1, exchanges: [id], bodyTypes: new Set([bodyType(values, isStream)]) },
    places: new Map([...objects.keys()].map((place) => [place, 1])),
    fields,
  };
}

function bodyType(values: readonly (Json | undefined)[], isStream: boolean): string {
  if (isStream) return values.length === 0 ? 'no event' : 'event stream';
  return values[0] === undefined ? 'no JSON' : typeOf(values[0]);
}

/** One answer: number of objects by pointer, and their fields, each with the number of objects in `inAll`. */
interface Seen extends Pick<ObservedShape, 'fields'> {
  readonly id: string;
  readonly objects: Map<string, number>;
}

function collectFields(value: Json | undefined, place: string, seen: Seen, depth: number): void {
  if (depth > MAX_DEPTH) return;
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) collectFields(item, `${place}/*`, seen, depth + 1);
    return;
  }
  if (!isObject(value)) return;
  const { id, objects, fields } = seen;
  addTo(objects, place, 1);
  for (const [name, member] of Object.entries(value)) {
    const pointer = place + pointerOf([name]);
    const field = fields.get(pointer) ?? { ...newField(), inAny: 1, exchanges: [id] };
    fields.set(pointer, field);
    field.inAll += 1;
    field.types.set(typeOf(member), [id]);
    if (typeof member === 'string' && VOCABULARIES.has(pointer))
      field.words.set(member.slice(0, MAX_WORD_LENGTH), [id]);
    collectFields(member, pointer, seen, depth + 1);
  }
}

function newField(): FieldCount {
  return { inAll: 0, inAny: 0, types: new Map(), words: new Map(), exchanges: [] };
}

function addTo(numbers: Map<string, number>, name: string, number: number): void {
  numbers.set(name, (numbers.get(name) ?? 0) + number);
}

function firstExchanges(some: readonly string[], others: readonly string[]): readonly string[] {
  return [...some, ...others].slice(0, MAX_EXCHANGES);
}

/** Number of answers with the parent of the field. */
export function answersWithParent({ places }: ObservedShape, pointer: string): number {
  return places.get(parentOf(pointer)) ?? 0;
}

export function parentOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'));
}

/** Adds all that the others show to `known`. */
export function addObservations(known: Observations, { shapes, times, streamTimes, streams }: Observations): void {
  for (const [name, shape] of shapes) addShape(known.shapes, name, shape);
  for (const [measure, own] of times) known.times.set(measure, new Map([...(known.times.get(measure) ?? []), ...own]));
  for (const [id, each] of streamTimes) known.streamTimes.set(id, each);
  known.streams.done.push(...streams.done);
  known.streams.withoutMarker.push(...streams.withoutMarker);
}

function addShape(shapes: ObservedShapes, name: string, other: ObservedShape): void {
  const none = { answers: 0, exchanges: [], bodyTypes: new Set<string>(), places: new Map(), fields: new Map() };
  const shape = shapes.get(name) ?? { ...other, ...none };
  shapes.set(name, shape);
  shape.answers += other.answers;
  shape.exchanges = firstExchanges(shape.exchanges, other.exchanges);
  for (const type of other.bodyTypes) shape.bodyTypes.add(type);
  for (const [place, answers] of other.places) addTo(shape.places, place, answers);
  for (const [pointer, { inAll, inAny, types, words, exchanges }] of other.fields) {
    const field = shape.fields.get(pointer) ?? newField();
    if (!shape.fields.has(pointer) && shape.fields.size >= MAX_FIELDS) continue;
    shape.fields.set(pointer, field);
    field.inAll += inAll;
    field.inAny += inAny;
    addSightings(field.types, types);
    addSightings(field.words, words);
    field.exchanges = firstExchanges(field.exchanges, exchanges);
  }
}

export function addSightings(known: Sightings, others: Sightings): void {
  for (const [value, exchanges] of others)
    if (known.has(value) || known.size < MAX_WORDS) known.set(value, firstExchanges(known.get(value) ?? [], exchanges));
}
