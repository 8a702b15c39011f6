/** Reads a YAML file and remembers on which line everything stands, so that a mistake can be shown where it was made. */
import { type Document, isMap, isScalar, isSeq, LineCounter, parseDocument, type YAMLError } from 'yaml';
import { UsageError } from '../usage-error.ts';

export type Path = readonly (string | number)[];

export interface YamlDocument {
  readonly file: string;
  readonly value: unknown;
  /** Line of the key or of the list item; of its nearest ancestor where the path leads nowhere. */
  lineOf(path: Path): number;
}

/** Far more than anybody writes by hand, far less than a file needs to blow up when its aliases are followed. */
const MOST_ALIASES = 100;

export function parseYaml(text: string, file: string): YamlDocument {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    // Only what JSON has: no other tags, no keys but strings, no `yes` for true.
    schema: 'core',
    resolveKnownTags: false,
    stringKeys: true,
    prettyErrors: false,
  });
  // An unknown tag is a mere warning to the parser.
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem) {
    throw new UsageError(inShort(problem, text), { file, line: lines.linePos(problem.pos[0]).line });
  }
  return {
    file,
    value: toPlain(document, file),
    lineOf: (path) => lines.linePos(offsetOf(document, path)).line,
  };
}

function inShort(problem: YAMLError, text: string): string {
  switch (problem.code) {
    case 'DUPLICATE_KEY': {
      const key = /^["']?([^"':\n]+)/.exec(text.slice(problem.pos[0]))?.[1]?.trimEnd() ?? '';
      return `the key "${key}" stands in the same place twice.`;
    }
    case 'MULTIPLE_DOCS':
      return 'a second document starts here; one file holds one document.';
    case 'TAG_RESOLVE_FAILED':
      return `tags such as ${/![^\s]*/.exec(text.slice(problem.pos[0]))?.[0] ?? '!'} are not known here.`;
    default:
      return `not well-formed YAML: ${problem.message.split('\n')[0] ?? ''}.`;
  }
}

function toPlain(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES });
  } catch (error) {
    // Thrown for an alias without its anchor, and for too many of them.
    if (error instanceof ReferenceError) throw new UsageError(`not well-formed YAML: ${error.message}.`, { file });
    throw error;
  }
}

/** Offset in the text of what the path leads to. An alias ends the way: what it stands for was written elsewhere. */
function offsetOf(document: Document, path: Path): number {
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
