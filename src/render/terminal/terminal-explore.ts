/** What was drawn in an exploration. */
import { formatDrawn, formatPairs, formatSilent, formatUnsure } from '../explore-text.ts';
import type { Page, Section } from './page.ts';
import { commandLine, factLine } from './terminal-facts.ts';

export function exploreLines(page: Page): Section {
  const { explore, provenance } = page.report;
  if (!explore) return [];
  const unsure = formatUnsure(explore);
  return [
    ...factLine(page, 'Explored', `${formatDrawn(explore)}; seed ${provenance.seed}`),
    ...factLine(page, 'Pairs', formatPairs(explore)),
    ...formatSilent(page.report).flatMap(({ text, repeat }) => [
      ...factLine(page, 'Unanswered', text),
      ...commandLine('Repeat', repeat),
    ]),
    ...(unsure === undefined ? [] : factLine(page, 'Not sure', unsure)),
  ];
}
