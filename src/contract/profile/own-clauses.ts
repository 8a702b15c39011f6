/** Clauses that suites bring along. Each is a change of the contract, as a new clause of a profile is. */

import { COMMAND } from '../package-files.ts';
import { existsSync, statSync } from 'node:fs';
import { isObject, memberOf, parseJson } from '../../json.ts';
import { Mistakes } from '../../mistakes.ts';
import { inert } from '../../text/layout.ts';
import { didYouMean } from '../../text/suggestion.ts';
import { UsageError } from '../../usage-error.ts';
import { type Clause, CONTRACT_SUBJECTS, LEVELS } from '../contract.ts';
import { checkForm, fileSchema } from '../file-schema.ts';
import { loadContract } from '../read-contract.ts';
import { readSuiteBytes } from '../suite-bytes.ts';
import { parseYaml, type Path, placeOf, type YamlDocument } from '../yaml/yaml-document.ts';
import type { ChangeOf } from './profile.ts';

type NewClause = ChangeOf<'clause'>;

/** What was read, by path: a run asks for its contract many times. */
const read = new Map<string, { readonly state: string; readonly clauses: readonly NewClause[] }>();

/** A file that does not exist is complained about where its cases are read. */
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

/** Those in the document of a suite. The contract has to know them before the cases of the file can be read. */
export function readOwnClauses(document: YamlDocument): readonly NewClause[] {
  const entries: unknown = memberOf(document.value, 'clauses');
  if (entries === undefined) return [];
  const form = new Mistakes();
  const isSound = checkForm('suite', document, form, isCheckName);
  const judged = JSON.stringify(memberOf(document.value, 'cases') ?? null);
  const mistakes = new Mistakes();
  const written = Array.isArray(entries) ? entries.filter((_entry, index) => isSound('clauses', index)) : [];
  const clauses = written.map((entry: Omit<NewClause, 'clause' | 'kind'> & { readonly id: string }): NewClause => {
    const { id, ...rest } = entry;
    const path = ['clauses', (entries as readonly unknown[]).indexOf(entry)] as const;
    const wrongId = findWrongId(id);
    if (wrongId !== undefined) mistakes.add(new UsageError(wrongId, placeOf(document, ...path, 'id')));
    // A clause that no case can break would be a promise that always seems kept.
    else if (!judged.includes(`"clause":${JSON.stringify(id)}`))
      mistakes.add(new UsageError(`no case judges ${id}. Add one to the suite.`, placeOf(document, ...path)));
    return { kind: 'clause', clause: id, ...rest, line: document.lineOf(path) };
  });
  // The contract is needed before the cases are read, which would have shown what else is wrong.
  if (!mistakes.isEmpty || !isSound('clauses')) {
    checkNames(document, mistakes);
    mistakes.attempt(() => form.throwAny());
  }
  mistakes.throwAny();
  return clauses;
}

// Ids of clauses that users write: in profiles and in suites.

const ID = /^[a-z]+\.[a-z0-9]+(-[a-z0-9]+)*$/;

/** The clauses of v1, on every side of the wire. */
export function clausesOfV1(): readonly Clause[] {
  return (['gateway', ...CONTRACT_SUBJECTS] as const).flatMap((subject) => loadContract(subject).clauses);
}

/** Why an id cannot be that of a clause of the user's own; undefined if it can. */
export function findWrongId(id: string): string | undefined {
  if (!ID.test(id))
    return `the id "${inert(id, 100)}" must be two lower-case names joined by a dot, such as acme.request-id.`;
  const [area = ''] = id.split('.');
  if (!clausesOfV1().some((each) => each.id.startsWith(`${area}.`))) return undefined;
  return `ids that start with ${area}. belong to v1. Start yours with a name of your own.`;
}

// The names of checks in the file of a suite.

export function isCheckName(path: Path): boolean {
  return path.at(-1) === 'check' && path.at(-3) === 'expect';
}

/** One of ours, or one of the user's. */
interface NamedCheck {
  readonly anyOf: readonly [{ readonly enum: readonly string[] }, { readonly pattern: string }];
}

/** The message of the schema lists every check. The one here, which has the closest, comes first for its line. */
export function checkNames(document: YamlDocument, mistakes: Mistakes): void {
  const { anyOf } = memberOf(memberOf(parseJson(fileSchema('suite')), '$defs'), 'NamedCheck') as unknown as NamedCheck;
  const [{ enum: names }, { pattern }] = anyOf;
  const own = new RegExp(pattern);
  const visit = (here: unknown, path: Path): void => {
    if (Array.isArray(here)) for (const [index, item] of here.entries()) visit(item, [...path, index]);
    if (!isObject(here)) return;
    for (const [name, member] of Object.entries(here)) {
      if (typeof member !== 'string' || !isCheckName([...path, name])) visit(member, [...path, name]);
      else if (!names.includes(member) && !own.test(member)) {
        const guess = didYouMean(member, names) || ` See \`${COMMAND} list checks\`.`;
        mistakes.add(new UsageError(`unknown check "${member}".${guess}`, placeOf(document, ...path, name)));
      }
    }
  };
  visit(document.value, []);
}
