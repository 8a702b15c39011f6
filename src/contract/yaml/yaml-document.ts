/** Reads and extends YAML files. A parsed file knows the line of each of its parts, for error messages. */

import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';
import { pointerOf } from '../../json.ts';
import type { PositiveInteger } from '../../scalars.ts';
import { UsageError } from '../../usage-error.ts';
import { findPackageFile, readPackageFile } from '../package-files.ts';

export type Path = readonly (string | number)[];

export interface YamlDocument {
  readonly file: string;
  readonly value: unknown;
  /** The line of a key or list item, or of its closest ancestor if it does not exist. */
  lineOf(path: Path): number;
  /** Hash of the schema that the value was validated against during the build. */
  readonly fits?: string;
}

/** A line of a file of the user, as the user named it. */
export interface FilePlace {
  readonly file: string;
  readonly line: PositiveInteger;
}

export function placeOf(document: YamlDocument, ...path: Path): FilePlace {
  return { file: document.file, line: document.lineOf(path) };
}

/** More than anybody writes by hand, fewer than an alias bomb needs. */
const MAX_ALIASES = 100;

const require = createRequire(import.meta.url);

/** Loaded on first use: a run that reads only built-in files does not need the parser. */
function loadParser(): typeof Yaml {
  return require('yaml');
}

export function parseYaml(text: string, file: string): YamlDocument {
  snapshot ??= JSON.parse(findPackageFile(SNAPSHOT) ?? '{}') as Record<string, ParsedText>;
  const known = snapshot[hashOfText(text)];
  return known ? recallYaml(known, file) : readYaml(text, file);
}

const ofPackage = new Map<string, unknown>();

/** The value of a file of the package, read once per process. */
export function loadPackageYaml(file: string): unknown {
  const value = ofPackage.get(file) ?? parseYaml(readPackageFile(file), file).value;
  ofPackage.set(file, value);
  return value;
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

/** A node, and where it starts; in a map, where its key does. */
function nodeBelow(node: unknown, step: string | number): { node: unknown; offset: number | undefined } | undefined {
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

// Errors of the YAML parser in words that say what to change, and where.

/** `offset`: in the text. */
type YamlProblem = { readonly message: string; readonly offset: number };

/** Undefined for valid text. The parser only warns of an unknown tag. */
function findYamlProblem(document: Yaml.Document, text: string, yaml: typeof Yaml): YamlProblem | undefined {
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem === undefined) return findLostAlias(document, yaml);
  const [offset] = problem.pos;
  const open = /^Missing closing (["'])quote$/.exec(problem.message)?.[1];
  // The parser reports an open quote at the end of the file, but its start is where to fix it.
  if (open !== undefined) {
    return {
      message: `the string that starts here has no closing ${open}. Add it; inside ${open}…${open}, write ${ESCAPED[open]}.`,
      offset:
        findOpen(document, offset, yaml, (node) => yaml.isScalar(node) && node.type?.startsWith('QUOTE')) ?? offset,
    };
  }
  const closing = /end with a ([\]}])$/.exec(problem.message.split('\n')[0] ?? '')?.[1];
  if (closing !== undefined) {
    const start = findOpen(document, offset, yaml, (node) => yaml.isCollection(node) && node.flow);
    const what =
      start === undefined ? `${closing} is missing` : `the ${text[start]} that starts here has no closing ${closing}`;
    return { message: `${what}, or it is not indented enough. Add it.`, offset: start ?? offset };
  }
  // The parser takes a line that is indented too far for the end of the value above it.
  const [value = '', next] = text.slice(offset).split('\n');
  if (problem.message.startsWith('Nested mappings') && next !== undefined && !/:(?:\s|$)/.test(value)) {
    return {
      message: 'this line is indented further than its key allows. Indent it like the key above it.',
      offset: offset + value.length + 1,
    };
  }
  return { message: formatError(problem, text.slice(offset)), offset };
}

const ESCAPED: Readonly<Record<string, string>> = {
  "'": "an apostrophe as ''",
  '"': 'a quote as \\"',
};

function formatError({ code, message }: Yaml.YAMLError, at: string): string {
  const byCode = CODES[code]?.(at);
  if (byCode !== undefined) return byCode;
  const [, byMessage] = MESSAGES.find(([start]) => message.startsWith(start)) ?? [];
  return byMessage ?? `invalid YAML: ${message.split('\n')[0] ?? ''}.`;
}

/** `at`: the text from the place of the error. */
const CODES: Partial<Record<string, (at: string) => string>> = {
  DUPLICATE_KEY: (at) => {
    const key = /^["']?([^"':\n]+)/.exec(at)?.[1] ?? '';
    return `duplicate key "${key.trimEnd()}". Remove one of the two.`;
  },
  MULTIPLE_DOCS: () => 'a second document starts here. Keep one document per file.',
  TAG_RESOLVE_FAILED: (at) => `unknown tag ${/^\S+/.exec(at)?.[0] ?? '!'}. Remove it, or put quotes around the value.`,
  TAB_AS_INDENT: () => 'a tab is not allowed as indentation. Use spaces.',
  BAD_SCALAR_START: (at) => `put quotes around a value that starts with ${at[0]}.`,
  BAD_ALIAS: () => 'put quotes around a value that starts with * or &.',
};

/** Our words, by the beginning of the parser's message. */
const MESSAGES: readonly (readonly [start: string, words: string])[] = [
  ['Nested mappings', 'put quotes around a value that contains a colon and a space.'],
  ['Implicit keys need', 'a key has no colon. Write it as "key: value", on one line.'],
  [
    'A block sequence may not be used',
    'the indentation of this line fits no line above it. Indent it like the item above it.',
  ],
  ['With stringKeys', 'a key must be text. Put quotes around it.'],
];

/** The start of the last value of a kind that is still open at the end. */
function findOpen(
  document: Yaml.Document,
  end: number,
  { visit }: typeof Yaml,
  isOfKind: (node: Yaml.Scalar | Yaml.YAMLMap | Yaml.YAMLSeq) => boolean | undefined,
): number | undefined {
  let start: number | undefined;
  visit(document, {
    Value: (_key, node) => {
      if (isOfKind(node) && node.range && node.range[1] >= end) start = node.range[0];
    },
  });
  return start;
}

/** `*x` without `&x`: most likely a string that starts with an asterisk. */
function findLostAlias(document: Yaml.Document, { visit }: typeof Yaml): YamlProblem | undefined {
  let lost: YamlProblem | undefined;
  visit(document, {
    Alias: (_key, alias) => {
      if (alias.resolve(document) !== undefined) return;
      const message = `the alias *${alias.source} has no anchor. Put quotes around a value that starts with *.`;
      lost ??= { message, offset: alias.range?.[0] ?? 0 };
    },
  });
  return lost;
}

// The parsed YAML files of the package, stored in `dist/` by the build. Parsing and validating them would take longer
// than everything else before the first request. Entries are keyed by the hash of the text, so a file that was changed
// after the build is not found here and is parsed like any other.

export const SNAPSHOT = 'dist/yaml-snapshot.json';

export interface ParsedText {
  readonly value: unknown;
  /** JSON pointer → line. */
  readonly lines: Readonly<Record<string, number>>;
  /** Hash of the schema that the value was validated against. */
  readonly fits?: string;
}

/** Hash of the text → its contents. Empty if there is no build. */
let snapshot: Readonly<Record<string, ParsedText>> | undefined;

export function hashOfText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
