/** The report for the terminal: facts, the table, failures, and the verdict last. */
import { basename, dirname } from 'node:path';
import { isBarelyBegun } from '../../exchange/ending.ts';
import { groupBy } from '../../report/counts.ts';
import type { Report } from '../../report/report.ts';
import { inert } from '../../text/inert.ts';
import { type Block, type Document, type Fact, fact, joinTexts, type Part } from '../document/document.ts';
import { writeTerminal } from '../document/write-terminal.ts';
import type { Format, RenderOptions } from '../format.ts';
import { lookOf, LOOKS } from '../looks.ts';
import { verdictLine } from '../verdict-line.ts';
import { caseLog } from './case-log.ts';
import { loadFacts } from '../load-facts.ts';
import { endingPart, headParts, noticeFacts, runFacts } from './report-facts.ts';
import { findingList, leftOutList, type ListLimits, observedFacts, olderLists } from './report-lists.ts';
import { areaTable, loadTable } from './report-tables.ts';

export const terminal: Format = {
  summary: 'for people: facts, a table, findings and the verdict',
  render: (report, options) => {
    const verdict: Block = {
      kind: 'heading',
      level: 2,
      text: verdictLine(report),
      tone: LOOKS[lookOf(report).shade].tone,
    };
    const end: Part = [facts(writtenFacts(options)), verdict];
    return writeTerminal(options.detail === 'quiet' ? [[verdict]] : [...outline(report, options), end], options);
  },
};

const BRIEF: ListLimits = { mostIds: 4, mostCases: 6, isByCase: true };
const WHOLE: ListLimits = { mostIds: Infinity, mostCases: Infinity, isByCase: true };

/** The closer to the end, the more it matters: on a terminal the last lines are the ones in view. */
function outline(report: Report, options: RenderOptions): Document {
  const isVerbose = options.detail === 'verbose';
  const limits = isVerbose ? WHOLE : BRIEF;
  const isBrief = isBarelyBegun(report.ending) && !isVerbose;
  // The cases about keys were sent all the same.
  const hasTable = !isBrief || ['key-refused', 'chat-unanswered'].includes(report.ending.kind);
  return [
    ...(isVerbose ? verboseParts(report, limits) : []),
    [headLine(report), facts(runFacts(report, options, isBrief))],
    [facts(noticeFacts(report))],
    hasTable ? areaTable(report) : [],
    loadTable(report),
    [facts(loadFacts(report))],
    [findingList(report, 'waived', limits, !isVerbose)],
    [findingList(report, 'known', limits, !isVerbose)],
    ...olderLists(report, limits).map((list) => [list]),
    isBrief ? [] : [leftOutList(report, 'inconclusive', limits)],
    [findingList(report, 'warn', limits)],
    [findingList(report, 'fail', limits)],
    endingPart(report),
  ];
}

function facts(all: readonly Fact[]): Block {
  return { kind: 'facts', facts: all };
}

function verboseParts(report: Report, limits: ListLimits): Document {
  const observed = observedFacts(report);
  return [
    ...caseLog(report),
    observed.facts.length === 0 ? [] : [{ kind: 'facts', ...observed }],
    [leftOutList(report, 'skipped', limits)],
  ];
}

function headLine(report: Report): Block {
  const { tool, target, model, flags } = headParts(report);
  return { kind: 'paragraph', text: joinTexts([...tool, ...target, ...model, ...flags], ' · '), tone: 'quiet' };
}

/** `wirecheck-report/report.html, report.json, junit.xml`: a line for each folder, the page first, since people open that. */
function writtenFacts({ written = [] }: RenderOptions): readonly Fact[] {
  const isPage = (path: string): boolean => path.endsWith('.html');
  const sorted = written.toSorted((a, b) => Number(isPage(b)) - Number(isPage(a)));
  const folders = [...groupBy(sorted, dirname)].toSorted(([a], [b]) => Number(a === '.') - Number(b === '.'));
  return folders.flatMap(([folder, [first = '', ...others]], index) => {
    // Otherwise it would seem to be in the folder before.
    const start = index > 0 && folder === '.' ? `./${first}` : first;
    const text = inert([start, ...others.map((path) => basename(path))].join(', '), 1000);
    return fact(index === 0 ? 'Report' : '', text);
  });
}
