/** Failures, warnings and what is excused: Requirement, Expected, Actual, Request, Repeat, Explain. */
import type { Report } from '../report/report.ts';
import { baselineDay, excuseInWords } from './excused.ts';
import { pathUnder, requestInWords } from './request-in-words.ts';
import { type Entry, type FindingReport, foldFindings } from './fold.ts';
import { inert } from './inert.ts';
import { count, hang, someOf, spread } from './layout.ts';
import type { Page, Section } from './page.ts';
import type { Tone } from './paint.ts';

const LABEL = 13;
const INDENT = '  ';
const MOST_CASES = 6;

export function findingSections(page: Page): readonly Section[] {
  const entries = foldFindings(page.report);
  return GROUPS.flatMap((name) => group(page, entries, name));
}

/** What counts goes before what is excused. */
const GROUPS = ['fail', 'warn', 'standing', 'waived'] as const;
type Group = (typeof GROUPS)[number];

const GROUP_TITLE: Record<Group, (report: Report) => string> = {
  fail: () => 'Failures',
  warn: () => 'Warnings',
  standing: (report) => `Standing since ${baselineDay(report)}`,
  waived: () => 'Waived',
};
const GROUP_TONE: Record<Group, Tone> = { fail: 'bad', warn: 'warn', standing: 'warn', waived: 'warn' };

function group(page: Page, all: readonly Entry[], name: Group): readonly Section[] {
  const entries = all.filter((entry) => groupOf(entry) === name);
  if (entries.length === 0) return [];
  const cases = new Set(entries.flatMap((entry) => entry.cases)).size;
  const heading = `${GROUP_TITLE[name](page.report)}: ${count(entries.length, 'finding')} in ${count(cases, 'case')}`;
  return [
    [page.paint('strong', page.paint(GROUP_TONE[name], heading))],
    ...entries.map((entry) => entryLines(page, entry)),
  ];
}

function groupOf({ excused, verdict }: Entry): Group {
  return excused ?? verdict;
}

function entryLines(page: Page, entry: Entry): Section {
  const { report, options, paint } = page;
  const { expectation, finding } = entry;
  const clause = report.clauses.find((each) => each.id === expectation.clause);
  const part = clause && clause.part !== '-' ? `part ${clause.part}` : expectation.kind;
  const mark = entry.excused ? '~' : entry.verdict === 'fail' ? '✗' : '!';
  const [first = '', ...rest] = spread(`${mark} ${entry.case.id}`, `${expectation.level} · ${part}`, options.width);

  const lines = [paint(GROUP_TONE[groupOf(entry)], first), ...rest];
  const say = (label: string, text: string) =>
    lines.push(...hang(`${INDENT}${label.padEnd(LABEL)}`, text, options.width));

  say('Requirement', inert(clause?.summary ?? expectation.clause, 400));
  if (finding) {
    say('Expected', `${inert(finding.expected)}${finding.pointer ? ` at ${inert(finding.pointer)}` : ''}`);
    lines.push(...actualLines(finding, further(entry), options.width));
    const exchange = report.exchanges.find((each) => each.id === finding.exchange);
    if (exchange) say('Request', requestInWords(exchange, entry.case, pathUnder(report.target.baseUrl)));
  }
  const excuse = excuseInWords(report, entry);
  if (excuse !== undefined) say(entry.excused ? 'Excuse' : 'Baseline', excuse);
  const repeat = entry.case.repeat ?? report.cases.find((one) => one.exchange === finding?.exchange)?.repeat;
  // Never broken into lines: it is there to be pasted.
  if (repeat !== undefined) lines.push(`${INDENT}${'Repeat'.padEnd(LABEL)}${inert(repeat, 4000)}`);
  say('Explain', `wirecheck explain ${expectation.clause}`);
  if (entry.cases.length > 1) say('Cases', someOf(entry.cases, options.detail === 'verbose' ? Infinity : MOST_CASES));
  return lines;
}

function actualLines(finding: FindingReport, more: string, width: number): string[] {
  const lines = hang(`${INDENT}${'Actual'.padEnd(LABEL)}`, actualInWords(finding), width);
  return [...lines.slice(0, -1), ...spread(lines.at(-1) ?? '', more, width)];
}

/** Types that the value alone would leave in doubt: `401` may stand in quotes or not. */
const TYPES_TO_NAME = ['integer', 'number', 'string', 'boolean', 'array', 'object'];

function actualInWords({ actual, actualType }: FindingReport): string {
  if (actual === '') return inert(actualType);
  const shown = inert(actual);
  return TYPES_TO_NAME.includes(actualType) && actual !== actualType ? `${shown} (${actualType})` : shown;
}

function further({ answers, places }: Entry): string {
  if (answers > 1) return `and in ${count(answers - 1, 'more answer')}`;
  return places > 1 ? `and in ${count(places - 1, 'more place')}` : '';
}
