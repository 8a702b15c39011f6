/** What two versions of wirecheck make of one recording, beside the verdicts: levels, reasons and outcomes, without words. */
import { valueAt } from '../../json.ts';
import type { CaseReport, CauseReport, ClauseReport, ExpectationReport, Report } from '../report.ts';
import { compareMembers, type MemberDifference } from './compare-members.ts';

const OUTCOMES: readonly string[] = ['/outcome/name', '/outcome/exit', '/outcome/mustJudged', '/profile/digest'];

/** Only what both have: another version may have further cases and clauses, and those are compared by their verdicts. */
export function compareJudgement(reported: Report, judged: Report): readonly MemberDifference[] {
  const [theirs, ours] = [reported, judged].map(judgementOf);
  const common = Object.keys(theirs ?? {}).filter((name) => ours !== undefined && Object.hasOwn(ours, name));
  return [
    ...OUTCOMES.flatMap((pointer) => [
      ...compareMembers(valueAt(reported, pointer), valueAt(judged, pointer), pointer.slice(1).split('/')),
    ]),
    ...common.flatMap((name) => [...compareMembers(theirs?.[name], ours?.[name], name.split(' '))]),
    ...compareMembers(reported.waivers?.entries, judged.waivers?.entries, ['waivers', 'entries']),
  ];
}

/** By place, such as `clauses errors.code`. */
function judgementOf({ cases, clauses, causes }: Report): Readonly<Record<string, unknown>> {
  return Object.fromEntries([
    ...clauses.map((clause) => [`clauses ${clause.id}`, judgementOfClause(clause)] as const),
    ...cases.map((testCase) => [`cases ${testCase.id}`, judgementOfCase(testCase)] as const),
    ...(causes ? [['causes', causes.map(judgementOfCause)] as const] : []),
  ]);
}

function judgementOfClause({ level, verdict }: ClauseReport): object {
  return { level, verdict };
}

function judgementOfCase({ verdict, expectations }: CaseReport): object {
  return { verdict, expectations: expectations.map(judgementOfExpectation) };
}

function judgementOfExpectation({ clause, level, reason, excused }: ExpectationReport): object {
  return { clause, level, reason: reason?.kind, excused };
}

function judgementOfCause({ verdict, excused, clause, level, fingerprints }: CauseReport): object {
  return { verdict, excused, clause, level, fingerprints };
}
