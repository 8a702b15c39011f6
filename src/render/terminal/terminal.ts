/** The report for the terminal: facts, the table, failures, and the verdict last. */
import { basename, dirname } from 'node:path';
import { adviseOnEnding, isBarelyBegun } from '../../exchange/ending.ts';
import { splitAdvice } from '../split-advice.ts';
import { formatNotice } from '../../exchange/notice.ts';
import type { Format } from '../format.ts';
import { formatTarget, listRunFlags } from '../run-text.ts';
import { groupBy } from '../../report/counts.ts';
import { lookOf, LOOKS } from '../looks.ts';
import { disarmLines } from '../github/github-commands.ts';
import { inert } from '../../text/inert.ts';
import { wrap } from '../../text/layout.ts';
import { type Page, type Section, painter } from './page.ts';
import { findingSections } from './terminal-findings.ts';
import {
  costLine,
  editionLine,
  factLine,
  baselineLine,
  flakyLine,
  notTestedLine,
  observationLine,
  profileLines,
  retriesLine,
  timeLines,
  toleranceLine,
} from './terminal-facts.ts';
import { exploreLines } from './terminal-explore.ts';
import { loadSections } from './terminal-load.ts';
import { baselineSections, inconclusiveSection, observationSection, skippedSection } from './terminal-lists.ts';
import { areaTable } from './terminal-table.ts';
import { verboseSection } from './terminal-verbose.ts';
import { verdictLine } from '../verdict-line.ts';

export const terminal: Format = {
  summary: 'for people: facts, a table, findings and the verdict',
  render: (report, options) => {
    const page: Page = { report, options, paint: painter(options.colour) };
    const verdict = page.paint(LOOKS[lookOf(report).shade].tone, page.paint('strong', verdictLine(report)));
    if (options.detail === 'quiet') return `${verdict}\n`;
    // After wrapping, because only now is it known where lines start.
    return disarmLines(
      [...sections(page), [...reportLine(page), verdict]]
        .filter((section) => section.length > 0)
        .map((section) => `${section.join('\n')}\n`)
        .join('\n'),
    );
  },
};

/** The closer to the end, the more it matters: on a terminal the last lines are the ones in view. */
function sections(page: Page): readonly Section[] {
  const { report, options } = page;
  const isVerbose = options.detail === 'verbose';
  const found = findingSections(page);
  const isBrief = isBarelyBegun(report.ending) && !isVerbose;
  // The cases about keys were sent all the same.
  const hasTable = !isBrief || ['key-refused', 'chat-unanswered'].includes(report.ending.kind);
  return [
    ...(isVerbose ? [verboseSection(page), observationSection(page), skippedSection(page)] : []),
    [
      ...heading(page),
      ...editionLine(page),
      ...profileLines(page),
      ...baselineLine(page),
      ...exploreLines(page),
      ...costLine(page),
      ...timeLines(page),
      ...(isBrief ? [] : toleranceLine(page)),
      ...retriesLine(page),
      ...flakyLine(page),
      ...(isBrief ? [] : [...observationLine(page), ...notTestedLine(page)]),
    ],
    notices(page),
    hasTable ? areaTable(page) : [],
    ...loadSections(page),
    ...found.waived,
    ...found.known,
    ...baselineSections(page),
    isBrief ? [] : inconclusiveSection(page),
    ...found.warn,
    ...found.fail,
    ending(page),
  ];
}

function heading({ report, paint }: Page): Section {
  const { target, tool } = report;
  const facts = [
    `wirecheck ${inert(tool.version)}`,
    inert(formatTarget(report)),
    ...(target.model === undefined ? [] : [`model ${inert(target.model, 60)}`]),
    ...listRunFlags(report),
  ];
  return [paint('quiet', facts.join(' · '))];
}

function notices(page: Page): Section {
  return page.report.notices.flatMap((notice) => factLine(page, 'Note', inert(formatNotice(notice), 600)));
}

function ending({ report, options, paint }: Page): Section {
  const sentence = adviseOnEnding(report);
  if (sentence === undefined) return [];
  // A command to paste is a line of its own, however long.
  const { words, command } = splitAdvice(sentence);
  const lines = [...wrap(words, options.width), ...(command === undefined ? [] : [`Try: ${command}`])];
  return lines.map((line) => paint('strong', line));
}

/** `wirecheck-report/report.html, report.json, junit.xml`: a line for each folder, the page first, since people open that. */
function reportLine(page: Page): Section {
  const { written = [] } = page.options;
  if (written.length === 0) return [];
  const isPage = (path: string): boolean => path.endsWith('.html');
  const sorted = written.toSorted((a, b) => Number(isPage(b)) - Number(isPage(a)));
  const folders = [...groupBy(sorted, dirname)].toSorted(([a], [b]) => Number(a === '.') - Number(b === '.'));
  return folders.flatMap(([folder, [first = '', ...others]], index) => {
    // Otherwise it would seem to be in the folder before.
    const start = index > 0 && folder === '.' ? `./${first}` : first;
    const text = inert([start, ...others.map((path) => basename(path))].join(', '), 1000);
    return factLine(page, index === 0 ? 'Report' : '', text);
  });
}
