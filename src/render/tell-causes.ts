/** Adds to a report what other formats say of it: the verdict in a sentence, and the causes behind its findings. */
import type { CauseReport, Report } from '../report/report.ts';
import { coverageOf } from './clause-states.ts';
import { formatFinding } from './finding-text.ts';
import { type Entry, foldFindings } from './fold.ts';
import { verdictLine } from './verdict-line.ts';

export function tellCauses(report: Report): Report {
  const causes = foldFindings(report).map((entry) => causeOf(report, entry));
  const { all, judged } = coverageOf(report);
  const { name, exit, ...rest } = report.outcome;
  const told = { name, exit, line: verdictLine(report), mustClausesInLine: all, mustJudgedInLine: judged };
  return { ...report, outcome: { ...told, ...rest }, causes };
}

function causeOf(report: Report, entry: Entry): CauseReport {
  const { verdict, excused, expectation, cases, intermittent, share } = entry;
  const { requirement, expected, actual, also, repeat } = formatFinding(report, entry);
  return {
    verdict,
    ...(excused && { excused }),
    clause: expectation.clause,
    level: expectation.level,
    requirement: requirement ?? expectation.clause,
    ...(expected !== undefined && { expected }),
    ...(actual !== undefined && { actual }),
    ...(also !== undefined && { also }),
    ...(repeat !== undefined && { repeat }),
    cases: [entry.case.id, ...cases.filter((id) => id !== entry.case.id)],
    fingerprints: entry.fingerprints,
    answers: entry.answers,
    ...(intermittent && { intermittent }),
    ...(share && { share }),
  };
}
