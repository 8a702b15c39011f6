/** What was drawn in an exploration. */
import { formatDrawnRequests } from '../drawn-requests.ts';
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
    ...formatSilent(page.report).flatMap(({ finding, text, difference, repeat }) => {
      const { before, request } = formatDrawnRequests(page.report, finding);
      return [
        ...factLine(page, 'Unanswered', text),
        ...(before === undefined ? [] : factLine(page, 'Before it', before)),
        ...(request === undefined ? [] : factLine(page, 'Request', request)),
        ...(difference === undefined ? [] : factLine(page, 'Difference', difference)),
        ...commandLine('Repeat', repeat),
      ];
    }),
    ...(unsure === undefined ? [] : factLine(page, 'Not sure', unsure)),
  ];
}
