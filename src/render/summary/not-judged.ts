/** The clauses that a run did not judge, for a reader who has one page: each counted once, by what it would take. */
import type { ClauseReport, Report } from '../../report/report.ts';
import { count } from '../../text/layout.ts';
import { groupUnjudged, shadesOfClauses, type UnjudgedGroup } from '../unjudged.ts';

/** A reader of one page reads no more. The full report has the rest. */
const MAX_REASONS = 8;

export interface NotJudged {
  readonly words: string;
  readonly clauses: number;
}

export function listNotJudged(report: Report): readonly NotJudged[] {
  const reasons = [
    ...groupUnjudged(report, 'inconclusive').map((group) => describe(group, `inconclusive: ${group.reason}`)),
    ...groupUnjudged(report, 'skipped').map((group) => describe(group, group.remedy ?? group.reason)),
  ];
  const rest = reasons.slice(MAX_REASONS).reduce((sum, { clauses }) => sum + clauses, 0);
  const idle = groupUnjudged(report, 'idle').flatMap(({ clauses }) => clauses);
  const shades = shadesOfClauses(report);
  const without = (isMeant: (clause: ClauseReport) => boolean): number => report.clauses.filter(isMeant).length;
  const isNone = ({ id }: ClauseReport): boolean => shades.get(id) === 'none';
  return [
    ...reasons.slice(0, MAX_REASONS),
    { words: 'for other reasons: see the full report', clauses: rest },
    { words: 'no occasion in this run', clauses: idle.length },
    {
      words: 'only with two runs, by wirecheck compare',
      clauses: without((own) => isNone(own) && own.scope === 'comparison'),
    },
    {
      words: report.explore ? 'not by drawn requests: wirecheck run judges them' : 'not in this run (no case selected)',
      clauses: without((own) => isNone(own) && own.scope !== 'comparison'),
    },
    { words: 'cannot be seen over the wire (outside)', clauses: without(({ id }) => shades.get(id) === 'outside') },
  ].filter(({ clauses }) => clauses > 0);
}

function describe({ clauses }: UnjudgedGroup, words: string): NotJudged {
  return { words, clauses: clauses.length };
}

/** `182 of 222 clauses were judged or observed. The other 40:` */
export function formatJudged({ clauses }: Report, notJudged: readonly NotJudged[]): string {
  const left = notJudged.reduce((sum, own) => sum + own.clauses, 0);
  return `${clauses.length - left} of ${count(clauses.length, 'clause')} were judged or observed. The other ${left}:`;
}
