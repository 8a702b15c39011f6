/** Failures, warnings and excused findings: Requirement, Expected, Actual, Who is hurt, Affected, Request, Repeat, Explain. */
import { KIND_WORDS, partOrOwner } from '../part-text.ts';
import { baselineDay } from '../excused.ts';
import { clauseOf, formatFinding, listFacts } from '../finding-text.ts';
import { formatFurther } from '../seen-text.ts';
import { type Entry, foldFindings } from '../fold.ts';
import { findingsHeading } from '../headings.ts';
import { inert } from '../../text/inert.ts';
import { columnsOf, hang, listFirst, spread, wrap } from '../../text/layout.ts';
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

type Group = keyof typeof GROUP_TITLE;

const GROUP_TITLE = { fail: 'Failures', warn: 'Warnings', known: 'In the baseline', waived: 'Waived' } as const;
const GROUP_TONE: Record<Group, Tone> = { fail: 'bad', warn: 'warn', known: 'warn', waived: 'warn' };

function group(page: Page, all: readonly Entry[], name: Group): readonly Section[] {
  const entries = all.filter((entry) => groupOf(entry) === name);
  if (entries.length === 0) return [];
  const since = name === 'known' ? ` of ${baselineDay(page.report)}` : '';
  const more = isFolded(page, name) ? '; --verbose has the evidence' : '';
  const heading = `${findingsHeading(entries, `${GROUP_TITLE[name]}${since}`)}${more}`;
  return [
    wrap(heading, page.options.width).map((line) => page.paint('strong', page.paint(GROUP_TONE[name], line))),
    ...entries.map((entry) => entryLines(page, entry)),
  ];
}

/** What does not count must not push what counts off the screen. */
function isFolded({ options }: Page, name: Group): boolean {
  return (name === 'known' || name === 'waived') && options.detail !== 'verbose';
}

function groupOf({ excused, verdict }: Entry): Group {
  return excused ?? verdict;
}

function entryLines(page: Page, entry: Entry): Section {
  const { report, options, paint } = page;
  const { expectation } = entry;
  const part = partOrOwner(report, clauseOf(report, expectation)) ?? KIND_WORDS[expectation.kind];
  const mark = entry.excused ? '~' : entry.verdict === 'fail' ? '✗' : '!';
  const [first = '', ...rest] = spread(`${mark} ${entry.case.id}`, `${expectation.level} · ${part}`, options.width);
  const head = [paint(GROUP_TONE[groupOf(entry)], first), ...rest];
  return [...head, ...(isFolded(page, groupOf(entry)) ? foldedLines(page, entry) : factLines(page, entry))];
}

/** Of a finding that does not count: what it breaks, and why it does not. The heading names the baseline. */
function foldedLines({ report, options }: Page, entry: Entry): Section {
  const { requirement, waiver } = formatFinding(report, entry);
  // No other line names the clause, which a waiver does.
  const broken = `${requirement} (${inert(entry.expectation.clause)})`;
  return [
    ...hang(leadOf('Requirement'), broken, options.width),
    ...(waiver === undefined ? [] : hang(leadOf('Waiver'), waiver, options.width)),
  ];
}

function factLines({ report, options }: Page, entry: Entry): Section {
  const lines: string[] = [];
  for (const { name, label, text } of listFacts(formatFinding(report, entry))) {
    // On one line, so that it can be pasted.
    if (name === 'repeat' || name === 'explain') lines.push(`${leadOf(label)}${text}`);
    else lines.push(...hang(leadOf(label), text, options.width));
    if (name === 'actual') lines.push(...withFurther(lines.pop() ?? '', formatFurther(entry), options.width));
  }
  if (entry.cases.length > 1) {
    const cases = listFirst(entry.cases, options.detail === 'verbose' ? Infinity : MAX_CASES);
    lines.push(...hang(leadOf('Cases'), cases, options.width));
  }
  return lines;
}

/** At the right end, or below if it is too long for one line beside the labels. */
function withFurther(actual: string, further: string, width: number): Section {
  const lead = leadOf('');
  const isLong = columnsOf(further) > width - columnsOf(lead);
  return isLong ? [actual, ...hang(lead, further, width)] : spread(actual, further, width);
}

function leadOf(label: string): string {
  return `${INDENT}${label.padEnd(LABEL)}`;
}
