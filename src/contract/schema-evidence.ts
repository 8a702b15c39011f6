/** Whether a value has what a clause of a schema speaks of: without that, the value could not have broken the clause. */
import { isObject, memberOf } from '../json.ts';
import type { JsonSchema, SchemaMismatch } from './json-schema.ts';
import { clauseAt, ITEMS, type Place, type SchemaStore } from './schema-store.ts';

type Fits = (value: unknown) => boolean;

/** A path into a value, and what has to be there. */
interface Occasion {
  readonly path: readonly (string | typeof ITEMS)[];
  readonly fits: Fits;
}

const isAnything: Fits = () => true;
const isText: Fits = (value) => typeof value === 'string';
const isNumber: Fits = (value) => typeof value === 'number';

/** Keyword → the mismatch that it finds, and the values that it judges. */
const KEYWORDS: readonly (readonly [keyof JsonSchema, SchemaMismatch, Fits])[] = [
  ['type', 'type', isAnything],
  ['const', 'value', isAnything],
  ['enum', 'value', isAnything],
  ['minLength', 'empty', isText],
  ['minimum', 'range', isNumber],
  ['maximum', 'range', isNumber],
];

export class SchemaEvidence {
  readonly #store: SchemaStore;
  readonly #known = new Map<string, ReadonlyMap<string, readonly Occasion[]>>();

  constructor(store: SchemaStore) {
    this.#store = store;
  }

  couldBreak(schema: string, clause: string, value: unknown): boolean {
    const occasions = this.#known.get(schema) ?? this.#occasionsOf(schema);
    return (occasions.get(clause) ?? []).some(({ path, fits }) => isThere(value, path, fits));
  }

  #occasionsOf(schema: string): ReadonlyMap<string, readonly Occasion[]> {
    const found = new Map<string, Occasion[]>();
    this.#visit(this.#store.root(schema), [], found);
    this.#known.set(schema, found);
    return found;
  }

  #visit(place: Place, path: Occasion['path'], found: Map<string, Occasion[]>): void {
    const add = (of: Place, mismatch: SchemaMismatch, fits: Fits): void => {
      const clause = clauseAt(of, mismatch);
      if (clause !== undefined) found.set(clause, [...(found.get(clause) ?? []), { path, fits }]);
    };
    for (const schema of place) {
      for (const [keyword, mismatch, fits] of KEYWORDS) {
        if (schema[keyword] !== undefined) add(place, mismatch, fits);
        if (schema.then?.[keyword] !== undefined) add(place, mismatch, meets(schema.if));
      }
      for (const name of schema.required ?? []) add(this.#store.below(place, name), 'absent', isObject);
    }
    for (const name of new Set(place.flatMap((schema) => Object.keys(schema.properties ?? {}))))
      this.#visit(this.#store.below(place, name), [...path, name], found);
    if (place.some(({ items }) => items)) this.#visit(this.#store.below(place, ITEMS), [...path, ITEMS], found);
  }
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
