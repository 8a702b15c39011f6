/** Cases of both runs, and which of them can be compared. */

import { FIELDS, limitClauses, requiredClause } from '../../contract/profile/change-contract.ts';
import type { ProfileChange } from '../../contract/profile/profile.ts';
import type { CaseReport, ExpectationReport, Report } from '../report.ts';
import { LEFT_OUT_FOR, type LeftOutFor } from './comparison.ts';
import { isComparable, isJudged } from './observed-run.ts';

export interface CasePair {
  readonly before: CaseReport;
  readonly now: CaseReport;
}

export type CasePairs = ReturnType<typeof pairCases>;

export function pairCases(older: Report, newer: Report) {
  const known = new Map(newer.cases.map((testCase) => [testCase.id, testCase]));
  const shared = older.cases.flatMap((before) => {
    const now = known.get(before.id);
    return now ? [{ before, now }] : [];
  });
  const redefined = redefinedClauses(older, newer);
  const both = shared.filter((pair) => isSameRequest(pair, redefined));
  const alike = both.map((pair) => withoutRedefined(pair, redefined));
  const pairs = both.filter(({ before, now }) => isComparable(before) && isComparable(now));
  const leftOut: Record<LeftOutFor, number> = { inconclusive: 0, skipped: 0, flaky: 0 };
  for (const pair of both) {
    if (pairs.includes(pair)) continue;
    const verdicts: readonly string[] = [pair.before.verdict, pair.now.verdict];
    leftOut[LEFT_OUT_FOR.find((name) => verdicts.includes(name)) ?? 'flaky'] += 1;
  }
  const ids = new Set(shared.map(({ now }) => now.id));
  const alone = ({ cases }: Report): readonly CaseReport[] =>
    cases.filter((each) => !ids.has(each.id) && isJudged(each));
  return {
    /** Every case of both runs: where one clause could not be judged, another may have been. */
    both,
    /** The same without the expectations that mean something else in each run. */
    alike,
    /** Those that both runs settled. */
    pairs,
    /** Cases of both runs that one of them could not settle. */
    leftOut,
    /** Cases that kept a must in the older run, while the newer could not judge it. */
    undecided: both.filter(isUndecided).map(({ now }) => now.id),
    /** Cases of both runs whose request is not the same. */
    changed: shared.filter((pair) => !both.includes(pair)).map(({ now }) => now.id),
    /** Cases that one of the runs judged and the other does not have. What neither judged is no loss. */
    onlyIn: { old: alone(older), new: alone(newer) },
    ...clausesApart(shared, alike, redefined),
  };
}

/** A suite, a limit of a profile, or the fields that it requires may have changed between the runs. */
function isSameRequest({ before, now }: CasePair, { clauses }: Redefined): boolean {
  const hasOnlyRequired = now.expectations.some(({ clause }) => clause === OPTIONAL_FIELDS);
  if (hasOnlyRequired && clauses.has(OPTIONAL_FIELDS)) return false;
  return JSON.stringify(before.edits) === JSON.stringify(now.edits);
}

function isUndecided({ before, now }: CasePair): boolean {
  const kept = new Set(before.expectations.filter(({ verdict }) => verdict === 'pass').map(({ clause }) => clause));
  return now.expectations.some(
    ({ verdict, level, clause }) => verdict === 'inconclusive' && level === 'must' && kept.has(clause),
  );
}

function withoutRedefined({ before, now }: CasePair, redefined: Redefined): CasePair {
  const keep = (testCase: CaseReport): CaseReport => ({
    ...testCase,
    expectations: testCase.expectations.filter((each) => !isRedefined(each, { before, now }, redefined)),
  });
  return { before: keep(before), now: keep(now) };
}

function isRedefined({ clause, check }: ExpectationReport, pair: CasePair, { clauses, limits }: Redefined): boolean {
  const [was, is] = [pair.before, pair.now].map(
    ({ expectations }) => expectations.find((each) => each.clause === clause && each.check === check)?.level,
  );
  if (was === undefined || is === undefined) return false;
  // What one run only observes has no verdict there.
  if ((was === 'observe') !== (is === 'observe')) return true;
  return clauses.has(clause) && !(limits.has(clause) && pair.now.edits.length > 0);
}

function clausesApart(shared: readonly CasePair[], alike: readonly CasePair[], redefined: Redefined) {
  const { clauses, limits } = redefined;
  const compared = clausesIn(alike);
  const same = new Set(alike.map(({ now }) => now.id));
  const apart = shared.flatMap((pair) =>
    pair.now.expectations.filter((each) => clauses.has(each.clause) || isRedefined(each, pair, redefined)),
  );
  const left = clausesIn(shared.filter(({ now }) => !same.has(now.id)));
  return {
    /** Clauses that the two contracts define differently wherever both runs ask for them: their verdicts are not compared. */
    redefined: [...new Set(apart.map(({ clause }) => clause))].filter((clause) => !compared.has(clause)),
    /** Clauses on limits that differ: compared where both runs sent the same value, and nowhere else. */
    otherLimits: [...left].filter((clause) => clauses.has(clause) && limits.has(clause) && compared.has(clause)),
  };
}

function clausesIn(pairs: readonly CasePair[]): ReadonlySet<string> {
  return new Set(pairs.flatMap(({ now }) => now.expectations.map(({ clause }) => clause)));
}

// Clauses that two contracts define differently: their verdicts differ even if the target stayed the same.

const OPTIONAL_FIELDS = 'request.optional-fields';

/** `limits`: clauses on limits; a case that sends the value itself asks the same in both runs. */
type Redefined = ReturnType<typeof redefinedClauses>;

/** What a report says of its contract. */
type Judged = Pick<Report, 'profile'>;

export function redefinedClauses(older: Judged, newer: Judged) {
  const [before, now] = [definitionsIn(older), definitionsIn(newer)];
  const changed = [...new Set([...before.keys(), ...now.keys()])].filter(
    (clause) => sorted(before.get(clause)) !== sorted(now.get(clause)),
  );
  const limits = [older, newer]
    .flatMap(changesIn)
    .flatMap((change) => (change.kind === 'limit' ? redefinitionBy(change).clauses : []));
  return { clauses: new Set(changed), limits: new Set(limits) };
}

function changesIn({ profile }: Judged): readonly ProfileChange[] {
  return profile?.changes.map(({ change }) => change) ?? [];
}

/** What the profile says of each clause, without reasons. */
function definitionsIn(report: Judged): ReadonlyMap<string, readonly string[]> {
  const made = new Map<string, readonly string[]>();
  for (const change of changesIn(report)) {
    const { clauses, definition } = redefinitionBy(change);
    for (const clause of clauses) made.set(clause, [...(made.get(clause) ?? []), definition]);
  }
  return made;
}

function sorted(definitions: readonly string[] = []): string {
  return JSON.stringify(definitions.toSorted());
}

/** The clauses that it redefines, and how. A level is no definition: kept is kept at any. */
function redefinitionBy(change: ProfileChange): { readonly clauses: readonly string[]; readonly definition: string } {
  switch (change.kind) {
    case 'field':
      return redefine([FIELDS[change.field]?.clause ?? ''], [change.field, change.types.toSorted()]);
    case 'limit': {
      const { field, min, max } = change;
      return redefine([...Object.values(limitClauses(field)), 'client.request-limits'], [field, min, max]);
    }
    case 'clause':
      return redefine([change.clause], change.summary);
    case 'required':
      return redefine([requiredClause(change.field), OPTIONAL_FIELDS, 'client.request-fields'], change.field);
    case 'level':
    case 'add':
      return redefine([], '');
  }
}

function redefine(clauses: readonly string[], definition: unknown) {
  return { clauses, definition: JSON.stringify(definition) };
}
