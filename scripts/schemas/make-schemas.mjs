// The text of every schema that is made from types, by its name.
import { addChecks } from './add-checks.mjs';
import { createTypeReader } from './read-types.mjs';
import { ROOTS, SHARED } from './roots.mjs';
import { mapSchema, nameIn } from './schema.mjs';
import { tidySchemas } from './tidy.mjs';
import { writeJson } from './write-json.mjs';

/** @typedef {import('./schema.mjs').Schema} Schema */
/** @typedef {import('./schema.mjs').Described} Described */

/** @param {string} folder The folder of the package. @returns {ReadonlyMap<string, string>} */
export function makeSchemas(folder) {
  const readType = createTypeReader(folder, [...new Set(Object.values(ROOTS).map(({ module }) => module))]);
  const described = new Map(
    Object.entries(ROOTS).map(([name, { module, type }]) => [
      name,
      tidySchemas(addChecks(name, readType(module, type))),
    ]),
  );
  described.set(SHARED.name, shareDefinitions(described));
  return new Map([...described.keys()].map((name) => [name, writeJson(assemble(name, described))]));
}

/** @param {ReadonlyMap<string, Described>} described @returns {Described} */
function shareDefinitions(described) {
  const [first, ...others] = SHARED.by.map((name) => described.get(name)?.definitions ?? {});
  const definitions = Object.entries(first ?? {}).filter(([name]) =>
    others.every((other) => Object.hasOwn(other, name)),
  );
  return { root: { description: SHARED.description }, definitions: Object.fromEntries(definitions) };
}

/**
 * The whole schema, without the definitions that it shares.
 *
 * @param {string} name
 * @param {ReadonlyMap<string, Described>} described
 */
function assemble(name, described) {
  const { root, definitions } = described.get(name) ?? { root: {}, definitions: {} };
  const sharesWith = ROOTS[name]?.sharesWith ?? [];
  const homeOf = /** @param {string} definition */ (definition) =>
    sharesWith.find((other) => Object.hasOwn(described.get(other)?.definitions ?? {}, definition));
  const refer = /** @param {Schema} schema */ (schema) =>
    mapSchema(schema, (part) => {
      const definition = nameIn(part);
      if (definition === undefined) return part;
      const home = homeOf(definition);
      return { ...part, $ref: `${home === undefined ? '' : idOf(home)}#/$defs/${definition}` };
    });
  const own = Object.keys(definitions)
    .filter((definition) => homeOf(definition) === undefined)
    .toSorted();
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: idOf(name),
    ...refer(root),
    ...(own.length > 0 && {
      $defs: Object.fromEntries(own.map((definition) => [definition, refer(definitions[definition] ?? {})])),
    }),
  };
}

/** @param {string} name */
function idOf(name) {
  return `urn:wirecheck:schema:files:${name}`;
}
