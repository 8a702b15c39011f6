/**
 * Reads the clauses. Validated by hand instead of by `clauses.schema.json`, which is for editors: every command needs
 * the clauses, and compiling a schema would delay it.
 */
import { isObject } from '../json.ts';
import { didYouMean } from '../text/suggestion.ts';
import { UsageError } from '../usage-error.ts';
import { type Clause, type Kind, KINDS, LEVELS, type Scope, SCOPES, TALLIES, USUAL_LEVEL } from './contract.ts';
import type { YamlDocument } from './yaml/yaml-document.ts';

/**
 * Clauses of the contract: schemas/v1/clauses.yaml.
 *
 * @public for `npm run schemas`
 */
export type ClauseFile = readonly ClauseEntry[];

/** @title a clause */
export interface ClauseEntry extends Omit<Clause, 'scope'> {
  /** @default run */
  readonly scope?: Scope;
}

const KEYS = ['id', 'part', 'kind', 'level', 'why', 'scope', 'tally', 'safety', 'summary'] as const;
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
      throw new UsageError(`the id ${clause.id} is already used on line ${before}. Choose another.`, {
        file: document.file,
        line,
      });
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
    if (typeof value !== 'string' || value === '') return refuse(`${key} must be a string that is not empty.`, key);
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
    refuse(`the id "${id}" must be two lower-case names joined by a dot, such as auth.key-prefix.`, 'id');
  const kind = oneOf('kind', KINDS);
  const level = oneOf('level', CLAUSE_LEVELS);
  const { safety } = entry;
  if (safety !== undefined && safety !== true) refuse('safety must be true, or left out.', 'safety');
  const why = entry['why'] === undefined ? undefined : text('why');
  if (why === undefined) requireReason(kind, level, (message) => refuse(`${id} ${message}`, 'level'));
  return {
    id,
    part: text('part'),
    kind,
    level,
    ...(why === undefined ? {} : { why }),
    scope: entry['scope'] === undefined ? 'run' : oneOf('scope', SCOPES),
    ...(entry['tally'] === undefined ? {} : { tally: oneOf('tally', TALLIES) }),
    ...(safety === true && { safety }),
    summary: text('summary'),
  };
}

function requireReason(kind: Kind, level: Clause['level'], refuse: (message: string) => void): void {
  if (kind === 'outside') refuse('is outside. Add why: the reason why it does not show over the wire.');
  if (level !== USUAL_LEVEL[kind]) {
    refuse(`is ${kind}, which is usually ${USUAL_LEVEL[kind]}. Add why it is ${level}.`);
  }
}
