/** Compares the clauses found broken with those that a fault breaks; a variant breaks none. */
import type { FaultId, VariantId } from '../gateway/index.ts';
import type { Report } from '../report/report.ts';
import { formatReason } from '../verdict/reason.ts';
import { listVerdicts } from './list-verdicts.ts';
import { missingKinds } from './measured-kinds.ts';

export type Subject =
  | { readonly kind: 'fault'; readonly id: FaultId; readonly breaks: readonly string[] }
  | { readonly kind: 'variant'; readonly id: VariantId };

export interface TrialResult {
  readonly subject: Subject;
  /** Differences from what was expected; empty if all is well. */
  readonly problems: readonly string[];
  /** Case id → clauses that it found broken. */
  readonly foundBy: Readonly<Record<string, readonly string[]>>;
  /** Every verdict without --strict, in one line. */
  readonly verdicts: string;
}

interface Judged {
  readonly plain: Report;
  /** The same exchanges with --strict, if they were judged so. */
  readonly strict: Report | undefined;
}

export function compareSubject(subject: Subject, judged: Judged): TrialResult {
  return {
    subject,
    problems: subject.kind === 'fault' ? faultProblems(subject, judged) : variantProblems(judged),
    foundBy: foundBy(judged.plain),
    verdicts: listVerdicts(`${subject.kind} ${subject.id}`, judged.plain),
  };
}

function faultProblems({ id, breaks }: Subject & { kind: 'fault' }, { plain, strict }: Judged): readonly string[] {
  const expected = new Set(breaks);
  const found = brokenClauses(plain);
  const breaksMust = plain.clauses.some(({ id, level }) => level === 'must' && expected.has(id));
  return [
    ...differences(expected, found),
    ...missingKinds(plain, id),
    ...(breaksMust === (plain.outcome.exit === 1) ? [] : [`exit ${plain.outcome.exit} without --strict`]),
    ...(strict ? sameSet('strict', brokenClauses(strict), found) : []),
    ...(strict && strict.outcome.exit !== 1 ? [`exit ${strict.outcome.exit} with --strict`] : []),
  ];
}

function variantProblems({ plain, strict }: Judged): readonly string[] {
  return [
    ...[...brokenClauses(plain)].map((id) => `${id} was reported as broken, but is not`),
    ...undecided(plain),
    ...(plain.outcome.exit === 0 ? [] : [`exit ${plain.outcome.exit} without --strict`]),
    ...(strict && strict.outcome.exit !== 0 ? [`exit ${strict.outcome.exit} with --strict`] : []),
  ];
}

function differences(expected: ReadonlySet<string>, found: ReadonlySet<string>): readonly string[] {
  return [
    ...[...expected].filter((id) => !found.has(id)).map((id) => `${id} is broken, but was not found`),
    ...[...found].filter((id) => !expected.has(id)).map((id) => `${id} was reported as broken, but is not`),
  ];
}

function sameSet(name: string, actual: ReadonlySet<string>, expected: ReadonlySet<string>): readonly string[] {
  const same = actual.size === expected.size && [...actual].every((id) => expected.has(id));
  return same ? [] : [`${name}: found ${[...actual].join(', ')}`];
}

/** What a client or a relay was found to break beside what it breaks, and what was not decided. */
export function compareBroken(report: Report, breaks: readonly string[]): readonly string[] {
  const expected = new Set(breaks);
  const found = brokenClauses(report);
  const breaksMust = report.clauses.some(({ id, level }) => level === 'must' && expected.has(id));
  const { exit } = report.outcome;
  return [
    ...differences(expected, found),
    ...undecided(report),
    ...(exit === (breaksMust ? 1 : 0) ? [] : [`exit ${exit}`]),
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

export function foundBy({ cases }: Report): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    cases.flatMap(({ id, expectations }) => {
      const broken = expectations.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
      return broken.length > 0 ? [[id, [...new Set(broken.map(({ clause }) => clause))]]] : [];
    }),
  );
}
