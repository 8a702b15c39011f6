/** A page for a pull-request comment or a job summary: the verdict first, short, and never longer than a comment may be. */
import type { Report } from '../../report/report.ts';
import { traitsOf } from '../../report/subject-traits.ts';
import type { Excuse, OlderFinding } from '../../report/excuses/excuse-report.ts';
import { formatCounts, total, VERDICT_ORDER } from '../totals.ts';
import { adviseOnEnding } from '../../exchange/ending.ts';
import { formatNotice } from '../../exchange/notice.ts';
import { type Entry, foldFindings } from '../fold.ts';
import type { Format } from '../format.ts';
import { formatProfile, listChanges } from '../profile-text.ts';
import { formatProduct, formatTarget, listRunFlags, noteLines } from '../run-text.ts';
import { inconclusiveHeading, findingsHeading, tableNotes } from '../headings.ts';
import { count } from '../../text/layout.ts';
import { flakyCases } from '../flaky-text.ts';
import { leftOutByReason } from '../left-out.ts';
import { countNotTested, notTestedByRemedy } from '../not-tested.ts';
import { lookOf } from '../looks.ts';
import { listObserved } from '../observed.ts';
import { explorePart } from './markdown-explore.ts';
import { findingItem, given, someCases } from './markdown-finding.ts';
import { loadPart } from './markdown-load.ts';
import { adviceText, cell, code, prose } from './markdown-text.ts';
import { countOlder, olderByClause } from '../excused.ts';
import { verdictLine } from '../verdict-line.ts';

/** Characters. GitHub refuses a comment beyond 65,536; half of that is as much as anybody reads. */
const MAX_LENGTH = 32_000;
const MAX_AREAS = 30;

/** Items of a list, as many as there is room for. */
interface List {
  readonly heading: string;
  readonly items: readonly string[];
  readonly most: number;
  /** Behind a triangle to click on. */
  readonly closed: boolean;
  /** Noun for an item, to count those left out. */
  readonly noun: string;
}

export const markdown: Format = {
  summary: 'Markdown, for a pull-request comment or a job summary',
  render: (report, { page }) => {
    const verdict = `## ${lookOf(report).mark} ${prose(verdictLine(report))}`;
    const top = [...title(report), verdict, facts(report), ...note(report)];
    const parts = [...top, ...contract(report), ...loadPart(report), ...explorePart(report), ...areas(report)];
    let room = MAX_LENGTH - parts.join('').length;
    for (const list of lists(report)) {
      const part = listPart(list, room, page);
      room -= part.length;
      parts.push(part);
    }
    return `${parts.join('\n\n')}\n`;
  },
};

function title({ title: words }: Report): readonly string[] {
  return words === undefined ? [] : [`# ${prose(words)}`];
}

function note(report: Report): readonly string[] {
  const lines = noteLines(report);
  return lines.length === 0 ? [] : [lines.map((line) => `> ${prose(line, Infinity)}`).join('\n>\n')];
}

/** Each change of the profile, never folded or left out: it says what the verdict means. */
function contract({ profile }: Report): readonly string[] {
  if (!profile) return [];
  const changes = listChanges(profile).map(({ what, why }) => `- ${prose(what)}. ${prose(why)}`);
  return [`Judged by ${prose(formatProfile(profile))}:\n\n${changes.join('\n')}`];
}

function facts(report: Report): string {
  const { target, tool, cost } = report;
  const ending = adviseOnEnding(report);
  const words = [
    code(formatTarget(report)),
    ...given(formatProduct(report), (text) => prose(text, 600)),
    ...(target.model === undefined ? [] : [`model ${code(target.model, 60)}`]),
    ...listRunFlags(report),
    formatCounts(report),
    count(cost.used.requests, 'request') +
      // The cost of a foreign recording is unknown, and the scripted upstream of a relay calls no model.
      (cost.most.requests === 0 || !traitsOf(report).isPlanned
        ? ''
        : `, ${count(cost.used.completions, 'completion')} charged`),
    `wirecheck ${code(tool.version)}`,
    ...given(report.edition, (text) => `edition ${code(text, 40)}`),
  ];
  return [words.join(' · '), ...(ending === undefined ? [] : [adviceText(ending)])].join('\n\n');
}

function areas(report: Report): readonly string[] {
  if (report.areas.length === 0) return [];
  const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const shown = report.areas.slice(0, MAX_AREAS);
  const more = report.areas.length - shown.length;
  const notes = tableNotes(report).join(' ');
  const cells = (counts: Report['counts']['cases']) => [
    total(counts),
    ...VERDICT_ORDER.map((verdict) => (counts[verdict] === 0 ? '·' : counts[verdict])),
  ];
  return [
    [
      row(['Area', 'cases', ...VERDICT_ORDER]),
      row(['---', ...['cases', ...VERDICT_ORDER].map(() => '--:')]),
      ...shown.map(({ area, cases }) => row([cell(area), ...cells(cases)])),
      ...(more > 0 ? [row([count(more, 'more area'), '', ...VERDICT_ORDER.map(() => '')])] : []),
      row(['all', ...cells(report.counts.cases)]),
    ].join('\n'),
    ...(notes === '' ? [] : [notes]),
  ];
}

function lists(report: Report): readonly List[] {
  const entries = foldFindings(report);
  const findings = (group: Entry['verdict'] | Excuse, name: string): List => {
    const own = entries.filter((entry) => (entry.excused ?? entry.verdict) === group);
    const list = folded(
      findingsHeading(own, name),
      own.map((entry) => findingItem(report, entry)),
      'cause',
    );
    return group === 'fail' ? { ...list, most: 20, closed: false } : list;
  };
  const notTested = notTestedByRemedy(report);
  const flaky = flakyCases(report);
  const older = (all: readonly OlderFinding[] = [], name: string): List => {
    const items = olderByClause(all).map(({ clause, cases }) => `- ${code(clause)} in ${someCases(cases)}`);
    return folded(`${name}: ${countOlder(report, all)}`, items, 'clause');
  };
  const notices = report.notices.map((notice) => `- ${prose(formatNotice(notice))}`);
  return [
    findings('fail', 'Failures'),
    findings('warn', 'Warnings'),
    findings('known', 'In the baseline'),
    findings('waived', 'Waived'),
    folded(
      inconclusiveHeading(report),
      leftOutByReason(report, 'inconclusive').map(
        ({ reason, cases }) => `- ${prose(reason)} (${count(cases.length, 'case')}: ${someCases(cases)})`,
      ),
      'reason',
    ),
    observedList(report),
    folded(
      `Flaky: ${flaky.heading}`,
      flaky.cases.map(({ id, answers }) => `- ${code(id)}${answers === undefined ? '' : `: ${prose(answers)}`}`),
      'case',
    ),
    folded(
      `Not tested: ${countNotTested(notTested)}`,
      notTested.map(
        ({ remedy, clauses, cases }) =>
          `- ${prose(remedy)} (${count(clauses.length, 'clause')}, in ${someCases(cases)})`,
      ),
      'reason',
    ),
    older(report.baseline?.fixed, 'Fixed since the baseline'),
    older(report.baseline?.notJudged, 'In the baseline, but not judged in this run'),
    folded(count(notices.length, 'notice'), notices, 'notice'),
  ].filter(({ items }) => items.length > 0);
}

/** Behind a triangle to click on. */
function folded(heading: string, items: readonly string[], noun: string): List {
  return { heading, items, most: 10, closed: true, noun };
}

/** Of clauses whose level is observe. What the contract leaves open is in the full report. */
function observedList(report: Report): List {
  const items = listObserved(report)
    .filter(({ isLowered }) => isLowered)
    .map(({ clause, facts }) => {
      const seen = facts.map(([name, values]) => `${prose(name)}: ${values.map((value) => prose(value)).join('; ')}`);
      return [`- ${code(clause)}`, ...seen].join('\n  - ');
    });
  return folded(`Observed, not judged: ${count(items.length, 'clause')}`, items, 'clause');
}

function listPart({ heading, items, most, closed, noun }: List, room: number, page: string | undefined): string {
  const shown: string[] = [];
  let used = 0;
  for (const item of items.slice(0, most)) {
    used += item.length;
    if (used > room) break;
    shown.push(item);
  }
  const more = items.length - shown.length;
  // In a comment, or if nothing else was written, there is no file to point to.
  const readOn = page === undefined ? '`--reporter html` has all' : `see the full report (${prose(page)})`;
  const list = [...shown, ...(more > 0 ? [`- ${count(more, `more ${noun}`)} omitted; ${readOn}.`] : [])];
  return closed
    ? `<details>\n<summary>${heading}</summary>\n\n${list.join('\n')}\n\n</details>`
    : `### ${heading}\n\n${list.join('\n')}`;
}
