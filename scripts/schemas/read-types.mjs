// Turns a type into a JSON Schema, as ts-json-schema-generator writes it. That package brings a TypeScript of its own,
// since the one that compiles the project has no API for this yet. It reads the declarations in build/, in half the time
// that it would take for the sources.
import {
  createFormatter,
  createParser,
  createProgram,
  DEFAULT_CONFIG,
  IntersectionType,
  LiteralType,
  ObjectProperty,
  ObjectType,
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
 * @param {readonly string[]} modules Those that declare the types.
 * @returns {(module: string, type: string) => Described}
 */
export function createTypeReader(root, modules) {
  const pathOf = /** @param {string} module */ (module) => join(root, 'build/src', `${module}.d.ts`);
  const config = {
    ...DEFAULT_CONFIG,
    path: pathOf(`{${modules.join(',')}}`),
    tsconfig: join(root, 'scripts/schemas/tsconfig.json'),
    // The build has checked them.
    skipTypeCheck: true,
    topRef: false,
    sortProps: false,
    strictTuples: true,
    encodeRefs: false,
    extraTags: ['additionalProperties', 'x-message', 'x-secret'],
  };
  const program = createProgram(config);
  const parser = createParser(program, config, (readers) => {
    const chain = /** @type {import('ts-json-schema-generator').ChainNodeParser} */ (readers);
    chain.addNodeParser(createKeyReader(program)).addNodeParser(createRowReader(program, chain));
  });
  const generator = new SchemaGenerator(program, parser, createFormatter(config), config);
  return (module, type) => {
    try {
      const {
        $schema: _draft,
        definitions,
        ...schema
      } = generator.createSchemaFromNodes([findType(program, pathOf(module), type)]);
      return /** @type {Described} */ ({ root: schema, definitions });
    } catch (error) {
      // oxlint-disable-next-line preserve-caught-error -- it holds the whole syntax tree, which Node would print
      throw new Error(
        `No schema can be made from ${type} in src/${module}.ts: ${/** @type {Error} */ (error).message}`,
      );
    }
  };
}

/** @param {Program} program @param {string} path @param {string} type */
function findType(program, path, type) {
  const statements = program.getSourceFile(path.replaceAll('\\', '/'))?.statements ?? [];
  const node = statements.find(
    (statement) => /** @type {{ name?: { text?: string } }} */ (statement).name?.text === type,
  );
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
      const { type: table } = /** @type {{ type: typeof node }} */ (/** @type {unknown} */ (node));
      const keys = program.getTypeChecker().getTypeAtLocation(table).getProperties();
      return new UnionType(keys.map(({ name }) => new LiteralType(name)));
    },
  };
}

/**
 * `RowsOf<typeof TABLE>`: a member for each row of a table of words, with the type of the parameter that its words have.
 *
 * @param {Program} program
 * @param {NodeParser} reader Of the types of parameters.
 * @returns {NodeParser}
 */
function createRowReader(program, reader) {
  return {
    supportsNode: (node) => nameOfReference(node) === 'RowsOf',
    createType: (node, context) => {
      const [table] = /** @type {{ typeArguments: (typeof node)[] }} */ (/** @type {unknown} */ (node)).typeArguments;
      const rows = table ? program.getTypeChecker().getTypeAtLocation(table).getProperties() : [];
      return new UnionType(
        rows.map(({ name, valueDeclaration }) => {
          const property = new ObjectProperty('kind', new LiteralType(name), true);
          const kind = new ObjectType(`row-${name}`, [], [property], false);
          const data = dataType(/** @type {WordsNode | undefined} */ (/** @type {unknown} */ (valueDeclaration))?.type);
          return data ? new IntersectionType([kind, reader.createType(data, context)]) : kind;
        }),
      );
    },
  };
}

/** @param {object} node @returns {string | undefined} */
function nameOfReference(node) {
  return /** @type {{ typeName?: { text?: string } }} */ (node).typeName?.text;
}

/** @typedef {Parameters<NodeParser['createType']>[0]} TypeNode */

/**
 * The type of a row: a function, a text, or an object with either as its `text`.
 *
 * @typedef {object} WordsNode
 * @property {WordsNode} [type]
 * @property {{ type: TypeNode }[]} [parameters]
 * @property {(WordsNode & { name: { text: string } })[]} [members]
 */

/** Undefined for a fixed text. @param {WordsNode | undefined} words @returns {TypeNode | undefined} */
function dataType(words) {
  const inner = words?.members?.find(({ name }) => name.text === 'text')?.type;
  return inner ? dataType(inner) : words?.parameters?.[0]?.type;
}
