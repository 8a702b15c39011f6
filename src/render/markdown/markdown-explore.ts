/** What was drawn in an exploration. */
import type { Report } from '../../report/report.ts';
import { formatDrawnRequests } from '../drawn-requests.ts';
import type { FindingTexts } from '../finding-text.ts';
import { formatDrawn, formatPairs, formatSilent, formatUnsure } from '../explore-text.ts';
import { code, prose } from './markdown-text.ts';

export function explorePart(report: Report): readonly string[] {
  const { explore, provenance } = report;
  if (!explore) return [];
  const unsure = formatUnsure(explore);
  const told = (text: string): string => `- ${prose(text, Infinity)}`;
  const silent = formatSilent(report).flatMap(({ finding, text, difference, repeat }) => {
    const { before, request } = formatDrawnRequests(report, finding);
    const parts = [
      ['Before it', before],
      ['Request', request],
      ['Difference', difference],
      ['Repeat', repeat],
    ] as const;
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

/** Of a finding: how its request was drawn, and what makes it fail. */
export function drawnItems({ before, drawn, difference }: FindingTexts): readonly string[] {
  return [
    ...(before === undefined ? [] : [`before it: ${code(before, Infinity)}`]),
    ...(drawn === undefined ? [] : [`drawn: ${prose(drawn, Infinity)}`]),
    ...(difference === undefined ? [] : [`difference: ${code(difference, Infinity)}`]),
  ];
}
