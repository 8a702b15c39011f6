/** Failures, warnings and excused findings: Requirement, Expected, Actual, Who is hurt, Affected, Request, Repeat, Explain. */
import { KIND_WORDS, partOrOwner } from '../part-text.ts';
import { baselineDay } from '../excused.ts';
import { clauseOf, formatFinding, formatFurther, listFacts } from '../finding-text.ts';
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

type Group = keyof typeof GROUP_TITLE;

const GROUP_TITLE = { fail: 'Failures', warn: 'Warnings', known: 'In the baseline', waived: 'Waived' } as const;
const GROUP_TONE: Record<Group, Tone> = { fail: 'bad', warn: 'warn', known: 'warn', waived: 'warn' };

function group(page: Page, all: readonly Entry[], name: Group): readonly Section[] {
  const entries = all.filter((entry) => groupOf(entry) === name);
  if (entries.length === 0) return [];
  const since = name === 'known' ? ` of ${baselineDay(page.report)}` : '';
  const more = isFolded(page, name) ? '; --verbose shows their evidence' : '';
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

/** Of a finding that does not count: what it breaks, and why it does not. The heading names the baseline. */
const FOLDED: readonly string[] = ['requirement', 'waiver'];

function groupOf({ excused, verdict }: Entry): Group {
  return excused ?? verdict;
}

function entryLines(page: Page, entry: Entry): Section {
  const { report, options, paint } = page;
  const { expectation } = entry;
  const part = partOrOwner(report, clauseOf(report, expectation)) ?? KIND_WORDS[expectation.kind];
  const mark = entry.excused ? '~' : entry.verdict === 'fail' ? '✗' : '!';
  const [first = '', ...rest] = spread(`${mark} ${entry.case.id}`, `${expectation.level} · ${part}`, options.width);

  const lines = [paint(GROUP_TONE[groupOf(entry)], first), ...rest];
  const folded = isFolded(page, groupOf(entry));
  for (const { name, label, text } of listFacts(formatFinding(report, entry))) {
    if (folded && !FOLDED.includes(name)) continue;
    const lead = `${INDENT}${label.padEnd(LABEL)}`;
    // On one line, so that it can be pasted.
    if (name === 'repeat' || name === 'explain') lines.push(`${lead}${text}`);
    else lines.push(...hang(lead, text, options.width));
    if (name === 'actual') lines.push(...spread(lines.pop() ?? '', formatFurther(report, entry), options.width));
  }
  if (entry.cases.length > 1 && !folded) {
    const cases = listFirst(entry.cases, options.detail === 'verbose' ? Infinity : MAX_CASES);
    lines.push(...hang(`${INDENT}${'Cases'.padEnd(LABEL)}`, cases, options.width));
  }
  return lines;
}
