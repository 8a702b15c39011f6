/** Validates a value against a schema of the contract, and names the clause that each mismatch breaks. */

import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import { isObject, memberOf, pointerOf, pointerTokens, typeOf, valueAt, withoutUndefined } from '../json.ts';
import { quoteValue } from '../text/quote.ts';
import { createAjv } from './ajv.ts';
import type { JsonSchema, JsonSchemas, SchemaExpectation, SchemaIssue, SchemaMismatch } from './contract.ts';

type Fits = (value: unknown) => boolean;

const isAnything: Fits = () => true;
const isText: Fits = (value) => typeof value === 'string';
const isNumber: Fits = (value) => typeof value === 'number';

/**
 * Keywords about a value: the mismatch that each finds, and the values that it judges. `required` is about a value that is
 * not there. Others such as `if` are absent, since the schemas below them report the errors.
 */
const KEYWORDS: readonly (readonly [keyword: keyof JsonSchema, SchemaMismatch, Fits])[] = [
  ['type', 'type', isAnything],
  ['const', 'value', isAnything],
  ['enum', 'value', isAnything],
  ['minLength', 'empty', isText],
  ['minimum', 'range', isNumber],
  ['maximum', 'range', isNumber],
];

/** A compiled schema, and the arrays in it whose items are validated one by one. */
interface Shape {
  readonly validate: ValidateFunction;
  readonly place: SchemaPlace;
  readonly arrays: readonly { readonly pointer: string; readonly tokens: readonly string[]; readonly item: Shape }[];
}

/** At most so many per clause, so that a thousand of one do not hide the only one of another. */
interface Issues {
  readonly list: SchemaIssue[];
  readonly counts: Map<string, number>;
  readonly most: number;
}

type Path = readonly (string | number)[];

export class SchemaValidator {
  readonly store: SchemaStore;
  readonly #shapes = new Map<string, Shape>();
  readonly #occasions = new Map<string, ReadonlyMap<string, readonly Occasion[]>>();
  #ajv: Ajv2020 | undefined;

  constructor(store: SchemaStore) {
    this.store = store;
  }

  validate(name: string, value: unknown, most: number): readonly SchemaIssue[] {
    const shape = this.#shapes.get(name) ?? this.#shapeOf(this.store.schema(name).$id ?? name, this.store.root(name));
    this.#shapes.set(name, shape);
    const found: Issues = { list: [], counts: new Map(), most };
    this.#walk(shape, value, [], found);
    return found.list;
  }

  /** Whether a value has what a clause of a schema speaks of: without that, the value could not have broken the clause. */
  couldBreak(schema: string, clause: string, value: unknown): boolean {
    const known = this.#occasions.get(schema) ?? occasionsOf(this.store, this.store.root(schema));
    this.#occasions.set(schema, known);
    return (known.get(clause) ?? []).some(({ path, fits }) => isThere(value, path, fits));
  }

  /** Validates the value without the items of its arrays, then each item. */
  #walk(shape: Shape, value: unknown, path: Path, found: Issues): void {
    if (!shape.validate(value)) this.#collect(shape, value, path, found);
    for (const { pointer, tokens, item: below } of shape.arrays) {
      const items = valueAt(value, pointer);
      if (!Array.isArray(items)) continue;
      for (let index = 0; index < items.length; index++)
        this.#walk(below, items[index], [...path, ...tokens, index], found);
    }
  }

  #shapeOf(id: string, place: SchemaPlace): Shape {
    this.#ajv ??= createValidator(this.store);
    const validate = this.#ajv.getSchema(id);
    if (!validate) throw new Error(`Unknown schema ${id}.`);
    const arrays = [...arraysIn(place, this.store)].map(({ tokens, array }) => {
      const items = this.store.below(array, ITEMS);
      const itemsId = items.findLast((schema) => schema.$id !== undefined)?.$id;
      const inline = `${id}#${tokens.map((token) => `/properties/${token}`).join('')}/items`;
      return { pointer: pointerOf(tokens), tokens, item: this.#shapeOf(itemsId ?? inline, items) };
    });
    return { validate, place, arrays };
  }

  #collect({ validate, place: root }: Shape, value: unknown, path: Path, found: Issues): void {
    // A value of the wrong type is also out of range: report one issue per place, the type first.
    const places = new Set<string>();
    for (const error of validate.errors ?? []) {
      const { keyword } = error;
      const mismatch = keyword === 'required' ? 'absent' : KEYWORDS.find(([name]) => name === keyword)?.[1];
      if (!mismatch) continue;
      const tokens = pointerTokens(error.instancePath);
      if (mismatch === 'absent') tokens.push(String(error.params['missingProperty']));
      const inside = pointerOf(tokens);
      if (places.has(inside)) continue;
      places.add(inside);
      const place = tokens.reduce<SchemaPlace>((here, token) => this.store.below(here, token), root);
      const clause = clauseAt(place, mismatch);
      if (clause === undefined) throw new Error(`The schema names no clause for ${mismatch} at ${inside}.`);
      const count = found.counts.get(clause) ?? 0;
      if (count >= found.most) continue;
      found.counts.set(clause, count + 1);
      const hides = mismatch === 'absent' || mismatch === 'type' ? this.store.clausesUnder(place) : [];
      const actual = valueAt(value, inside);
      found.list.push({
        clause,
        pointer: pointerOf(path) + inside,
        mismatch,
        expected: expectationOf(mismatch, place),
        actualType: typeOf(actual),
        ...(actual !== undefined && { value: quoteValue(actual) }),
        ...(hides.length > 0 && { hides }),
      });
    }
  }
}

function createValidator(store: SchemaStore): Ajv2020 {
  const ajv = createAjv({});
  // `#walk` goes through arrays; ajv would collect the issues of a million items.
  ajv.removeKeyword('items');
  ajv.addSchema([...store.schemas.values()]);
  return ajv;
}

function* arraysIn(
  array: SchemaPlace,
  store: SchemaStore,
  tokens: readonly string[] = [],
): Generator<{ readonly array: SchemaPlace; readonly tokens: readonly string[] }> {
  for (const token of tokensBelow(array)) {
    if (token === ITEMS) yield { array, tokens };
    else yield* arraysIn(store.below(array, token), store, [...tokens, token]);
  }
}

function expectationOf(mismatch: SchemaMismatch, place: SchemaPlace): SchemaExpectation {
  const find = <K extends keyof JsonSchema>(key: K): JsonSchema[K] | undefined =>
    place.map((schema) => schema[key] ?? schema.then?.[key]).find((value) => value !== undefined);
  switch (mismatch) {
    case 'type':
    case 'absent':
      return { kind: 'type', types: [find('type') ?? []].flat() };
    case 'value': {
      const values = find('enum')?.map(String);
      return values ? { kind: 'one-of', values } : { kind: 'constant', value: find('const') as string };
    }
    case 'empty':
      return { kind: 'not-empty' };
    case 'range':
      return { kind: 'range', ...withoutUndefined({ minimum: find('minimum'), maximum: find('maximum') }) };
  }
}

/** A path into a value, and what has to be there. */
interface Occasion {
  readonly path: readonly Token[];
  readonly fits: Fits;
}

/** Where a value may break each clause. */
function occasionsOf(store: SchemaStore, root: SchemaPlace): ReadonlyMap<string, readonly Occasion[]> {
  const found = new Map<string, Occasion[]>();
  const visit = (place: SchemaPlace, path: Occasion['path']): void => {
    const add = (of: SchemaPlace, mismatch: SchemaMismatch, fits: Fits): void => {
      const clause = clauseAt(of, mismatch);
      if (clause !== undefined) found.set(clause, [...(found.get(clause) ?? []), { path, fits }]);
    };
    for (const schema of place) {
      for (const [keyword, mismatch, fits] of KEYWORDS) {
        if (schema[keyword] !== undefined) add(place, mismatch, fits);
        if (schema.then?.[keyword] !== undefined) add(place, mismatch, meets(schema.if));
      }
      for (const name of schema.required ?? []) add(store.below(place, name), 'absent', isObject);
    }
    for (const token of tokensBelow(place)) visit(store.below(place, token), [...path, token]);
  };
  visit(root, []);
  return found;
}

/** Conditions of the schemas are lists of values. */
function meets(condition: JsonSchema | undefined): Fits {
  return (value) => condition?.enum?.includes(value) ?? true;
}

function isThere(value: unknown, [token, ...rest]: Occasion['path'], fits: Fits): boolean {
  if (value === undefined) return false;
  if (token === undefined) return fits(value);
  if (token !== ITEMS) return isThere(memberOf(value, token), rest, fits);
  return Array.isArray(value) && value.some((item) => isThere(item, rest, fits));
}

// The JSON Schemas of the contract, and the clause that each place in them belongs to.
//
// A property carries `x-clause`: the clause that is broken if the value does not match. If that depends on the mismatch,
// `x-clause` is a map such as `{ absent: request.model-required, type: request.model-type }`. A schema that refers to
// another one may override its clauses: the one closest to the root wins.

/** The schemas that apply to one place in a value, the outermost first. */
export type SchemaPlace = readonly JsonSchema[];

export class SchemaStore {
  readonly #load: () => JsonSchemas;
  #schemas: JsonSchemas | undefined;

  /** `load` is called on first use. */
  constructor(load: () => JsonSchemas) {
    this.#load = load;
  }

  get schemas(): JsonSchemas {
    return (this.#schemas ??= this.#load());
  }

  get names(): readonly string[] {
    return [...this.schemas.keys()];
  }

  schema(name: string): JsonSchema {
    const schema = this.schemas.get(name);
    if (!schema) throw new Error(`Unknown schema ${name}. Known: ${this.names.join(', ')}.`);
    return schema;
  }

  root(name: string): SchemaPlace {
    return this.#follow([this.schema(name)]);
  }

  /** A property of an object, or the items of an array. */
  below(place: SchemaPlace, token: Token): SchemaPlace {
    return this.#follow(place.flatMap((schema) => (token === ITEMS ? schema.items : schema.properties?.[token]) ?? []));
  }

  clausesOf(name: string): readonly string[] {
    return clausesBelow(this, this.root(name));
  }

  /** The clauses below a place, without those of the place itself. */
  clausesUnder(place: SchemaPlace): readonly string[] {
    const own = new Set(clausesAt(place));
    return clausesBelow(this, place).filter((clause) => !own.has(clause));
  }

  #follow(place: readonly JsonSchema[]): SchemaPlace {
    return place.flatMap((schema) => {
      if (schema.$ref === undefined) return [schema];
      return [schema, ...this.#follow([referredSchema(this.schemas, schema.$ref)])];
    });
  }
}

/** The schema that a `$ref` names. */
export function referredSchema(schemas: JsonSchemas, reference: string): JsonSchema {
  const found = [...schemas.values()].find(({ $id }) => $id === reference);
  if (!found) throw new Error(`A schema refers to the unknown ${reference}.`);
  return found;
}

/** Any index of an array. */
const ITEMS: unique symbol = Symbol('items');
type Token = string | typeof ITEMS;

/** The properties of an object, and the items of an array. */
function tokensBelow(place: SchemaPlace): readonly Token[] {
  const tokens = new Set<Token>(place.flatMap((schema) => Object.keys(schema.properties ?? {})));
  if (place.some((schema) => schema.items)) tokens.add(ITEMS);
  return [...tokens];
}

/** The clause that is broken by this mismatch. */
function clauseAt(place: SchemaPlace, mismatch: SchemaMismatch): string | undefined {
  const clause = ownClause(place);
  return typeof clause === 'string' ? clause : clause?.[mismatch];
}

function clausesAt(place: SchemaPlace): readonly string[] {
  const clause = ownClause(place);
  return typeof clause === 'string' ? [clause] : Object.values(clause ?? {});
}

function ownClause(place: SchemaPlace): JsonSchema['x-clause'] {
  return place.find((schema) => schema['x-clause'] !== undefined)?.['x-clause'];
}

function clausesBelow(store: SchemaStore, place: SchemaPlace): readonly string[] {
  const below = tokensBelow(place).flatMap((token) => clausesBelow(store, store.below(place, token)));
  return [...new Set([...clausesAt(place), ...below])];
}
