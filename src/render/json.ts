/** The report itself, as a file for other tools and for `wirecheck render`, with what other formats say of it. */
import { withoutUndefined } from '../json.ts';
import type { CauseReport, Report } from '../report/report.ts';
import { inertJson } from '../text/layout.ts';
import { coverageOf } from './clause-states.ts';
import { formatFinding } from './finding-text.ts';
import { type RootCause, foldFindings } from './fold.ts';
import type { Format } from './format.ts';
import { verdictLine } from './verdict-line.ts';

/** Fields that a reader looks for first come first. */
const ORDER = [
  'format',
  'version',
  'edition',
  'editionDigest',
  'reportDigest',
  'recordingDigest',
  'product',
  'tool',
  'target',
  'outcome',
  'causes',
  'ending',
  'strict',
  'provenance',
  'notices',
  'waivers',
  'baseline',
  'counts',
  'areas',
  'cost',
  'time',
  'tolerance',
  'clauses',
  'cases',
  'observations',
  'exchanges',
] as const satisfies readonly (keyof Report)[];

export const json: Format = (report) => {
  const ordered = Object.fromEntries(ORDER.filter((name) => name in report).map((name) => [name, report[name]]));
  return `${inertJson(JSON.stringify({ ...ordered, ...report }, null, 2))}\n`;
};

/** Adds the verdict in a sentence, and the causes behind the findings. */
export function addCauses(report: Report): Report {
  const causes = foldFindings(report).map((entry) => causeReportOf(report, entry));
  const { all, judged } = coverageOf(report);
  const { name, exit, ...rest } = report.outcome;
  const told = { name, exit, line: verdictLine(report), mustClausesInLine: all, mustJudgedInLine: judged };
  return { ...report, outcome: { ...told, ...rest }, causes };
}

export function causeReportOf(report: Report, entry: RootCause): CauseReport {
  const { verdict, excused, expectation, cases, intermittent, share } = entry;
  const { requirement, expected, actual, also, repeat } = formatFinding(report, entry);
  return {
    verdict,
    ...(excused && { excused }),
    clause: expectation.clause,
    level: expectation.level,
    requirement: requirement ?? expectation.clause,
    ...withoutUndefined({ expected, actual, also, repeat }),
    cases: [entry.case.id, ...cases.filter((id) => id !== entry.case.id)],
    fingerprints: entry.fingerprints,
    answers: entry.answers,
    ...withoutUndefined({ intermittent, share }),
  };
}
