/**
 * The JSON Schemas of the contract, and the clause that each place in them belongs to.
 *
 * A property carries `x-clause`: the clause that is broken if the value does not match. If that depends on the mismatch,
 * `x-clause` is a map such as `{ absent: request.model-required, type: request.model-type }`. A schema that refers to
 * another one may override its clauses: the one closest to the root wins.
 */
import type { JsonSchema, JsonSchemas, SchemaMismatch } from './json-schema.ts';

/** The schemas that apply to one place in a value, the outermost first. */
export type Place = readonly JsonSchema[];

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

  root(name: string): Place {
    return this.#follow([this.schema(name)]);
  }

  /** A property of an object, or the items of an array. */
  below(place: Place, token: string | typeof ITEMS): Place {
    return this.#follow(place.flatMap((schema) => (token === ITEMS ? schema.items : schema.properties?.[token]) ?? []));
  }

  clausesOf(name: string): readonly string[] {
    return clausesBelow(this, this.root(name));
  }

  /** The clauses below a place, without those of the place itself. */
  clausesUnder(place: Place): readonly string[] {
    const own = new Set(clausesAt(place));
    return clausesBelow(this, place).filter((clause) => !own.has(clause));
  }

  #follow(place: readonly JsonSchema[]): Place {
    return place.flatMap((schema) => {
      if (schema.$ref === undefined) return [schema];
      const target = [...this.schemas.values()].find(({ $id }) => $id === schema.$ref);
      if (!target) throw new Error(`A schema refers to the unknown ${schema.$ref}.`);
      return [schema, ...this.#follow([target])];
    });
  }
}

/** Any index of an array. */
export const ITEMS = Symbol('items');

/** The clause that is broken by this mismatch. */
export function clauseAt(place: Place, mismatch: SchemaMismatch): string | undefined {
  const clause = ownClause(place);
  return typeof clause === 'string' ? clause : clause?.[mismatch];
}

function clausesAt(place: Place): readonly string[] {
  const clause = ownClause(place);
  return typeof clause === 'string' ? [clause] : Object.values(clause ?? {});
}

function ownClause(place: Place): JsonSchema['x-clause'] {
  return place.find((schema) => schema['x-clause'] !== undefined)?.['x-clause'];
}

function clausesBelow(store: SchemaStore, place: Place): readonly string[] {
  const clauses = new Set(clausesAt(place));
  const names = new Set(place.flatMap((schema) => Object.keys(schema.properties ?? {})));
  for (const name of names) for (const clause of clausesBelow(store, store.below(place, name))) clauses.add(clause);
  if (place.some((schema) => schema.items)) {
    for (const clause of clausesBelow(store, store.below(place, ITEMS))) clauses.add(clause);
  }
  return [...clauses];
}
