/**
 * Clauses that suites bring along. Each is a change of the contract, as a new clause of a profile is. Checked by hand: the
 * contract has to know them before the cases of the file can be read, and the schema is about the whole file.
 */
import { existsSync, statSync } from 'node:fs';
import { isObject, memberOf } from '../../json.ts';
import { inert } from '../../text/inert.ts';
import { didYouMean } from '../../text/suggestion.ts';
import { UsageError } from '../../usage-error.ts';
import { Mistakes } from '../../mistakes.ts';
import { LEVELS } from '../contract.ts';
import { checkNames } from '../check-names.ts';
import { checkFile } from '../file-schema.ts';
import { readSuiteBytes } from '../suite-bytes.ts';
import { parseYaml, type YamlDocument } from '../yaml/yaml-document.ts';
import { clausesOfV1, findWrongId } from './clause-ids.ts';
import type { ChangeOf } from './profile.ts';

type NewClause = ChangeOf<'clause'>;

const KEYS = ['id', 'level', 'summary', 'hurts', 'why'] as const;
const REQUIRED = ['id', 'level', 'summary'] as const;

/** By path: a run asks for its contract many times. */
const read = new Map<string, { readonly state: string; readonly clauses: readonly NewClause[] }>();

/** Of all these suites. A file that does not exist is complained about where its cases are read. */
export function clausesOfSuites(suites: readonly string[]): readonly NewClause[] {
  const lines = new Map<string, string>();
  return suites.filter(isFile).flatMap((file) =>
    clausesOfFile(file).map((change) => {
      const place = `${file}:${change.line ?? 1}`;
      const before = lines.get(change.clause);
      if (before !== undefined && before !== place) {
        const at = { file, line: change.line ?? 1 };
        throw new UsageError(`the clause ${change.clause} is already at ${before}. Choose another id.`, at);
      }
      lines.set(change.clause, place);
      return change;
    }),
  );
}

function isFile(name: string): boolean {
  return /\.ya?ml$/.test(name) && existsSync(name);
}

function clausesOfFile(file: string): readonly NewClause[] {
  const { mtimeMs, size } = statSync(file);
  const state = `${mtimeMs} ${size}`;
  const known = read.get(file);
  if (known?.state === state) return known.clauses;
  const clauses = readOwnClauses(parseYaml(readSuiteBytes(file).toString('utf8'), file));
  read.set(file, { state, clauses });
  return clauses;
}

/** Right or wrong, but for ids of v1: so that cases that name them can be read. */
export function clausesAsWritten(suites: readonly string[]): readonly NewClause[] {
  const known = new Set(clausesOfV1().map(({ id }) => id));
  return suites.filter(isFile).flatMap((file) => {
    const entries = memberOf(parseYaml(readSuiteBytes(file).toString('utf8'), file).value, 'clauses');
    return (Array.isArray(entries) ? entries : []).flatMap((entry): readonly NewClause[] => {
      const [id, given] = [memberOf(entry, 'id'), memberOf(entry, 'level')];
      if (typeof id !== 'string' || known.has(id)) return [];
      const level = LEVELS.find((name) => name === given) ?? 'must';
      return [{ kind: 'clause', clause: id, level, summary: id }];
    });
  });
}

/** Of the document of a suite. */
export function readOwnClauses(document: YamlDocument): readonly NewClause[] {
  const entries = memberOf(document.value, 'clauses');
  if (entries === undefined) return [];
  if (!Array.isArray(entries)) return refuse(document, 'clauses must be a list of clauses.', ['clauses']);
  const judged = JSON.stringify(memberOf(document.value, 'cases') ?? null);
  const mistakes = new Mistakes();
  const clauses = entries.flatMap((entry: unknown, index) => {
    const clause = mistakes.attempt(() => readOwnClause(entry, index, document));
    // A clause that no case can break would be a promise that always seems kept.
    if (clause && !judged.includes(`"clause":${JSON.stringify(clause.clause)}`)) {
      mistakes.attempt(() =>
        refuse(document, `no case judges ${clause.clause}. Add one to the suite.`, ['clauses', index]),
      );
    }
    return clause ?? [];
  });
  // The contract is needed before the cases are read, which would have shown what else is wrong.
  if (!mistakes.isEmpty) {
    checkNames(document, mistakes);
    mistakes.attempt(() => checkFile('suite', document));
  }
  mistakes.throwAny();
  return clauses;
}

function refuse(document: YamlDocument, message: string, path: readonly (string | number)[]): never {
  throw new UsageError(message, { file: document.file, line: document.lineOf(path) });
}

function readOwnClause(entry: unknown, index: number, document: YamlDocument): NewClause {
  const complain = (message: string, ...key: readonly string[]): never =>
    refuse(document, message, ['clauses', index, ...key]);
  if (!isObject(entry)) return complain('a clause must be a map.');
  const stray = Object.keys(entry).find((key) => !KEYS.some((known) => known === key));
  if (stray !== undefined) complain(`unknown key "${inert(stray, 60)}" in a clause.${didYouMean(stray, KEYS)}`, stray);
  const missing = REQUIRED.find((key) => entry[key] === undefined);
  if (missing !== undefined) complain(`a clause needs ${missing}.`);
  const wrong = KEYS.find(
    (key) => entry[key] !== undefined && (typeof entry[key] !== 'string' || entry[key].trim() === ''),
  );
  if (wrong !== undefined) complain(`${wrong} must be a string that is not empty.`, wrong);
  const { id, level: given, summary, hurts, why } = entry as Readonly<Record<(typeof KEYS)[number], string>>;
  const level = LEVELS.find((name) => name === given);
  if (level === undefined)
    return complain(`level must be one of ${LEVELS.join(', ')}.${didYouMean(given, LEVELS)}`, 'level');
  const wrongId = findWrongId(id);
  if (wrongId !== undefined) complain(wrongId, 'id');
  return {
    kind: 'clause',
    clause: id,
    level,
    summary,
    ...(hurts !== undefined && { hurts }),
    ...(why !== undefined && { why }),
    line: document.lineOf(['clauses', index]),
  };
}
