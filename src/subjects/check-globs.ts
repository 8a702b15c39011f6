/** What `only` and `skip` choose. Globs and clause ids that match nothing are refused. */

import { Mistakes } from '../mistakes.ts';
import { matchesGlob } from '../plan/select.ts';
import { SUBJECT_TRAITS } from '../report/subject-traits.ts';
import type { AnyCase } from '../suite/case.ts';
import { inert } from '../text/inert.ts';
import { didYouMean } from '../text/suggestion.ts';
import { UsageError } from '../usage-error.ts';
import { loadAllClauses, SUBJECT_NAMES, type SubjectName, SUBJECTS } from './subjects.ts';

export interface Globs {
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** As the user wrote it, and where. */
  readonly originOf: (name: 'only' | 'skip', index: number) => Origin;
}

interface Origin {
  readonly label: string;
  readonly at?: { readonly file: string; readonly line: number };
}

/** The id of a clause stands for the cases that judge it. */
export function onlyCases(only: readonly string[], cases: readonly AnyCase[]): readonly string[] {
  return only.flatMap((glob) => {
    if (cases.some(({ id }) => matchesGlob(glob, id))) return [glob];
    return cases.filter(({ expect }) => expect.some(({ clause }) => matchesGlob(glob, clause))).map(({ id }) => id);
  });
}

/** A glob that matches nothing is a typing error: the run would check something else than was meant. */
export function checkGlobs(globs: Globs, cases: readonly AnyCase[], subject: SubjectName): void {
  const { caseWord, list } = SUBJECT_TRAITS[subject];
  const ids = cases.map(({ id }) => id);
  const clauses = [...new Set(cases.flatMap(({ expect }) => expect.map(({ clause }) => clause)))];
  const mistakes = new Mistakes();
  for (const name of ['only', 'skip'] as const) {
    for (const [index, glob] of globs[name].entries()) {
      const known = name === 'only' ? [...ids, ...clauses] : ids;
      if (known.some((id) => matchesGlob(glob, id))) continue;
      // `auht/*` is like no case id, but it is like `auth/*`.
      const names = [...new Set(ids.map((id) => id.split('/')[0] ?? id))].map((suite) => `${suite}/*`);
      const suite = names.find((each) => each === `${glob}/*`);
      const guess =
        (suite && ` Did you mean "${suite}"?`) ||
        nameOtherSide(glob, subject) ||
        didYouMean(glob, [...known, ...names]) ||
        ` \`wirecheck list ${list}\` lists the ids.`;
      const { label, at } = globs.originOf(name, index);
      mistakes.attempt(() => {
        throw new UsageError(`${label} ${inert(glob, 100)} matches no ${caseWord}.${guess}`, {
          ...at,
          code: 'NO_CASES',
        });
      });
    }
  }
  mistakes.throwAny();
}

/** The side of the wire that has such a case. */
function nameOtherSide(glob: string, subject: SubjectName): string | undefined {
  const has = (name: SubjectName) => SUBJECTS[name].cases([]).some(({ id }) => matchesGlob(glob, id));
  const other = SUBJECT_NAMES.find((name) => name !== subject && has(name));
  if (!other) return undefined;
  const { caseWord, command } = SUBJECT_TRAITS[other];
  return ` It is a ${other}'s ${caseWord}: \`wirecheck ${command}\` has it.`;
}

// Whether the clauses exist whose levels the user changes.

/** One config file serves gateways, clients and relays. `placeOf`: the line of a clause. */
export function checkLevels(
  changed: readonly string[],
  placeOf: (clause: string) => { readonly file: string; readonly line: number } | undefined,
): void {
  if (changed.length === 0) return;
  const ids = loadAllClauses().map(({ id }) => id);
  const mistakes = new Mistakes();
  for (const id of changed) {
    if (ids.includes(id)) continue;
    const guess = didYouMean(id, ids) || ' `wirecheck list clauses` lists the ids.';
    mistakes.attempt(() => {
      throw new UsageError(`unknown clause "${inert(id, 100)}".${guess}`, { ...placeOf(id), code: 'UNKNOWN_NAME' });
    });
  }
  mistakes.throwAny();
}
