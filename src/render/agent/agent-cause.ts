/** One cause for the agent format: our own words first, then the target's text. */
import type { Report } from '../../report/report.ts';
import { inert } from '../../text/inert.ts';
import { count } from '../../text/layout.ts';
import { clauseOf, formatFinding, listFacts, ownSource, type Place } from '../finding-text.ts';
import { formatFurther } from '../seen-text.ts';
import type { Entry } from '../fold.ts';
import { partOrOwner } from '../part-text.ts';
import { formatLevelSource } from '../profile-text.ts';
import { targetLines } from './target-lines.ts';

/** The report as it is, and the same without text of the target's. */
export interface BothReports {
  readonly whole: Report;
  readonly bare: Report;
  /** Whether the target's text may be quoted at all. */
  readonly quotes: boolean;
}

/** Left out: `wirecheck explain` has it, and it is long. */
const LEFT_OUT = new Set(['affected']);

/** The cause of this number, from 1. What the first cause of the same clause says already is not said again. */
export function causeLines(reports: BothReports, causes: readonly Entry[], number: number): readonly string[] {
  const entry = causes[number - 1];
  if (entry === undefined) throw new Error('There is no such cause.');
  const first = causes.findIndex(({ expectation }) => expectation.clause === entry.expectation.clause) + 1;
  const earlier = causes[first - 1];
  const said = first < number && earlier ? factLines(reports, earlier) : [];
  const heading = headingOf(reports.bare, entry, number);
  return [
    said.length === 0 ? heading : `${heading}, otherwise as [${first}]`,
    ...factLines(reports, entry).filter((line) => !said.includes(line)),
    ...quotedLines(reports, entry),
  ];
}

function factLines(reports: BothReports, entry: Entry): readonly string[] {
  const { bare } = reports;
  const place = findBare(reports, entry);
  const further = formatFurther(entry);
  const facts = listFacts(formatFinding(bare, place)).filter(({ name }) => !LEFT_OUT.has(name));
  return [
    ...facts.map(({ name, label, text }) => `${label}: ${text}${name === 'actual' && further ? `, ${further}` : ''}`),
    ...listPlaces(reports, place),
  ];
}

function quotedLines(reports: BothReports, entry: Entry): readonly string[] {
  const { whole, bare, quotes } = reports;
  return quotes ? targetLines(formatFinding(whole, entry), formatFinding(bare, findBare(reports, entry))) : [];
}

/** `[1] errors.code (must, part 7) in auth/unknown-key and 3 more cases` */
function headingOf(report: Report, { expectation, case: testCase, cases }: Entry, number: number): string {
  const where = partOrOwner(report, clauseOf(report, expectation)) ?? expectation.kind;
  const more = cases.length > 1 ? ` and ${count(cases.length - 1, 'more case')}` : '';
  return `[${number}] ${inert(expectation.clause)} (${expectation.level}, ${where}) in ${inert(testCase.id)}${more}`;
}

/** Lines of the user's own files that matter: the case, a waiver that no longer applies, a changed level. */
function listPlaces({ bare: report }: BothReports, { case: testCase, expectation }: Place): readonly string[] {
  const source = ownSource(report, testCase);
  const { levelWas, level } = clauseOf(report, expectation) ?? {};
  const waivers = report.waivers?.entries.filter(
    ({ state, clause, case: glob }) =>
      (state === 'expired' || state === 'pending') &&
      (clause === expectation.clause || (clause === undefined && glob === testCase.id)),
  );
  return [
    ...(source ? [`Case: ${inert(source.file, 300)}:${source.line}`] : []),
    ...(levelWas === undefined
      ? []
      : [
          `Level: ${level} by ${inert(formatLevelSource(report, expectation.clause), 300)} (${levelWas} in the contract)`,
        ]),
    ...(waivers ?? []).map(({ line, state }) => `Waiver: ${inert(report.waivers?.file ?? '', 300)}:${line} (${state})`),
  ];
}

/** The same finding without text of the target's, and its other forms. */
function findBare(reports: BothReports, entry: Entry): Place {
  return {
    ...findBarePlace(reports, entry),
    ...(entry.share && { share: entry.share }),
    unit: entry.unit,
    forms: entry.forms.map((form) => ({ ...form, ...findBarePlace(reports, form) })),
  };
}

/** Both reports have the same cases in the same order. */
function findBarePlace({ whole, bare }: BothReports, { case: testCase, expectation, finding }: Place): Place {
  const bareCase = bare.cases[whole.cases.indexOf(testCase)];
  const bareExpectation = bareCase?.expectations[testCase.expectations.indexOf(expectation)];
  const bareFinding = finding && bareExpectation?.findings[expectation.findings.indexOf(finding)];
  if (!bareCase || !bareExpectation) throw new Error('A report without texts has the same cases.');
  return { case: bareCase, expectation: bareExpectation, ...(bareFinding && { finding: bareFinding }) };
}
