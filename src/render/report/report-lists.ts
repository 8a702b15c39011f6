/** Lists and tables of a report: findings by cause, what could not be judged, the baseline, observations, areas, load. */

import { formatNotice } from '../../exchange/notice.ts';
import { groupBy } from '../../report/counts.ts';
import type { OlderFinding } from '../../report/excuses/excuse-report.ts';
import type { LoadStage } from '../../report/load-report.ts';
import type { Counts, Report } from '../../report/report.ts';
import { count, formatDuration, groupDigits, inert, listFirst } from '../../text/layout.ts';
import {
  countClauses,
  countLeftOut,
  groupUnjudged,
  inconclusiveHeading,
  leftOutByReason,
  tableNotes,
} from '../clause-states.ts';
import {
  asCode,
  type Block,
  type Column,
  fact,
  type Fact,
  type List,
  type ListItem,
  type MarkedText,
  spansOf,
} from '../document/document.ts';
import { baselineDay, countOlder, listOlder } from '../excused.ts';
import {
  clauseOf,
  countFindings,
  findingFacts,
  type FindingTexts,
  formatFinding,
  formatFurther,
  listObserved,
  type ObservedClause,
} from '../finding-text.ts';
import { type RootCause, foldFindings, type Group, groupOf, GROUPS, type VerdictName } from '../fold.ts';
import { nameStage, stageRemarks } from '../load-facts.ts';
import { KIND_WORDS, partOrOwner } from '../profile-text.ts';
import { flakyCases } from '../request-text.ts';
import { total, VERDICT_ORDER } from '../run-text.ts';

/** How much of each list a format shows. */
export interface ListLimits {
  readonly most?: number;
  readonly mostIds: number;
  /** Cases of a finding. */
  readonly mostCases: number;
  /** How an entry is headed: by its case, or by what its clause asks for. */
  readonly isByCase: boolean;
}

/** `isBrief`: only what is broken and why it does not count, which must not push what counts off the screen. */
export function findingList(report: Report, group: Group, limits: ListLimits, isBrief = false): List {
  const entries = foldFindings(report).filter((entry) => groupOf(entry) === group);
  const { title, tone } = GROUPS[group];
  const since = group === 'known' && limits.isByCase ? ` of ${baselineDay(report)}` : '';
  const more = isBrief ? '; --verbose has the evidence' : '';
  return {
    kind: 'list',
    heading: `${title}${since}: ${countFindings(entries)}${more}`,
    tone,
    items: entries.map((entry) => findingItem(report, entry, limits, isBrief)),
    noun: 'cause',
    ...(limits.most !== undefined && { most: group === 'fail' ? 2 * limits.most : limits.most }),
    ...(group === 'fail' && { isOpen: true }),
  };
}

function findingItem(report: Report, entry: RootCause, limits: ListLimits, isBrief: boolean): ListItem {
  const { expectation, excused, verdict } = entry;
  const own = partOrOwner(report, clauseOf(report, expectation));
  const words = formatFinding(report, entry);
  if (limits.isByCase) {
    return {
      text: inert(entry.case.id),
      aside: `${expectation.level} · ${own ?? KIND_WORDS[expectation.kind]}`,
      sign: excused ? '~' : verdict === 'fail' ? '✗' : '!',
      tone: GROUPS[groupOf(entry)].tone,
      facts: isBrief
        ? briefFacts(entry, words)
        : [...findingFacts(words, formatFurther(entry)), ...casesFact(entry, limits, 2)],
    };
  }
  const source = own === undefined ? '' : `, ${own}`;
  return {
    text: words.requirement,
    aside: [asCode(inert(expectation.clause)), `, ${expectation.level}${source}`],
    facts: [...findingFacts(words, formatFurther(entry), ['requirement', 'explain']), ...casesFact(entry, limits, 1)],
  };
}

/** No other line names the clause, which a waiver does. The heading names the baseline. */
function briefFacts({ expectation }: RootCause, { requirement, waiver }: FindingTexts): readonly Fact[] {
  return [...fact('Requirement', `${requirement} (${inert(expectation.clause)})`), ...fact('Waiver', waiver)];
}

function casesFact({ cases }: RootCause, { mostCases }: ListLimits, least: number): readonly Fact[] {
  return cases.length < least ? [] : fact('Cases', listIds(cases, mostCases));
}

function listIds(ids: readonly string[], most: number): MarkedText {
  const shown = ids.slice(0, most).map((id) => asCode(inert(id)));
  const more = ids.length - shown.length;
  return [...shown.flatMap((id, at) => (at === 0 ? [id] : [', ', id])), ...(more > 0 ? [` and ${more} more`] : [])];
}

export function leftOutList(report: Report, verdict: 'inconclusive' | 'skipped', { most, mostIds }: ListLimits): List {
  const isSkipped = verdict === 'skipped';
  return {
    kind: 'list',
    heading: isSkipped ? `Skipped, at least in part: ${countLeftOut(report, verdict)}` : inconclusiveHeading(report),
    tone: isSkipped ? 'quiet' : 'unsure',
    items: leftOutByReason(report, verdict).map(({ reason, cases }) => ({
      text: reason,
      sign: isSkipped ? '-' : '?',
      ids: cases,
      count: count(cases.length, 'case'),
    })),
    noun: 'reason',
    mostIds,
    ...(most !== undefined && { most }),
  };
}

/** What the baseline has and this run does not. */
export function olderLists(
  report: Report,
  { most = Infinity, mostIds }: Pick<ListLimits, 'most' | 'mostIds'>,
): readonly List[] {
  return listOlder(report).map(({ title, sign, findings }) => ({
    kind: 'list',
    heading: `${title}: ${countOlder(report, findings)}`,
    items: olderTexts(findings, mostIds).map((text) => ({ text, sign })),
    noun: 'clause',
    most,
  }));
}

/** `errors.code in auth/a, auth/b and 3 more` */
export function olderTexts(findings: readonly OlderFinding[], mostIds: number): readonly MarkedText[] {
  return [...groupBy(findings, ({ clause }) => clause)].map(([clause, own]) => {
    const cases = [...new Set(own.map((each) => each.case))];
    return [asCode(inert(clause)), ' in ', ...spansOf(listIds(cases, mostIds))];
  });
}

export function flakyList(report: Report, { most = Infinity }: ListLimits): List {
  const { heading, cases } = flakyCases(report);
  const items = cases.map(({ id, answers }) => ({ text: [asCode(id), answers] }));
  return { kind: 'list', heading: `Flaky: ${heading}`, items, noun: 'case', most };
}

export function notTestedList(report: Report, { most = Infinity, mostIds }: ListLimits): List {
  const all = groupUnjudged(report, 'skipped');
  const items = all.map(({ remedy, reason, clauses }) => {
    const ids = [...new Set(clauses.flatMap(({ cases }) => cases))];
    const counted = `${count(clauses.length, 'clause')} in ${count(ids.length, 'case')}`;
    return { text: remedy ?? reason, ids, count: counted };
  });
  return { kind: 'list', heading: `Not tested: ${countClauses(all)}`, items, noun: 'reason', most, mostIds };
}

export function noticeList({ notices }: Report, { most = Infinity }: ListLimits): List {
  const items = notices.map((notice) => ({ text: inert(formatNotice(notice), 600) }));
  return { kind: 'list', heading: count(items.length, 'notice'), items, noun: 'notice', most };
}

/** Clauses whose level is observe. What the contract leaves open is in the full report. */
export function loweredList(report: Report, { most = Infinity }: ListLimits): List {
  const items = listObserved(report)
    .filter(({ isLowered }) => isLowered)
    .map(({ clause, facts }) => ({
      text: asCode(inert(clause)),
      facts: facts.flatMap(([name, values]) => fact(inert(name), values.map((value) => inert(value, 600)).join('; '))),
    }));
  return {
    kind: 'list',
    heading: `Observed, not judged: ${count(items.length, 'clause')}`,
    items,
    noun: 'clause',
    most,
  };
}

/** Values shown of an observation. */
const MAX_VALUES = 4;
const MAX_VALUE = 60;
const MAX_SENTENCE = 400;

export function observedFacts(report: Report): { readonly heading: string; readonly facts: readonly Fact[] } {
  const all = listObserved(report);
  const why = all.some(({ isLowered }) => isLowered) ? ', or at the level observe' : '';
  return {
    heading: `Observed (not specified by the contract${why}, never judged)`,
    facts: all.flatMap((each) => fact(each.clause, formatObserved(each))),
  };
}

function formatObserved({ facts, isLowered }: ObservedClause): string {
  return facts
    .map(([name, values]) => {
      const shown = values.map((value) => inert(value, isLowered ? MAX_SENTENCE : MAX_VALUE));
      return `${inert(name, 60)}: ${shown.length === 0 ? 'none' : listFirst(shown, MAX_VALUES)}`;
    })
    .join('; ');
}

const SHORT_HEAD: Partial<Record<VerdictName, string>> = {
  inconclusive: 'inconc.',
  observed: 'obs.',
  skipped: 'skip.',
};

const AREA_COLUMNS: readonly Column[] = [
  { head: 'Area' },
  { head: 'cases' },
  ...VERDICT_ORDER.map((verdict) => ({ head: verdict, short: SHORT_HEAD[verdict] ?? verdict })),
];

/** A dot for zero, so that the other numbers stand out. */
function formatNumber(number: number): string {
  return number === 0 ? '·' : groupDigits(number);
}

/** `most`: areas. */
export function areaTable(report: Report, most = Infinity): readonly Block[] {
  const { areas, counts } = report;
  if (areas.length === 0) return [];
  const row = (name: MarkedText, own: Counts): readonly MarkedText[] => [
    name,
    groupDigits(total(own)),
    ...VERDICT_ORDER.map((verdict) => formatNumber(own[verdict])),
  ];
  const more = areas.length - Math.min(areas.length, most);
  const notes = tableNotes(report).join(' ');
  return [
    {
      kind: 'table',
      columns: AREA_COLUMNS,
      rows: [
        ...areas.slice(0, most).map(({ area, cases }) => row(asCode(inert(area, 40)), cases)),
        ...(more > 0 ? [[count(more, 'more area'), ...AREA_COLUMNS.slice(1).map(() => '')]] : []),
        row('all', counts.cases),
      ],
      hasTotal: true,
    },
    ...(notes === '' ? [] : [{ kind: 'paragraph', text: notes, tone: 'quiet' } as const]),
  ];
}

const STAGE_COLUMNS: readonly Column[] = [
  { head: 'In flight' },
  { head: 'calls', isOptional: true },
  ...['answered', 'rejected', 'failed', 'broken', 'silent', 'first text'].map((head) => ({ head })),
  ...['95 %', '99 %', 'end'].map((head) => ({ head, isOptional: true })),
];

/** `most`: stages, since a search for the smallest load may add many. */
export function loadTable({ load }: Report, most = Infinity): readonly Block[] {
  const stages = (load?.stages ?? []).slice(0, most);
  if (stages.length === 0) return [];
  const remarks = stages.flatMap((stage) =>
    stageRemarks(stage).map((text) => ({ lead: `${nameStage(stage)}: `, text, tone: 'quiet' as const })),
  );
  return [
    { kind: 'table', columns: STAGE_COLUMNS, rows: stages.map(stageRow) },
    { kind: 'paragraph', text: TIMES, tone: 'quiet' },
    ...(remarks.length === 0 ? [] : [{ kind: 'lines', lines: remarks } as const]),
  ];
}

/** Plain replies end sooner than streams have text. */
const TIMES = 'Times are medians: first text of streams, with its 95 % and 99 %, and end of all answered calls.';

function stageRow(stage: LoadStage): readonly MarkedText[] {
  const { calls, outcomes, times } = stage;
  const first = times['first-text'];
  const numbers = [calls, outcomes.answered, outcomes.rejected, outcomes.failed, outcomes.broken, outcomes.unanswered];
  const shown = [first?.p50, first?.p95, first?.p99, times.end?.p50];
  return [
    nameStage(stage),
    ...numbers.map(formatNumber),
    ...shown.map((time) => (time === undefined ? '·' : formatDuration(time))),
  ];
}
