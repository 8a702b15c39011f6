/**
 * Clauses from their file. Checked by hand rather than by `clauses.schema.json`, which is there for editors:
 * every command needs the clauses, and most can do without compiling a schema first.
 */
import { isObject } from '../json.ts';
import { didYouMean } from '../text/suggestion.ts';
import { UsageError } from '../usage-error.ts';
import { type Clause, type Kind, KINDS, LEVELS, SCOPES, USUAL_LEVEL } from './clause.ts';
import type { YamlDocument } from './yaml/yaml-document.ts';

const KEYS = ['id', 'part', 'kind', 'level', 'why', 'scope', 'summary'] as const;
const ID = /^[a-z]+(\.[a-z0-9]+(-[a-z0-9]+)*)$/;
const CLAUSE_LEVELS = [...LEVELS, 'none'] as const;

export function readClauses(document: YamlDocument): readonly Clause[] {
  if (!Array.isArray(document.value)) {
    throw new UsageError('the file must be a list of clauses.', { file: document.file, line: 1 });
  }
  const lineOfId = new Map<string, number>();
  return document.value.map((entry: unknown, index) => {
    const clause = readClause(entry, index, document);
    const line = document.lineOf([index, 'id']);
    const before = lineOfId.get(clause.id);
    if (before !== undefined) {
      throw new UsageError(`the id ${clause.id} was given on line ${before} already.`, { file: document.file, line });
    }
    lineOfId.set(clause.id, line);
    return clause;
  });
}

function readClause(entry: unknown, index: number, document: YamlDocument): Clause {
  const refuse = (message: string, key?: string): never => {
    throw new UsageError(message, {
      file: document.file,
      line: document.lineOf(key === undefined ? [index] : [index, key]),
    });
  };
  if (!isObject(entry)) return refuse('a clause must be a map.');
  for (const key of Object.keys(entry)) {
    if (!KEYS.some((known) => known === key)) refuse(`unknown key "${key}" in a clause.${didYouMean(key, KEYS)}`, key);
  }
  const text = (key: (typeof KEYS)[number]): string => {
    const value = entry[key];
    if (value === undefined) return refuse(`a clause needs ${key}.`);
    if (typeof value !== 'string' || value === '') return refuse(`${key} must be a text.`, key);
    return value;
  };
  const oneOf = <T extends string>(key: (typeof KEYS)[number], known: readonly T[]): T => {
    const value = text(key);
    return (
      known.find((name) => name === value) ??
      refuse(`${key} must be one of ${known.join(', ')}, not "${value}".${didYouMean(value, known)}`, key)
    );
  };

  const id = text('id');
  if (!ID.test(id))
    refuse(`the id "${id}" must be two names in lower case with a dot between, such as auth.key-prefix.`, 'id');
  const kind = oneOf('kind', KINDS);
  const level = oneOf('level', CLAUSE_LEVELS);
  const why = entry['why'] === undefined ? undefined : text('why');
  if (why === undefined) needNoReason(kind, level, (message) => refuse(`${id} ${message}`, 'level'));
  return {
    id,
    part: text('part'),
    kind,
    level,
    ...(why === undefined ? {} : { why }),
    scope: entry['scope'] === undefined ? 'run' : oneOf('scope', SCOPES),
    summary: text('summary'),
  };
}

function needNoReason(kind: Kind, level: Clause['level'], refuse: (message: string) => void): void {
  if (kind === 'outside') refuse('is outside and needs why: the reason that it cannot be seen.');
  if (level !== USUAL_LEVEL[kind]) {
    refuse(`is ${kind}, usually ${USUAL_LEVEL[kind]}; at ${level} it needs why.`);
  }
}
