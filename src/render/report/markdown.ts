/** A page for a pull-request comment or a job summary: the verdict first, short, and never longer than a comment may be. */

import type { Report } from '../../report/report.ts';
import { inert } from '../../text/layout.ts';
import { asCode, type Block, type Document, type MarkedText, type Part } from '../document/document.ts';
import { writeMarkdown } from '../document/write-markdown.ts';
import { exploreFacts } from '../explore-text.ts';
import type { Format } from '../format.ts';
import { loadFacts } from '../load-facts.ts';
import { formatProfile, listChanges } from '../profile-text.ts';
import { endingPart, headingPart, notePart } from '../run-text.ts';
import {
  areaTable,
  findingList,
  flakyList,
  leftOutList,
  loadTable,
  loweredList,
  noticeList,
  notTestedList,
  olderLists,
} from './report-lists.ts';

/** Characters. GitHub refuses a comment beyond 65,536; half of that is as much as anybody reads. */
const MAX_LENGTH = 32_000;
const MAX_ROWS = 30;
const LIMITS = { most: 10, mostIds: 4, mostCases: 4, isByCase: false };

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
  return [
    headingPart(report, ['target', 'product', 'model', 'flags', 'counts', 'requests', 'tool', 'edition']),
    endingPart(report),
    notePart(report),
    contractPart(report),
    loadTable(report, MAX_ROWS),
    [{ kind: 'facts', facts: [...loadFacts(report), ...exploreFacts(report)] }],
    areaTable(report, MAX_ROWS),
    (['fail', 'warn', 'known', 'waived'] as const).map((group) => findingList(report, group, LIMITS)),
    [leftOutList(report, 'inconclusive', LIMITS)],
    [loweredList(report, LIMITS), flakyList(report, LIMITS), notTestedList(report, LIMITS)],
    olderLists(report, LIMITS),
    [noticeList(report, LIMITS)],
  ];
}

/** Each change of the profile, never folded or left out: it says what the verdict means. */
function contractPart({ profile }: Report): Part {
  if (!profile) return [];
  const facts = listChanges(profile).map(({ what, why }) => ({
    label: '',
    text: `${inert(what, 600)}. ${inert(why, 600)}`,
  }));
  const block: Block = { kind: 'facts', heading: `Judged by ${inert(formatProfile(profile), 600)}`, facts };
  return [block];
}
