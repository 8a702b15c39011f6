/** Infers the shape of answers from what came: per endpoint, mode and status, which fields there are, how often, of which types. */
import { isObject, type Json, typeOf } from '../../json.ts';
import type { Endpoint, Mode } from '../../plan/plan.ts';
import type { Shape } from '../../verdict/shapes.ts';
import type { ObservedExchange } from './observed-exchange.ts';

export interface FieldCount {
  /** Answers in which the object that it belongs to was there. */
  answers: number;
  /** Of these, how many had it in each such object, and in any. */
  inAll: number;
  inAny: number;
  readonly types: Set<string>;
  readonly exchanges: string[];
}

export interface ObservedShape {
  readonly endpoint: Endpoint;
  readonly mode: Mode;
  readonly status: number;
  /** The resource of the contract; chunks of a stream are none. */
  readonly resource: Shape | undefined;
  answers: number;
  readonly exchanges: string[];
  /** What the body as a whole is: a JSON type, `event stream` or `no JSON`. */
  readonly bodyTypes: Map<string, string[]>;
  /** By pointer, with `*` for every item of a list. */
  readonly fields: Map<string, FieldCount>;
  /** Values of the fields that hold words of a vocabulary. */
  readonly words: Map<string, Map<string, string[]>>;
}

const MOST_EXCHANGES = 3;
/** A target may send a new name every time. */
const MOST_FIELDS = 2_000;
const MOST_WORDS = 200;
const DEEPEST = 12;

/** Fields whose values are a vocabulary: the contract has no list of them, so a new one is additive. */
const VOCABULARIES = new Set(['/choices/*/finish_reason', '/error/type', '/error/code']);

export class Shapes {
  readonly #shapes = new Map<string, ObservedShape>();

  get all(): ReadonlyMap<string, ObservedShape> {
    return this.#shapes;
  }

  add({ id, endpoint, mode, answer }: ObservedExchange): void {
    if (!answer || endpoint === 'other') return;
    const isStream = mode === 'stream' && answer.status === 200;
    const values = isStream ? (answer.events ?? []).map(parse) : answer.text === undefined ? undefined : [parse(answer.text)];
    // Kept in part only, so that what is missing in it may be missing only here.
    if (!values) return;
    // An error dressed as success would make every field of a completion look optional.
    if (answer.status === 200 && values.some((value) => isObject(value) && (value['error'] ?? null) !== null)) return;
    const shape = this.#shapeFor(endpoint, mode, answer.status);
    shape.answers += 1;
    note(shape.exchanges, id);
    const bodyType = isStream ? streamType(values) : values[0] === undefined ? 'no JSON' : typeOf(values[0]);
    noteIn(shape.bodyTypes, bodyType, id);
    const seen = new Map<string, Seen>();
    for (const value of values) walk(value, '', seen, 0);
    for (const [pointer, one] of seen) count(shape, pointer, one, id, isStream);
  }

  #shapeFor(endpoint: Endpoint, mode: Mode, status: number): ObservedShape {
    const name = `${endpoint} ${mode} ${status}`;
    const known = this.#shapes.get(name);
    if (known) return known;
    const shape: ObservedShape = {
      endpoint,
      mode,
      status,
      resource: resourceOf(endpoint, mode, status),
      answers: 0,
      exchanges: [],
      bodyTypes: new Map(),
      fields: new Map(),
      words: new Map(),
    };
    this.#shapes.set(name, shape);
    return shape;
  }
}

function resourceOf(endpoint: Endpoint, mode: Mode, status: number): Shape | undefined {
  if (status >= 400) return 'error';
  if (status !== 200 || mode === 'stream') return undefined;
  return endpoint === 'models' ? 'model-list' : 'completion';
}

/** What one answer has at one place. */
interface Seen {
  /** Objects that could have it, and those that do. */
  parents: number;
  present: number;
  readonly types: Set<string>;
  readonly words: Set<string>;
}

function walk(value: Json | undefined, place: string, seen: Map<string, Seen>, depth: number): void {
  if (depth > DEEPEST) return;
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) walk(item, `${place}/*`, seen, depth + 1);
    return;
  }
  if (!isObject(value)) return;
  seenAt(seen, place).parents += 1;
  for (const [name, member] of Object.entries(value)) {
    const pointer = `${place}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const here = seenAt(seen, pointer);
    here.present += 1;
    here.types.add(typeOf(member));
    if (typeof member === 'string' && VOCABULARIES.has(pointer)) here.words.add(member.slice(0, 100));
    walk(member, pointer, seen, depth + 1);
  }
}

function seenAt(seen: Map<string, Seen>, pointer: string): Seen {
  const known = seen.get(pointer);
  if (known) return known;
  const fresh: Seen = { parents: 0, present: 0, types: new Set(), words: new Set() };
  seen.set(pointer, fresh);
  return fresh;
}

/** Objects are counted by their place, fields by theirs; `''` is the body. A chunk need not have what another one has. */
function count(shape: ObservedShape, pointer: string, { parents, present, types, words }: Seen, id: string, isStream: boolean): void {
  const known = shape.fields.get(pointer);
  if (!known && shape.fields.size >= MOST_FIELDS) return;
  const field = known ?? { answers: 0, inAll: 0, inAny: 0, types: new Set<string>(), exchanges: [] };
  shape.fields.set(pointer, field);
  if (parents > 0) field.answers += 1;
  if (present > 0) {
    field.inAny += 1;
    note(field.exchanges, id);
  }
  for (const type of types) field.types.add(type);
  if (isStream && present > 0) field.inAll += 1;
  else if (present > 0) field.inAll += present;
  const vocabulary = shape.words.get(pointer) ?? new Map<string, string[]>();
  for (const word of words) if (vocabulary.size < MOST_WORDS) noteIn(vocabulary, word, id);
  if (vocabulary.size > 0) shape.words.set(pointer, vocabulary);
}

function streamType(values: readonly (Json | undefined)[]): string {
  return values.length === 0 ? 'no event' : 'event stream';
}

function noteIn(map: Map<string, string[]>, name: string, id: string): void {
  const known = map.get(name) ?? [];
  map.set(name, known);
  note(known, id);
}

function note(exchanges: string[], id: string): void {
  if (exchanges.length < MOST_EXCHANGES) exchanges.push(id);
}

function parse(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
