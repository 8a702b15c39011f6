// Turns a type of src/ into a JSON Schema, as ts-json-schema-generator writes it. That package brings a TypeScript of its
// own: the one that compiles the project has no API for this yet.
import {
  createFormatter,
  createParser,
  createProgram,
  DEFAULT_CONFIG,
  LiteralType,
  SchemaGenerator,
  UnionType,
} from 'ts-json-schema-generator';
import { join } from 'node:path';

/** @typedef {import('./schema.mjs').Described} Described */
/** @typedef {ReturnType<typeof createProgram>} Program */
/** @typedef {import('ts-json-schema-generator').SubNodeParser} NodeParser */

/**
 * All types are read from one program, since making it takes most of the time.
 *
 * @param {string} root The folder of the package.
 * @param {readonly string[]} files The modules that declare the types.
 * @returns {(file: string, type: string) => Described}
 */
export function createTypeReader(root, files) {
  const config = {
    ...DEFAULT_CONFIG,
    path: join(root, `{${files.join(',')}}`),
    tsconfig: join(root, 'tsconfig.build.json'),
    // `npm run types` checks them.
    skipTypeCheck: true,
    topRef: false,
    sortProps: false,
    strictTuples: true,
    encodeRefs: false,
    extraTags: ['additionalProperties', 'enum', 'x-message', 'x-secret'],
  };
  const program = createProgram(config);
  const parser = createParser(program, config, (chain) => chain.addNodeParser(createKeyReader(program)));
  const generator = new SchemaGenerator(program, parser, createFormatter(config), config);
  return (file, type) => {
    try {
      const { $schema: _draft, definitions, ...schema } = generator.createSchemaFromNodes([findType(program, join(root, file), type)]);
      return /** @type {Described} */ ({ root: schema, definitions });
    } catch (error) {
      // The error itself holds the whole syntax tree, which Node would print.
      throw new Error(`No schema can be made from ${type} in ${file}: ${/** @type {Error} */ (error).message}`);
    }
  };
}

/** @param {Program} program @param {string} path @param {string} type */
function findType(program, path, type) {
  const statements = program.getSourceFile(path.replaceAll('\\', '/'))?.statements ?? [];
  const node = statements.find((statement) => /** @type {{ name?: { text?: string } }} */ (statement).name?.text === type);
  if (!node) throw new Error('it is not declared there.');
  return node;
}

/**
 * `keyof typeof TABLE`: the generator would read the values of the table too, which may be anything.
 *
 * @param {Program} program
 * @returns {NodeParser}
 */
function createKeyReader(program) {
  return {
    supportsNode: (node) => 'operator' in node && 'type' in node && 'exprName' in /** @type {object} */ (node.type),
    createType: (node) => {
      const keys = program.getTypeChecker().getTypeAtLocation(node);
      const literals = keys.isUnion() ? keys.types : [keys];
      return new UnionType(literals.map((literal) => new LiteralType(/** @type {{ value: string }} */ (/** @type {unknown} */ (literal)).value)));
    },
  };
}
