/** Compares the clauses found broken with those that a subject breaks, and sums it up. */
import { createHash } from 'node:crypto';
import { loadStockClients, type MismatchKind } from '../src/contract/stock-clients.ts';
import type { Report } from '../src/report/report.ts';
import { formatReason } from '../src/verdict/reason.ts';
import type { VerdictName } from '../src/verdict/verdict.ts';
import { TEST_KINDS, type TestSubject } from './test-subjects.ts';
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
    ...breaks.filter((id) => !found.has(id)).map((id) => `${id} is broken, but was not found`),
    ...[...found].filter((id) => !expected.has(id)).map((id) => `${id} was reported as broken, but is not`),
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

export function brokenClauses(report: Report): ReadonlySet<string> {
  return new Set(Object.values(foundBy(report)).flat());
}

function undecided({ cases }: Report): readonly string[] {
  return cases.flatMap(({ id, expectations }) =>
    expectations
      .filter(({ verdict }) => verdict === 'inconclusive')
      .map(({ clause, reason }) => {
        const why = reason ? formatReason(reason) : 'no reason given';
        return `${id}: ${clause} is inconclusive (${why})`;
      }),
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

/** A kind that is not found has a name or place in `schemas/clients.json` that is out of date. */
export function missingKinds({ affected }: Report, fault: string): readonly string[] {
  const found = new Set(affected?.mismatches.map(identity));
  return loadStockClients()
    .mismatches.filter((kind) => kind.faults.includes(fault) && !found.has(identity(kind)))
    .map((kind) => `stock clients were measured on ${identity(kind)}, which was not found`);
}

function identity({ clause, call, mismatch, actual, pointer = 'no place' }: MismatchKind): string {
  return `${clause} in ${call}: ${mismatch}, ${actual}, ${pointer}`;
}

/** Listed by name; the many others are covered by the hash. */
const LISTED: ReadonlySet<VerdictName> = new Set(['fail', 'warn', 'inconclusive']);

export function listVerdicts(name: string, { outcome, cases }: Report): string {
  const hash = createHash('sha256');
  const listed = new Map<string, string[]>();
  for (const { id, expectations } of cases) {
    for (const { clause, verdict } of expectations) {
      hash.update(`${id} ${clause} ${verdict}\n`);
      if (!LISTED.has(verdict)) continue;
      const group = `${verdict} ${clause}`;
      listed.set(group, [...(listed.get(group) ?? []), id]);
    }
  }
  const groups = [...listed].map(([group, ids]) => `${group}: ${ids.join(' ')}`);
  return [`${name}: exit ${outcome.exit}`, `sha256 ${hash.digest('hex').slice(0, 16)}`, ...groups].join(' | ');
}

/** `faults caught 187/187 · variants left alone 61/61`. Kinds that were not tried are left out. */
export function summarizeTrials(results: readonly Pick<TrialResult, 'subject' | 'problems'>[]): string {
  return Object.entries(TEST_KINDS)
    .flatMap(([kind, { goal }]) => {
      const own = results.filter(({ subject }) => subject.kind === kind);
      const good = own.filter(({ problems }) => problems.length === 0);
      return own.length === 0 ? [] : [`${goal} ${good.length}/${own.length}`];
    })
    .join(' · ');
}

/** Empty if there are none. */
export function formatProblems({ subject: { kind, id }, problems }: TrialResult): string {
  return problems.length === 0 ? '' : `${kind} ${id}\n${problems.map((problem) => `  ${problem}\n`).join('')}`;
}
