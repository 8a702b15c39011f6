/** A page for a pull-request comment or a job summary: the verdict first, short, and never longer than a comment may be. */
import type { Report } from '../../report/report.ts';
import { traitsOf } from '../../report/subject-traits.ts';
import type { Excuse, OlderFinding } from '../../report/excuses/excuse-report.ts';
import { formatCounts, total, VERDICT_ORDER } from '../totals.ts';
import { adviseOnEnding } from '../../exchange/ending.ts';
import { formatNotice } from '../../exchange/notice.ts';
import { clauseOf, formatFinding } from '../finding-text.ts';
import { formatFurther } from '../seen-text.ts';
import { type Entry, foldFindings } from '../fold.ts';
import type { Format } from '../format.ts';
import { partOrOwner } from '../part-text.ts';
import { formatProfile, listChanges } from '../profile-text.ts';
import { formatProduct, formatTarget, listRunFlags, noteLines } from '../run-text.ts';
import { countLeftOut, findingsHeading, tableNotes } from '../headings.ts';
import { count } from '../../text/layout.ts';
import { flakyCases } from '../flaky-text.ts';
import { countNotTested, leftOutByReason, notTestedByRemedy } from '../left-out.ts';
import { lookOf } from '../looks.ts';
import { drawnItems, explorePart } from './markdown-explore.ts';
import { loadPart } from './markdown-load.ts';
import { cell, code, prose } from './markdown-text.ts';
import { olderByClause } from '../excused.ts';
import { verdictLine } from '../verdict-line.ts';

/** Characters. GitHub refuses a comment beyond 65,536; half of that is as much as anybody reads. */
const MAX_LENGTH = 32_000;
const MAX_AREAS = 30;
const MAX_CASES = 4;
/** Of an excuse, or of the clients that are affected. */
const MAX_WORDS_LENGTH = 1000;

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
  render: (report) => {
    const verdict = `## ${lookOf(report).mark} ${prose(verdictLine(report))}`;
    const top = [...title(report), verdict, facts(report), ...note(report)];
    const parts = [...top, ...contract(report), ...loadPart(report), ...explorePart(report), ...areas(report)];
    let room = MAX_LENGTH - parts.join('').length;
    for (const list of lists(report)) {
      const part = listPart(list, room);
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
  return [words.join(' · '), ...(ending === undefined ? [] : [prose(ending)])].join('\n\n');
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
    return folded(`${name}: ${count(all.length, 'finding')}`, items, 'clause');
  };
  const notices = report.notices.map((notice) => `- ${prose(formatNotice(notice))}`);
  return [
    findings('fail', 'Failures'),
    findings('warn', 'Warnings'),
    findings('known', 'In the baseline'),
    findings('waived', 'Waived'),
    folded(
      `Inconclusive: ${countLeftOut(report, 'inconclusive')}`,
      leftOutByReason(report, 'inconclusive').map(
        ({ reason, cases }) => `- ${prose(reason)} (${count(cases.length, 'case')}: ${someCases(cases)})`,
      ),
      'reason',
    ),
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

function someCases(ids: readonly string[]): string {
  const shown = ids.slice(0, MAX_CASES).map((id) => code(id, 100));
  return `${shown.join(', ')}${ids.length > MAX_CASES ? ` and ${ids.length - MAX_CASES} more` : ''}`;
}

function findingItem(report: Report, entry: Entry): string {
  const { expectation, cases } = entry;
  const words = formatFinding(report, entry);
  const source = partOrOwner(report, clauseOf(report, expectation));
  const further = formatFurther(report, entry);
  return [
    `- **${prose(words.requirement)}** ${code(expectation.clause)}, ${expectation.level}${source === undefined ? '' : `, ${prose(source)}`}`,
    ...given(words.scenario, (text) => `scenario: ${prose(text)}`),
    ...given(
      words.expected,
      (text) =>
        `expected ${code(text, Infinity)}, got ${code(words.actual ?? '', Infinity)}${further && `, ${further}`}`,
    ),
    ...given(words.also, (text) => `also ${code(text, Infinity)}`),
    ...given(words.seen, (text) => prose(`seen in ${text}`)),
    ...given(words.shared, (text) => prose(`only with ${text}`)),
    ...given(words.sent, (text) => `sent: ${code(text, Infinity)}`),
    ...given(words.answer, (text) => `answer: ${code(text, Infinity)}`),
    ...given(words.hurts, (text) => prose(`who is hurt: ${text}`)),
    ...given(words.affected, (text) => prose(`Affected ${text}`, MAX_WORDS_LENGTH)),
    `in ${someCases(cases)}${words.request === undefined ? '' : `: ${code(words.request, Infinity)}`}`,
    ...drawnItems(words),
    ...given(words.client, (text) => `client: ${code(text, Infinity)}`),
    ...given(words.upstream, (text) => `upstream: ${code(text, Infinity)}`),
    ...given(words.waiver ?? words.baseline, (text) => prose(text, MAX_WORDS_LENGTH)),
    ...given(words.repeat, (text) => `repeat: ${code(text, Infinity)}${words.tries ? `. ${words.tries}` : ''}`),
  ].join('\n  - ');
}

/** A line, if there is a text for it. */
function given(text: string | undefined, format: (text: string) => string): readonly string[] {
  return text === undefined ? [] : [format(text)];
}

function listPart({ heading, items, most, closed, noun }: List, room: number): string {
  const shown: string[] = [];
  let used = 0;
  for (const item of items.slice(0, most)) {
    used += item.length;
    if (used > room) break;
    shown.push(item);
  }
  const more = items.length - shown.length;
  const list = [...shown, ...(more > 0 ? [`- ${count(more, `more ${noun}`)} omitted; see the full report.`] : [])];
  return closed
    ? `<details>\n<summary>${heading}</summary>\n\n${list.join('\n')}\n\n</details>`
    : `### ${heading}\n\n${list.join('\n')}`;
}
