/** Turns errors of the YAML parser into messages that say what to change and where. */
import type * as Yaml from 'yaml';

export interface YamlProblem {
  readonly message: string;
  /** Offset in the text. */
  readonly offset: number;
}

/** Undefined for valid text. The parser only warns of an unknown tag. */
export function findProblem(document: Yaml.Document, text: string, yaml: typeof Yaml): YamlProblem | undefined {
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
  return { message: formatError(problem, text.slice(offset)), offset };
}

const ESCAPED: Readonly<Record<string, string>> = {
  "'": "an apostrophe as ''",
  '"': 'a quote as \\"',
};

function formatError({ code, message }: Yaml.YAMLError, at: string): string {
  if (code === 'DUPLICATE_KEY') {
    const key = /^["']?([^"':\n]+)/.exec(at)?.[1] ?? '';
    return `duplicate key "${key.trimEnd()}". Remove one of the two.`;
  }
  if (code === 'MULTIPLE_DOCS') return 'a second document starts here. Keep one document per file.';
  if (code === 'TAG_RESOLVE_FAILED')
    return `unknown tag ${/^\S+/.exec(at)?.[0] ?? '!'}. Remove it, or put quotes around the value.`;
  if (code === 'TAB_AS_INDENT') return 'a tab is not allowed as indentation. Use spaces.';
  if (code === 'BAD_SCALAR_START') return `put quotes around a value that starts with ${at[0]}.`;
  if (code === 'BAD_ALIAS') return 'put quotes around a value that starts with * or &.';
  if (message.startsWith('Nested mappings')) return 'put quotes around a value that contains a colon and a space.';
  const [first = ''] = message.split('\n');
  const closing = /end with a ([\]}])$/.exec(first)?.[1];
  if (closing !== undefined) return `invalid YAML: ${closing} is missing, or not indented enough.`;
  return `invalid YAML: ${first}.`;
}

function findOpenQuote(document: Yaml.Document, end: number, { visit }: typeof Yaml): number | undefined {
  let start: number | undefined;
  visit(document, {
    Scalar: (_key, { type, range }) => {
      if (type?.startsWith('QUOTE') && range && range[1] >= end) start = range[0];
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
