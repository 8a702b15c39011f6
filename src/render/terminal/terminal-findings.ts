/** Failures, warnings and excused findings: Requirement, Expected, Actual, Affected, Request, Repeat, Explain. */
import type { Report } from '../../report/report.ts';
import { baselineDay } from '../excused.ts';
import { clauseOf, formatFinding, formatFurther } from '../finding-text.ts';
import { type Entry, foldFindings } from '../fold.ts';
import { findingsHeading } from '../headings.ts';
import { hang, listFirst, spread, wrap } from '../../text/layout.ts';
import type { Page, Section, Tone } from './page.ts';

const LABEL = 13;
const INDENT = '  ';
const MAX_CASES = 6;

/** For each group, its heading and its entries. */
export function findingSections(page: Page): Readonly<Record<Group, readonly Section[]>> {
  const entries = foldFindings(page.report);
  const of = (name: Group) => group(page, entries, name);
  return { fail: of('fail'), warn: of('warn'), known: of('known'), waived: of('waived') };
}

type Group = 'fail' | 'warn' | 'known' | 'waived';

const GROUP_TITLE: Record<Group, (report: Report) => string> = {
  fail: () => 'Failures',
  warn: () => 'Warnings',
  known: (report) => `In the baseline of ${baselineDay(report)}`,
  waived: () => 'Waived',
};
const GROUP_TONE: Record<Group, Tone> = { fail: 'bad', warn: 'warn', known: 'warn', waived: 'warn' };

function group(page: Page, all: readonly Entry[], name: Group): readonly Section[] {
  const entries = all.filter((entry) => groupOf(entry) === name);
  if (entries.length === 0) return [];
  const heading = findingsHeading(entries, GROUP_TITLE[name](page.report));
  return [
    wrap(heading, page.options.width).map((line) => page.paint('strong', page.paint(GROUP_TONE[name], line))),
    ...entries.map((entry) => entryLines(page, entry)),
  ];
}

function groupOf({ excused, verdict }: Entry): Group {
  return excused ?? verdict;
}

function entryLines(page: Page, entry: Entry): Section {
  const { report, options, paint } = page;
  const { expectation } = entry;
  const clause = clauseOf(report, expectation);
  const words = formatFinding(report, entry);
  const part = clause && clause.part !== '-' ? `part ${clause.part}` : expectation.kind;
  const mark = entry.excused ? '~' : entry.verdict === 'fail' ? '✗' : '!';
  const [first = '', ...rest] = spread(`${mark} ${entry.case.id}`, `${expectation.level} · ${part}`, options.width);

  const lines = [paint(GROUP_TONE[groupOf(entry)], first), ...rest];
  const say = (label: string, text: string | undefined) => {
    if (text !== undefined) lines.push(...hang(`${INDENT}${label.padEnd(LABEL)}`, text, options.width));
  };

  say('Requirement', words.requirement);
  say('Scenario', words.scenario);
  say('Expected', words.expected);
  if (words.actual !== undefined) lines.push(...actualLines(words.actual, formatFurther(report, entry), options.width));
  say('Only with', words.shared);
  say('Sent', words.sent);
  say('Answer', words.answer);
  say('Affected', words.affected);
  say('Request', words.request);
  say('Client', words.client);
  say('Upstream', words.upstream);
  say('Waiver', words.waiver);
  say('Baseline', words.baseline);
  // On one line, so that it can be pasted.
  if (words.repeat !== undefined) lines.push(`${INDENT}${'Repeat'.padEnd(LABEL)}${words.repeat}`);
  say('Explain', words.explain);
  if (entry.cases.length > 1) say('Cases', listFirst(entry.cases, options.detail === 'verbose' ? Infinity : MAX_CASES));
  return lines;
}

function actualLines(actual: string, more: string, width: number): string[] {
  const lines = hang(`${INDENT}${'Actual'.padEnd(LABEL)}`, actual, width);
  return [...lines.slice(0, -1), ...spread(lines.at(-1) ?? '', more, width)];
}
