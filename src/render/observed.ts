/** What was observed, by clause: what checks recorded, and what became of clauses whose level is observe. */
import { groupBy } from '../report/counts.ts';
import type { CaseReport, Report } from '../report/report.ts';
import { traitsOf } from '../report/subject-traits.ts';
import { count } from '../text/layout.ts';
import { formatObservationName, formatObservations } from '../verdict/observation.ts';
import { countSeen, unitOf } from './count-seen.ts';
import type { ExpectationReport, FindingReport } from './fold.ts';
import { formatExpectedAt, formatTypedActual } from './mismatch-text.ts';
import { countOf } from './seen-text.ts';

export interface ObservedClause {
  readonly clause: string;
  /** It could be judged, but its level is observe. */
  readonly isLowered: boolean;
  /** Names with what was seen, such as `status` and `400`. */
  readonly facts: readonly (readonly [name: string, values: readonly string[]])[];
}

/** In the order of the contract. */
export function listObserved(report: Report): readonly ObservedClause[] {
  const recorded = groupBy(report.observations, ({ clause }) => clause);
  const lowered = groupBy(report.cases.flatMap(loweredOf), ({ expectation }) => expectation.clause);
  const order = report.clauses.map(({ id }) => id);
  return [...new Set([...recorded.keys(), ...lowered.keys()])]
    .toSorted((left, right) => order.indexOf(left) - order.indexOf(right))
    .map((clause) => {
      const own = lowered.get(clause) ?? [];
      const named = [...groupBy(recorded.get(clause) ?? [], formatObservationName)].map(
        ([name, same]) => [name, formatObservations(same.map(({ value }) => value))] as const,
      );
      return { clause, isLowered: own.length > 0, facts: [...named, ...describeLowered(report, own)] };
    });
}

interface Lowered {
  readonly case: CaseReport;
  readonly expectation: ExpectationReport;
}

/** Expectations that a check would judge. Of what the contract leaves open, nothing can be kept or broken. */
export function loweredOf(testCase: CaseReport): readonly Lowered[] {
  return testCase.expectations
    .filter(
      ({ verdict, kind, observations }) => verdict === 'observed' && kind !== 'silent' && observations.length === 0,
    )
    .map((expectation) => ({ case: testCase, expectation }));
}

export function describeLowered(report: Report, all: readonly Lowered[]): ObservedClause['facts'] {
  const lowered = withoutTwice(all);
  if (lowered.length === 0) return [];
  const members = lowered.flatMap(({ case: own, expectation: { findings } }) =>
    findings.map((finding) => ({ case: own, finding })),
  );
  const unit = unitOf(report, members, new Map(report.exchanges.map((exchange) => [exchange.id, exchange])));
  const seen = [...groupBy(members, ({ finding }) => formatSeen(finding))].map(([words, same]) =>
    // Under load, findings are examples.
    report.load ? words : `${words} (${countOf(countSeen(unit, same), unit)})`,
  );
  return [['kept', [formatKept(report, lowered)]], ...(seen.length === 0 ? [] : [['seen', seen] as const])];
}

/** A case without a request of its own looks at the answers that other cases got. */
function withoutTwice(all: readonly Lowered[]): readonly Lowered[] {
  const own = all.filter((each) => each.case.exchange !== undefined);
  const looked = all.filter((each) => each.case.exchange === undefined);
  return tally(looked).judged >= tally(own).judged && looked.length > 0 ? looked : own;
}

function tally(all: readonly Lowered[]): { readonly judged: number; readonly broken: number } {
  const rows = all.flatMap(({ expectation }) => expectation.answers ?? []);
  return {
    judged: rows.reduce((sum, { judged }) => sum + judged, 0),
    broken: rows.reduce((sum, { broken }) => sum + broken, 0),
  };
}

/** `in 49 of 137 answers`; where answers are not counted, in how many cases. */
function formatKept(report: Report, lowered: readonly Lowered[]): string {
  const { judged, broken } = tally(lowered);
  if (judged > 0) return `in ${judged - broken} of ${count(judged, 'answer')}`;
  const kept = lowered.filter(({ expectation }) => expectation.findings.length === 0);
  return `in ${kept.length} of ${count(lowered.length, traitsOf(report).caseWord)}`;
}

/** `401 (integer) instead of a string at /error/code` */
function formatSeen(finding: FindingReport): string {
  return `${formatTypedActual(finding)} instead of ${formatExpectedAt(finding)}`;
}
