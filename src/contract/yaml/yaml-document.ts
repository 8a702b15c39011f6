/** Reads a YAML file and remembers on which line everything stands, so that a mistake can be shown where it was made. */
import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';
import { pointerOf } from '../../json.ts';
import { UsageError } from '../../usage-error.ts';
import { problemOf } from './yaml-problem.ts';
import { recall } from './yaml-snapshot.ts';

type Path = readonly (string | number)[];

export interface YamlDocument {
  readonly file: string;
  readonly value: unknown;
  /** Line of the key or of the list item; of its nearest ancestor where the path leads nowhere. */
  lineOf(path: Path): number;
  /** Hash of the schema that the value is known to fit, from the build. */
  readonly fits?: string;
}

/** Far more than anybody writes by hand, far less than a file needs to blow up when its aliases are followed. */
const MOST_ALIASES = 100;

const require = createRequire(import.meta.url);

/** Loaded on first use: a run that reads none but the package's own files has no need of a parser. */
function parser(): typeof Yaml {
  return require('yaml');
}

export function parseYaml(text: string, file: string): YamlDocument {
  const known = recall(text);
  if (known) {
    const { value, lines, ...rest } = known;
    return { file, value, lineOf: (path) => lineIn(lines, path), ...rest };
  }
  const yaml = parser();
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, {
    lineCounter: lines,
    // Only what JSON has: no other tags, no keys but strings, no `yes` for true.
    schema: 'core',
    resolveKnownTags: false,
    stringKeys: true,
    prettyErrors: false,
  });
  const problem = problemOf(document, text, yaml);
  if (problem) throw new UsageError(problem.message, { file, line: lines.linePos(problem.offset).line });
  return {
    file,
    value: toPlain(document, file),
    lineOf: (path) => lines.linePos(offsetOf(document, path)).line,
  };
}

function toPlain(document: Yaml.Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES });
  } catch (error) {
    // Thrown for too many aliases.
    if (error instanceof ReferenceError) throw new UsageError(`not well-formed YAML: ${error.message}.`, { file });
    throw error;
  }
}

/** Offset in the text of what the path leads to. An alias ends the way: what it stands for was written elsewhere. */
function offsetOf(document: Yaml.Document, path: Path): number {
  const { isMap, isScalar, isSeq } = parser();
  let here: unknown = document.contents;
  let offset = document.contents?.range?.[0] ?? 0;
  for (const step of path) {
    if (isMap(here)) {
      const pair = here.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
      if (!pair || !isScalar(pair.key)) return offset;
      offset = pair.key.range?.[0] ?? offset;
      here = pair.value;
    } else if (isSeq(here)) {
      const item: unknown = here.items[Number(step)];
      if (!isMap(item) && !isSeq(item) && !isScalar(item)) return offset;
      offset = item.range?.[0] ?? offset;
      here = item;
    } else {
      return offset;
    }
  }
  return offset;
}

function lineIn(lines: Readonly<Record<string, number>>, path: Path): number {
  for (let length = path.length; length >= 0; length--) {
    const line = lines[pointerOf(path.slice(0, length))];
    if (line !== undefined) return line;
  }
  return 1;
}
