/** Validates a value against a schema of the contract, and names the clause that each mismatch breaks. */
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import { pointerOf, pointerTokens, typeOf, valueAt } from '../json.ts';
import { createAjv } from './ajv.ts';
import type { SchemaExpectation, SchemaIssue } from './contract.ts';
import type { JsonSchema, SchemaMismatch } from './json-schema.ts';
import { clauseAt, ITEMS, type Place, type SchemaStore } from './schema-store.ts';
import { quoteValue } from '../text/quote.ts';

/** Keyword → mismatch. Keywords such as `if` are absent, since the schemas below them report the errors. */
const MISMATCHES: Readonly<Record<string, SchemaMismatch>> = {
  type: 'type',
  required: 'absent',
  const: 'value',
  enum: 'value',
  minLength: 'empty',
  minimum: 'range',
  maximum: 'range',
};

/** A compiled schema, and the arrays in it whose items are validated one by one. */
interface Shape {
  readonly validate: ValidateFunction;
  readonly place: Place;
  readonly arrays: readonly { readonly pointer: string; readonly tokens: readonly string[]; readonly item: Shape }[];
}

type Path = readonly (string | number)[];

export class SchemaValidator {
  readonly #store: SchemaStore;
  readonly #shapes = new Map<string, Shape>();
  #ajv: Ajv2020 | undefined;

  constructor(store: SchemaStore) {
    this.#store = store;
  }

  validate(name: string, value: unknown, most: number): readonly SchemaIssue[] {
    let shape = this.#shapes.get(name);
    if (!shape) {
      shape = this.#shapeOf(this.#store.schema(name).$id ?? name, this.#store.root(name));
      this.#shapes.set(name, shape);
    }
    const found = new IssueCollector(most);
    this.#walk(shape, value, [], found);
    return found.issues;
  }

  /** Validates the value without the items of its arrays, then each item. */
  #walk(shape: Shape, value: unknown, path: Path, found: IssueCollector): void {
    if (!shape.validate(value)) this.#collect(shape, value, path, found);
    for (const { pointer, tokens, item: below } of shape.arrays) {
      const items = valueAt(value, pointer);
      if (!Array.isArray(items)) continue;
      for (let index = 0; index < items.length; index++)
        this.#walk(below, items[index], [...path, ...tokens, index], found);
    }
  }

  #shapeOf(id: string, place: Place): Shape {
    this.#ajv ??= createValidator(this.#store);
    const validate = this.#ajv.getSchema(id);
    if (!validate) throw new Error(`Unknown schema ${id}.`);
    const arrays = [...arraysIn(place, this.#store)].map(({ tokens, array }) => {
      const items = this.#store.below(array, ITEMS);
      const itemsId = items.findLast((schema) => schema.$id !== undefined)?.$id;
      const inline = `${id}#${tokens.map((token) => `/properties/${token}`).join('')}/items`;
      return { pointer: pointerOf(tokens), tokens, item: this.#shapeOf(itemsId ?? inline, items) };
    });
    return { validate, place, arrays };
  }

  #collect({ validate, place: root }: Shape, value: unknown, path: Path, found: IssueCollector): void {
    // A value of the wrong type is also out of range: report one issue per place, the type first.
    const places = new Set<string>();
    for (const error of validate.errors ?? []) {
      const mismatch = MISMATCHES[error.keyword];
      if (!mismatch) continue;
      const tokens = pointerTokens(error.instancePath);
      if (mismatch === 'absent') tokens.push(String(error.params['missingProperty']));
      const inside = pointerOf(tokens);
      if (places.has(inside)) continue;
      places.add(inside);
      const place = tokens.reduce<Place>((here, token) => this.#store.below(here, token), root);
      const clause = clauseAt(place, mismatch);
      if (clause === undefined) throw new Error(`The schema names no clause for ${mismatch} at ${inside}.`);
      if (found.isFull(clause)) continue;
      const hides = mismatch === 'absent' || mismatch === 'type' ? this.#store.clausesUnder(place) : [];
      const actual = valueAt(value, inside);
      found.add({
        clause,
        pointer: pointerOf(path) + inside,
        mismatch,
        expected: expectationOf(mismatch, place),
        actualType: typeOf(actual),
        ...(actual !== undefined && { value: quoteValue(actual) }),
        ...(hides.length === 0 ? {} : { hides }),
      });
    }
  }
}

/** Keeps a number of issues per clause, so that a thousand of one do not hide the only one of another. */
class IssueCollector {
  readonly issues: SchemaIssue[] = [];
  readonly #counts = new Map<string, number>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  isFull(clause: string): boolean {
    return (this.#counts.get(clause) ?? 0) >= this.#most;
  }

  add(issue: SchemaIssue): void {
    this.#counts.set(issue.clause, (this.#counts.get(issue.clause) ?? 0) + 1);
    this.issues.push(issue);
  }
}

function createValidator(store: SchemaStore): Ajv2020 {
  const ajv = createAjv({});
  // `#walk` goes through arrays; ajv would collect the issues of a million items.
  ajv.removeKeyword('items');
  ajv.addSchema([...store.schemas.values()]);
  return ajv;
}

interface ArrayPlace {
  readonly array: Place;
  readonly tokens: readonly string[];
}

function* arraysIn(array: Place, store: SchemaStore, tokens: readonly string[] = []): Generator<ArrayPlace> {
  if (array.some((schema) => schema.items)) yield { array, tokens };
  for (const name of new Set(array.flatMap((schema) => Object.keys(schema.properties ?? {})))) {
    yield* arraysIn(store.below(array, name), store, [...tokens, name]);
  }
}

function expectationOf(mismatch: SchemaMismatch, place: Place): SchemaExpectation {
  const find = <K extends keyof JsonSchema>(key: K): JsonSchema[K] | undefined =>
    place.map((schema) => schema[key] ?? schema.then?.[key]).find((value) => value !== undefined);
  switch (mismatch) {
    case 'type':
    case 'absent':
      return { kind: 'type', types: [find('type') ?? []].flat() };
    case 'value': {
      const values = find('enum');
      return values
        ? { kind: 'one-of', values: values.map(String) }
        : { kind: 'constant', value: find('const') as string };
    }
    case 'empty':
      return { kind: 'not-empty' };
    case 'range': {
      const [minimum, maximum] = [find('minimum'), find('maximum')];
      return { kind: 'range', ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
    }
  }
}
