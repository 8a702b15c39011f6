/** Errors of the YAML parser in words that say what to change, and where. */
import type * as Yaml from 'yaml';

interface YamlProblem {
  readonly message: string;
  /** Offset in the text. */
  readonly offset: number;
}

/** Undefined for valid text. The parser only warns of an unknown tag. */
export function findYamlProblem(document: Yaml.Document, text: string, yaml: typeof Yaml): YamlProblem | undefined {
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem === undefined) return findLostAlias(document, yaml);
  const [offset] = problem.pos;
  const open = /^Missing closing (["'])quote$/.exec(problem.message)?.[1];
  // The parser reports an open quote at the end of the file, but its start is where to fix it.
  if (open !== undefined) {
    return {
      message: `the string that starts here has no closing ${open}. Add it; inside ${open}…${open}, write ${ESCAPED[open]}.`,
      offset: findOpenQuote(document, offset, yaml) ?? offset,
    };
  }
  const closing = /end with a ([\]}])$/.exec(problem.message.split('\n')[0] ?? '')?.[1];
  if (closing !== undefined) {
    const start = findOpenBracket(document, offset, yaml);
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

/** By the beginning of the parser's message. */
const MESSAGES: readonly (readonly [start: string, words: string])[] = [
  ['Nested mappings', 'put quotes around a value that contains a colon and a space.'],
  ['Implicit keys need', 'a key has no colon. Write it as "key: value", on one line.'],
  [
    'A block sequence may not be used',
    'the indentation of this line fits no line above it. Indent it like the item above it.',
  ],
  ['With stringKeys', 'a key must be text. Put quotes around it.'],
];

function findOpenQuote(document: Yaml.Document, end: number, { visit }: typeof Yaml): number | undefined {
  let start: number | undefined;
  visit(document, {
    Scalar: (_key, { type, range }) => {
      if (type?.startsWith('QUOTE') && range && range[1] >= end) start = range[0];
    },
  });
  return start;
}

/** The last list or map in brackets that is still open at the end. */
function findOpenBracket(document: Yaml.Document, end: number, { visit }: typeof Yaml): number | undefined {
  let start: number | undefined;
  visit(document, {
    Collection: (_key, { flow, range }) => {
      if (flow && range && range[1] >= end) start = range[0];
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
