/** Reads and extends YAML files. A parsed file knows the line of each of its parts, for error messages. */
import type * as Yaml from 'yaml';
import { createRequire } from 'node:module';
import { pointerOf } from '../../json.ts';
import { UsageError } from '../../usage-error.ts';
import { findYamlProblem } from './yaml-problem.ts';
import { findInSnapshot, type ParsedText } from './yaml-snapshot.ts';

export type Path = readonly (string | number)[];

export interface YamlDocument {
  readonly file: string;
  readonly value: unknown;
  /** The line of a key or list item, or of its closest ancestor if it does not exist. */
  lineOf(path: Path): number;
  /** Hash of the schema that the value was validated against during the build. */
  readonly fits?: string;
}

/** More than anybody writes by hand, fewer than an alias bomb needs. */
const MAX_ALIASES = 100;

const require = createRequire(import.meta.url);

/** Loaded on first use: a run that reads only built-in files does not need the parser. */
function loadParser(): typeof Yaml {
  return require('yaml');
}

export function parseYaml(text: string, file: string): YamlDocument {
  const known = findInSnapshot(text);
  return known ? recallYaml(known, file) : readYaml(text, file);
}

/** A file that the build parsed. */
export function recallYaml({ value, lines, ...rest }: ParsedText, file: string): YamlDocument {
  return { file, value, lineOf: (path) => lineIn(lines, path), ...rest };
}

export function readYaml(text: string, file: string): YamlDocument {
  const yaml = loadParser();
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, {
    lineCounter: lines,
    // The JSON subset: no tags, string keys only, no `yes` for true.
    schema: 'core',
    resolveKnownTags: false,
    stringKeys: true,
    prettyErrors: false,
  });
  const problem = findYamlProblem(document, text, yaml);
  if (problem) throw new UsageError(problem.message, { file, line: lines.linePos(problem.offset).line });
  return {
    file,
    value: toPlain(document, file),
    lineOf: (path) => lines.linePos(offsetOf(document, path)).line,
  };
}

function toPlain(document: Yaml.Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    // Too many aliases.
    if (error instanceof ReferenceError) throw new UsageError(`invalid YAML: ${error.message}.`, { file });
    throw error;
  }
}

/** Offset of a path in the text. Stops at an alias, since its value is written elsewhere. */
function offsetOf(document: Yaml.Document, path: Path): number {
  let here: unknown = document.contents;
  let offset = document.contents?.range?.[0] ?? 0;
  for (const step of path) {
    const below = nodeBelow(here, step);
    if (!below) return offset;
    offset = below.offset ?? offset;
    here = below.node;
  }
  return offset;
}

interface Below {
  readonly node: unknown;
  /** Of its key, in a map. */
  readonly offset: number | undefined;
}

function nodeBelow(node: unknown, step: string | number): Below | undefined {
  const { isMap, isScalar, isSeq } = loadParser();
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
    return pair && isScalar(pair.key) ? { node: pair.value, offset: pair.key.range?.[0] } : undefined;
  }
  if (!isSeq(node)) return undefined;
  const item: unknown = node.items[Number(step)];
  return isMap(item) || isSeq(item) || isScalar(item) ? { node: item, offset: item.range?.[0] } : undefined;
}

function lineIn(lines: Readonly<Record<string, number>>, path: Path): number {
  for (let length = path.length; length >= 0; length--) {
    const line = lines[pointerOf(path.slice(0, length))];
    if (line !== undefined) return line;
  }
  return 1;
}

/** YAML text of a value, with quotes only where they are needed. */
export function writeYaml(value: unknown): string {
  return loadParser().stringify(value, { lineWidth: 110, aliasDuplicateObjects: false });
}

/** Adds an item to the list under a key, which is created if it is missing. Comments and order stay as they are. */
export function appendToYamlList(text: string, file: string, key: string, item: object): string {
  // Reports mistakes in the file with their line.
  parseYaml(text, file);
  const { isMap, isSeq, parseDocument } = loadParser();
  const document = parseDocument(text, { schema: 'core' });
  const list = document.get(key);
  if (isSeq(list)) {
    list.flow = false;
    list.add(document.createNode(item));
  } else if (isMap(document.contents) || document.contents === null) {
    document.set(key, document.createNode([item]));
  }
  return document.toString({ lineWidth: 0, indentSeq: !/^- /m.test(text) });
}
