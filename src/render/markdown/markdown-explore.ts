/** What was drawn in an exploration. */
import type { Report } from '../../report/report.ts';
import { formatDrawn, formatPairs, formatSilent, formatUnsure } from '../explore-text.ts';
import { prose } from './markdown-text.ts';

export function explorePart(report: Report): readonly string[] {
  const { explore, provenance } = report;
  if (!explore) return [];
  const unsure = formatUnsure(explore);
  const facts = [
    `${formatDrawn(explore)}; seed ${provenance.seed}.`,
    `${formatPairs(explore)}.`,
    ...formatSilent(report).map(({ text }) => `Unanswered: ${text}.`),
    ...(unsure === undefined ? [] : [`Not sure: ${unsure}.`]),
  ];
  return [facts.map((fact) => `- ${prose(fact, Infinity)}`).join('\n')];
}
