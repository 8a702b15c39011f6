/** Compares the clauses found broken with those that a subject breaks. */
import type { Report } from '../src/report/report.ts';
import { formatReason } from '../src/verdict/reason.ts';
import { listVerdicts } from './list-verdicts.ts';
import { missingKinds } from './measured-kinds.ts';
import type { TestSubject } from './test-subjects.ts';
import type { Judged, TrialResult } from './trial.ts';

export function compareSubject(subject: TestSubject, judged: Judged): TrialResult {
  return {
    subject,
    problems: [...problemsOf(subject, judged), ...(judged.problems ?? [])],
    foundBy: foundBy(judged.plain),
    verdicts: listVerdicts(`${subject.kind} ${subject.id}`, judged.plain),
  };
}

function problemsOf({ id, kind, breaks = [] }: TestSubject, { plain, strict }: Judged): readonly string[] {
  const expected = new Set(breaks);
  const found = brokenClauses(plain);
  const breaksMust = plain.clauses.some((clause) => clause.level === 'must' && expected.has(clause.id));
  const { exit } = plain.outcome;
  // What a faulty gateway does may leave other clauses open, and so may a load under which it fails.
  const isOpen = kind === 'fault' || kind === 'faulty under load';
  const isRightExit = isOpen ? (exit === 1) === breaksMust : exit === (breaksMust ? 1 : 0);
  return [
    ...differences(expected, found),
    ...missingKinds(plain, id),
    ...(isOpen ? [] : undecided(plain)),
    ...(isRightExit ? [] : [`exit ${exit}${strict ? ' without --strict' : ''}`]),
    ...(strict ? strictProblems(strict, found, breaks.length > 0 ? 1 : 0) : []),
  ];
}

function strictProblems(strict: Report, expected: ReadonlySet<string>, right: number): readonly string[] {
  const found = brokenClauses(strict);
  const isSame = found.size === expected.size && [...found].every((id) => expected.has(id));
  const { exit } = strict.outcome;
  return [
    ...(isSame ? [] : [`strict: found ${[...found].join(', ')}`]),
    ...(exit === right ? [] : [`exit ${exit} with --strict`]),
  ];
}

function differences(expected: ReadonlySet<string>, found: ReadonlySet<string>): readonly string[] {
  return [
    ...[...expected].filter((id) => !found.has(id)).map((id) => `${id} is broken, but was not found`),
    ...[...found].filter((id) => !expected.has(id)).map((id) => `${id} was reported as broken, but is not`),
  ];
}

export function brokenClauses({ cases }: Report): ReadonlySet<string> {
  return new Set(
    cases.flatMap(({ expectations }) =>
      expectations.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn').map(({ clause }) => clause),
    ),
  );
}

function undecided({ cases }: Report): readonly string[] {
  return cases.flatMap(({ id, expectations }) =>
    expectations
      .filter(({ verdict }) => verdict === 'inconclusive')
      .map(
        ({ clause, reason }) =>
          `${id}: ${clause} is inconclusive (${reason ? formatReason(reason) : 'no reason given'})`,
      ),
  );
}

function foundBy({ cases }: Report): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    cases.flatMap(({ id, expectations }) => {
      const broken = expectations.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
      return broken.length > 0 ? [[id, [...new Set(broken.map(({ clause }) => clause))]]] : [];
    }),
  );
}
