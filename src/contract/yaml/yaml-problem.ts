/** What the YAML parser complains of, in words that say what to change, and the place in the text where to change it. */
import type * as Yaml from 'yaml';

export interface YamlProblem {
  readonly message: string;
  /** Offset in the text. */
  readonly offset: number;
}

/** Undefined where the text can be read. An unknown tag is a mere warning to the parser. */
export function problemOf(document: Yaml.Document, text: string, yaml: typeof Yaml): YamlProblem | undefined {
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem === undefined) return lostAlias(document, yaml);
  const [offset] = problem.pos;
  const open = /^Missing closing (["'])quote$/.exec(problem.message)?.[1];
  // Whatever follows an open quote belongs to it, so the parser notices at the end of the file only.
  if (open !== undefined) {
    return {
      message: `the text that starts here has no closing ${open} (inside ${open}…${open}, ${ESCAPED[open]}).`,
      offset: openQuote(document, offset, yaml) ?? offset,
    };
  }
  return { message: inWords(problem, text.slice(offset)), offset };
}

const ESCAPED: Readonly<Record<string, string>> = {
  "'": "an apostrophe is written as ''",
  '"': 'a quote is written as \\"',
};

function inWords({ code, message }: Yaml.YAMLError, at: string): string {
  if (code === 'DUPLICATE_KEY') {
    const key = /^["']?([^"':\n]+)/.exec(at)?.[1] ?? '';
    return `the key "${key.trimEnd()}" stands in the same place twice.`;
  }
  if (code === 'MULTIPLE_DOCS') return 'a second document starts here; one file holds one document.';
  if (code === 'TAG_RESOLVE_FAILED') return `tags such as ${/^\S+/.exec(at)?.[0] ?? '!'} are not known here.`;
  if (code === 'TAB_AS_INDENT') return 'a tab cannot indent a line: use spaces.';
  if (code === 'BAD_SCALAR_START') return `a value that starts with ${at[0]} needs quotes around it.`;
  if (code === 'BAD_ALIAS') return 'a value that starts with * or & needs quotes around it.';
  if (message.startsWith('Nested mappings')) return 'a value that holds a colon and a space needs quotes around it.';
  const [first = ''] = message.split('\n');
  const closing = /end with a ([\]}])$/.exec(first)?.[1];
  if (closing !== undefined) return `not well-formed YAML: ${closing} is missing, or stands too far to the left.`;
  return `not well-formed YAML: ${first}.`;
}

function openQuote(document: Yaml.Document, end: number, { visit }: typeof Yaml): number | undefined {
  let start: number | undefined;
  visit(document, {
    Scalar: (_key, { type, range }) => {
      if (type?.startsWith('QUOTE') && range && range[1] >= end) start = range[0];
    },
  });
  return start;
}

/** `*x` without `&x`: most likely a text that was meant to start with an asterisk. */
function lostAlias(document: Yaml.Document, { visit }: typeof Yaml): YamlProblem | undefined {
  let lost: YamlProblem | undefined;
  visit(document, {
    Alias: (_key, alias) => {
      if (alias.resolve(document) !== undefined) return;
      const message = `*${alias.source} stands for nothing: a value that starts with * needs quotes around it.`;
      lost ??= { message, offset: alias.range?.[0] ?? 0 };
    },
  });
  return lost;
}
