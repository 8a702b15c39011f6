/** What was drawn in an exploration. */
import type { Report } from '../../report/report.ts';
import { formatDrawnRequests } from '../drawn-requests.ts';
import { formatDrawn, formatPairs, formatSilent, formatUnsure } from '../explore-text.ts';
import { code, prose } from './markdown-text.ts';

export function explorePart(report: Report): readonly string[] {
  const { explore, provenance } = report;
  if (!explore) return [];
  const unsure = formatUnsure(explore);
  const told = (text: string): string => `- ${prose(text, Infinity)}`;
  const silent = formatSilent(report).flatMap(({ finding, text, repeat }) => {
    const { before, request } = formatDrawnRequests(report, finding);
    const parts = [['Before it', before] as const, ['Request', request] as const, ['Repeat', repeat] as const];
    return [
      told(`Unanswered: ${text}.`),
      ...parts.flatMap(([label, own]) => (own === undefined ? [] : [`  - ${label}: ${code(own, Infinity)}`])),
    ];
  });
  return [
    [
      told(`${formatDrawn(explore)}; seed ${provenance.seed}.`),
      told(`${formatPairs(explore)}.`),
      ...silent,
      ...(unsure === undefined ? [] : [told(`Not sure: ${unsure}.`)]),
    ].join('\n'),
  ];
}
