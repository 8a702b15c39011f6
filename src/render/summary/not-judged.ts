/** The clauses that a run did not judge, for a reader who has one page: each counted once, by what it would take. */
import type { ClauseReport, Report } from '../../report/report.ts';
import { traitsOf } from '../../report/subject-traits.ts';
import { count } from '../../text/layout.ts';
import { decisionsOf, isLowered } from '../decided.ts';
import type { Shade } from '../looks.ts';
import { groupUnjudged, shadesOfClauses, type UnjudgedGroup } from '../unjudged.ts';

/** A reader of one page reads no more. The full report has the rest. */
const MAX_REASONS = 8;

export interface NotJudged {
  readonly words: string;
  readonly clauses: number;
}

/** `readOn`: the way to the full report, if there is one. */
export function listNotJudged(report: Report, readOn: string): readonly NotJudged[] {
  const reasons = [
    ...groupUnjudged(report, 'inconclusive').map((group) => describeInconclusive(group, traitsOf(report).caseWord)),
    ...groupUnjudged(report, 'skipped').map(({ clauses, remedy, reason }) => ({
      words: remedy ?? reason,
      clauses: clauses.length,
    })),
  ];
  const rest = reasons.slice(MAX_REASONS).reduce((sum, { clauses }) => sum + clauses, 0);
  const idle = groupUnjudged(report, 'idle').flatMap(({ clauses }) => clauses);
  const shades = shadesOfClauses(report);
  const withShade = (shade: Shade): readonly ClauseReport[] =>
    report.clauses.filter(({ id }) => shades.get(id) === shade);
  return [
    ...reasons.slice(0, MAX_REASONS),
    { words: `for other reasons${readOn}`, clauses: rest },
    { words: 'no occasion in this run', clauses: idle.length },
    { words: formatNotInRun(report, withShade('none')), clauses: withShade('none').length },
    { words: 'cannot be seen over the wire (outside)', clauses: withShade('outside').length },
  ].filter(({ clauses }) => clauses > 0);
}

/** `not in this run (no case selected); 4 of them only with two runs, by wirecheck compare` */
function formatNotInRun({ explore }: Report, clauses: readonly ClauseReport[]): string {
  const two = clauses.filter(({ scope }) => scope === 'comparison').length;
  const byTwo = 'only with two runs, by wirecheck compare';
  if (two === clauses.length) return `not in this run: ${byTwo}`;
  const words = explore ? 'not by drawn requests: wirecheck run judges them' : 'not in this run (no case selected)';
  return two === 0 ? words : `${words}; ${two} of them ${byTwo}`;
}

/** `inconclusive: the status was not 200 (2 of them only in some cases)` */
function describeInconclusive({ clauses, reason }: UnjudgedGroup, noun: string): NotJudged {
  const partly = clauses.filter(({ decidedBy }) => decidedBy > 0).length;
  const some = partly === 0 ? '' : ` (${partly === clauses.length ? '' : `${partly} of them `}only in some ${noun}s)`;
  return { words: `inconclusive: ${reason}${some}`, clauses: clauses.length };
}

/** `182 of 222 clauses were judged or observed (3 of them must, but judged only at a lower level). The other 40:` */
export function formatJudged(report: Report, notJudged: readonly NotJudged[]): string {
  const { clauses } = report;
  const left = notJudged.reduce((sum, own) => sum + own.clauses, 0);
  const decisions = decisionsOf(report);
  const lowered = clauses.filter((clause) => isLowered(clause, decisions.get(clause.id))).length;
  const apart = lowered === 0 ? '' : ` (${lowered} of them must, but judged only at a lower level)`;
  return `${clauses.length - left} of ${count(clauses.length, 'clause')} were judged or observed${apart}. The other ${left}:`;
}
