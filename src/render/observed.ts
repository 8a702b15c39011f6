/** What was observed and not judged: what the contract leaves open, and clauses whose level is observe. */

import { groupBy } from '../report/counts.ts';
import type { CaseReport, ExpectationReport, FindingReport, Report } from '../report/report.ts';
import { traitsOf } from '../report/subject-traits.ts';
import { count, inert, listFirst } from '../text/layout.ts';
import { formatObservationName, formatObservations } from '../verdict/observation.ts';
import { asCode, fact, type Fact, type List } from './document/document.ts';
import { countOf, formatExpectedAt, formatTypedActual } from './finding-text.ts';
import { addTallies, countSeen, unitOf } from './fold.ts';

export interface ObservedClause {
  readonly clause: string;
  /** It could be judged, but its level is observe. */
  readonly isLowered: boolean;
  /** Names with what was seen, such as `status` and `400`. */
  readonly facts: readonly (readonly [name: string, values: readonly string[]])[];
}

/** Clauses are in the order of the contract. */
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

/** `kept in 49 of 137 answers`, and what was seen instead: `401 (integer) instead of a string at /error/code`. */
export function describeLowered(report: Report, all: readonly Lowered[]): ObservedClause['facts'] {
  const lowered = withoutTwice(all);
  if (lowered.length === 0) return [];
  const members = lowered.flatMap(({ case: own, expectation: { findings } }) =>
    findings.map((finding) => ({ case: own, finding })),
  );
  const unit = unitOf(report, members);
  const formOf = ({ finding }: { readonly finding: FindingReport }): string =>
    `${formatTypedActual(finding)} instead of ${formatExpectedAt(finding)}`;
  const seen = [...groupBy(members, formOf)].map(([words, same]) =>
    // Under load, findings are examples.
    report.load ? words : `${words} (${countOf(countSeen(unit, same), unit)})`,
  );
  const { judged, broken } = tally(lowered);
  const kept = lowered.filter(({ expectation }) => expectation.findings.length === 0).length;
  // Where answers are not counted, in how many cases.
  const inAll =
    judged > 0
      ? `in ${judged - broken} of ${count(judged, 'answer')}`
      : `in ${kept} of ${count(lowered.length, traitsOf(report).caseWord)}`;
  return [['kept', [inAll]], ...(seen.length === 0 ? [] : [['seen', seen] as const])];
}

/** A case without a request of its own looks at the answers that other cases got. */
function withoutTwice(all: readonly Lowered[]): readonly Lowered[] {
  const own = all.filter((each) => each.case.exchange !== undefined);
  const looked = all.filter((each) => each.case.exchange === undefined);
  return tally(looked).judged >= tally(own).judged && looked.length > 0 ? looked : own;
}

function tally(all: readonly Lowered[]): ReturnType<typeof addTallies> {
  return addTallies(all.flatMap(({ expectation }) => expectation.answers ?? []));
}

/** Clauses whose level is observe. What the contract leaves open is in the full report. */
export function loweredList(report: Report): List {
  const items = listObserved(report)
    .filter(({ isLowered }) => isLowered)
    .map(({ clause, facts }) => ({
      text: asCode(inert(clause)),
      facts: facts.flatMap(([name, values]) => fact(inert(name), values.map((value) => inert(value, 600)).join('; '))),
    }));
  return { kind: 'list', heading: `Observed, not judged: ${count(items.length, 'clause')}`, items, noun: 'clause' };
}

/** How much was observed, and where to read it. */
export function observedFact(report: Report, page: string | undefined): readonly Fact[] {
  const all = listObserved(report);
  if (all.length === 0) return [];
  const lowered = all.filter(({ isLowered }) => isLowered).length;
  const open = all.length - lowered;
  const words = [
    ...(open === 0 ? [] : [`${count(open, 'thing')} the contract leaves open`]),
    ...(lowered === 0 ? [] : [`${count(lowered, 'clause')} at the level observe`]),
  ];
  return fact('Observed', `${words.join(', ')}; ${page === undefined ? '--verbose lists them' : `see ${page}`}`);
}

/** Values shown of an observation. */
const MAX_VALUES = 4;
const MAX_VALUE = 60;
const MAX_SENTENCE = 400;

export function observedFacts(report: Report): { readonly heading: string; readonly facts: readonly Fact[] } {
  const all = listObserved(report);
  const why = all.some(({ isLowered }) => isLowered) ? ', or at the level observe' : '';
  return {
    heading: `Observed (not specified by the contract${why}, never judged)`,
    facts: all.flatMap((each) => fact(each.clause, formatObserved(each))),
  };
}

function formatObserved({ facts, isLowered }: ObservedClause): string {
  const texts = facts.map(([name, values]) => {
    const shown = values.map((value) => inert(value, isLowered ? MAX_SENTENCE : MAX_VALUE));
    return `${inert(name, 60)}: ${shown.length === 0 ? 'none' : listFirst(shown, MAX_VALUES)}`;
  });
  return texts.join('; ');
}
