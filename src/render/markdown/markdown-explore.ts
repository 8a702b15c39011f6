/** What was drawn in an exploration. */
import type { Report } from '../../report/report.ts';
import { formatDrawn, formatPairs, formatUnsure } from '../explore-text.ts';
import { prose } from './markdown-text.ts';

export function explorePart({ explore, provenance }: Report): readonly string[] {
  if (!explore) return [];
  const unsure = formatUnsure(explore);
  const facts = [
    `${formatDrawn(explore)}; seed ${provenance.seed}.`,
    `${formatPairs(explore)}.`,
    ...(unsure === undefined ? [] : [`Not sure: ${unsure}.`]),
  ];
  return [facts.map((fact) => `- ${prose(fact, Infinity)}`).join('\n')];
}
