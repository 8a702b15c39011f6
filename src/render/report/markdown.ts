/** A page for a pull-request comment or a job summary: the verdict first, short, and never longer than a comment may be. */

import type { Report } from '../../report/report.ts';
import { asCode, type Document, type List, type MarkedText } from '../document/document.ts';
import { writeMarkdown } from '../document/write-markdown.ts';
import { olderLists } from '../excused.ts';
import { exploreFacts } from '../explore-text.ts';
import { findingList } from '../finding-text.ts';
import type { Format } from '../format.ts';
import { loadFacts, loadTable } from '../load-facts.ts';
import { flakyList } from '../request-text.ts';
import { areaTable, contractPart, endingPart, headingPart, noticeList, notePart } from '../run-text.ts';
import { leftOutList, loweredList, notTestedList } from '../unjudged.ts';

/** Characters. GitHub refuses a comment beyond 65,536; half of that is as much as anybody reads. */
const MAX_LENGTH = 32_000;
const MAX_ROWS = 30;
const MOST = 10;
const MOST_IDS = 4;

export const markdown: Format = {
  summary: 'Markdown, for a pull-request comment or a job summary',
  render: (report, { page }) => {
    // In a comment, or if nothing else was written, there is no file to point to.
    const readOn: MarkedText =
      page === undefined ? [asCode('--reporter html'), ' has all'] : `see the full report (${page})`;
    return writeMarkdown(outline(report), { most: MAX_LENGTH, readOn });
  },
};

function outline(report: Report): Document {
  const lists: readonly List[] = [
    ...(['fail', 'warn', 'known', 'waived'] as const).map((group) => ({
      ...findingList(report, group, { mostCases: MOST_IDS, isByCase: false }),
      ...(group === 'fail' && { most: 2 * MOST }),
    })),
    leftOutList(report, 'inconclusive'),
    loweredList(report),
    flakyList(report),
    notTestedList(report),
    ...olderLists(report, MOST_IDS),
    noticeList(report),
  ];
  return [
    headingPart(report, ['target', 'product', 'model', 'flags', 'counts', 'requests', 'tool', 'edition']),
    endingPart(report),
    notePart(report),
    contractPart(report),
    loadTable(report, MAX_ROWS),
    [{ kind: 'facts', facts: [...loadFacts(report), ...exploreFacts(report)] }],
    areaTable(report, MAX_ROWS),
    lists.map((list) => ({ most: MOST, mostIds: MOST_IDS, ...list })),
  ];
}
