/**
 * `--reporter summary`: a report on one page, for a manager and for the vendor of a target: the verdict, each broken sentence
 * of the contract with who is affected, and what was not judged. Markdown, or a page if the file is one.
 */

import { groupBy } from '../../report/counts.ts';
import { commandToExplain } from '../../report/repeat/repeat-command.ts';
import type { ClauseReport, OutcomeName, Report } from '../../report/report.ts';
import { traitsOf } from '../../report/subject-traits.ts';
import { count, inert } from '../../text/layout.ts';
import { coverageOf } from '../clause-states.ts';
import { countClauses, countUnjudged, groupUnjudged, MAX_REASONS, notJudgedList } from '../unjudged.ts';
import {
  asCode,
  fact,
  marked,
  type ListItem,
  type MarkedText,
  type Part,
  spansOf,
  type PageBlock,
  type Span,
} from '../document/document.ts';
import { writeHtml } from '../document/write-html.ts';
import { writeMarkdown } from '../document/write-markdown.ts';
import { formatDrawn } from '../explore-text.ts';
import { clauseOf, countOf, type FindingTexts, formatCounted, formatFinding } from '../finding-text.ts';
import { type Group, GROUP_NAMES, groupOf, GROUPS } from '../fold.ts';
import type { Format } from '../format.ts';
import { renderDocument } from '../html/document.ts';
import { html } from '../html/markup.ts';
import { renderVerdict } from '../html/overview.ts';
import { renderSection } from '../html/parts.ts';
import { listEntries, makeView, type PageEntry } from '../html/view.ts';
import { lookOf } from '../looks.ts';
import { formatPart, formatProfile, ownerOf, quoteContract, spansOfWords } from '../profile-text.ts';
import { endingPart, headingPart, listChangeTexts, notePart, pageTitle } from '../run-text.ts';

export const summary: Format = (report, { file = '', page }) => {
  const sections = listSections(report, page);
  return /\.html?$/i.test(file) ? briefPage(report, sections) : briefMarkdown(report, sections);
};

/** Broken sentences with all their facts, or without them, that fit on the printed page with all else. */
const MOST_WITH_FACTS = 2;
const MOST_ON_PAGE = 6;
/** Those in the details. The full report has the rest. */
const MAX_BROKEN = 25;

interface Section {
  readonly id: string;
  readonly title: string;
  readonly lead?: string;
  readonly body: readonly PageBlock[];
}

/** `page`: the full report, if there is one to read on. */
function listSections(report: Report, page: string | undefined): readonly Section[] {
  const readOn = page === undefined ? '' : ': see the full report';
  const isNothing = isNothingJudged(report);
  const notJudged = isNothing ? [] : notJudgedList(report, MAX_REASONS).items;
  const broken = isNothing ? [] : listBroken(report, readOn);
  const all = broken.flatMap(({ items }) => items);
  const isLong = all.length > MOST_WITH_FACTS;
  let room = isLong ? MOST_ON_PAGE : all.length;
  const clauses = listEntries(report).map(({ expectation }) => expectation.clause);
  const command = inert(commandToExplain(report, clauses, 'CLAUSE'), 600);
  const words = notJudged.map(({ text, count: number }) => [...spansOf(text), ` (${number})`]);
  const guide = [
    ...(isNothing ? [] : listGuide(report)),
    ...(page === undefined
      ? []
      : [`The full report (${inert(page, 120)}) has ${all.length > 0 ? EVIDENCE : RECEIVED}.`]),
    // The command is one piece of code, so that it can be copied.
    ...(all.length > 0 ? [['To read more about a clause, run ', asCode(command), '.']] : []),
  ];
  const sections: readonly Section[] = [
    ...broken.map(({ id, title, items }) => {
      const most = Math.max(0, room);
      room -= items.length;
      const shown = isLong ? items.map(({ facts: _facts, ...item }) => item) : items;
      return { id, title, body: listItems(shown, most, ', in the details') };
    }),
    { id: 'not-judged', title: 'Not judged', lead: `${countUnjudged(report)}.`, body: lines(words) },
    { id: 'guide', title: 'How to read the rest', body: lines(guide) },
    { id: 'details', title: 'Details', body: isLong ? listItems(all, MAX_BROKEN, readOn) : [] },
  ];
  return sections.filter(({ body }) => body.length > 0);
}

/** The target does not answer like this API, so what a setting would add is not the point. */
function isNothingJudged(report: Report): boolean {
  return countClauses(groupUnjudged(report)) === report.clauses.length;
}

/** The verdict in plain words, and of an exploration what was drawn. */
function listMeaning(report: Report): readonly string[] {
  return [
    isNothingJudged(report) ? 'Nothing was judged.' : MEANINGS[report.outcome.name](report),
    ...(report.explore ? [`Requests were drawn: ${formatDrawn(report.explore)}.`] : []),
  ];
}

function lines(texts: readonly MarkedText[]): readonly PageBlock[] {
  return texts.length === 0 ? [] : [{ kind: 'lines', lines: texts.map((text) => ({ lead: '', text })) }];
}

function briefMarkdown(report: Report, sections: readonly Section[]): string {
  return writeMarkdown([
    headingPart(report, ['target', 'model', 'day', 'flags', 'tool']),
    listMeaning(report).map((text) => ({ kind: 'paragraph', text })),
    notePart(report),
    endingPart(report),
    ...sections.map(({ title, lead, body }): Part => [
      { kind: 'heading', level: 3, text: title },
      ...(lead === undefined ? [] : [{ kind: 'paragraph', text: lead } as const]),
      ...body,
    ]),
  ]);
}

/** One self-contained page without a script, made to be printed or sent. */
function briefPage(report: Report, sections: readonly Section[]): string {
  return renderDocument({
    title: pageTitle(report),
    subtitle: 'summary',
    version: report.tool.version,
    shade: lookOf(report).shade,
    styles: ['tables', 'narrow', 'print', 'summary'],
    scripts: [],
    layout: 'summary-page',
    sections: [],
    main: html`${renderVerdict(makeView(report))}
    ${listMeaning(report).map((text, at) => html`<p ${at === 0 ? html`class="meaning"` : ''}>${text}</p>`)}
    ${sections.map(({ body, ...rest }) => renderSection({ ...rest, body: writeHtml(body) }))}`,
    footer: html`<p>Made by wirecheck ${inert(report.tool.version, 40)}.</p>`,
  });
}

const MEANINGS: Readonly<Record<OutcomeName, (report: Report) => string>> = {
  conforms: (report) => {
    const { judged, all } = coverageOf(report);
    return judged === all
      ? 'Every must clause was judged, and none is broken.'
      : 'No must clause is broken. Those that need an extra key or a setting were not all judged.';
  },
  'conforms-in-part': () => 'No must clause that was judged is broken, but not all of them were judged.',
  'conforms-but-waived': (report) => `What fails is accepted for now by waivers.${alsoWarned(report)}`,
  'no-new-violations': (report) => `What fails was already broken before, or is waived.${alsoWarned(report)}`,
  'unused-waivers': () => 'A waiver is no longer needed. Nothing else fails the run.',
  'does-not-conform': (report) =>
    traitsOf(report).isCaller
      ? 'The client does not do what the contract asks of clients. Its users may get wrong results, or none.'
      : `The target does not keep ${listOwners(report).join(' and ')}. Its clients may fail.`,
  'not-judged': () => 'Too little was judged for a verdict.',
};

function entriesOf(report: Report, group: Group): readonly PageEntry[] {
  return listEntries(report).filter((entry) => groupOf(entry) === group);
}

/** Neither waived nor broken before. */
function alsoWarned(report: Report): string {
  const { size } = new Set(entriesOf(report, 'warn').map(({ expectation }) => expectation.clause));
  const are = size === 1 ? 'is' : 'are';
  return size === 0 ? '' : ` ${count(size, 'should clause')} ${are} broken beside it, which fails no run.`;
}

/** What fails: `the contract`, `clauses of suite house, which the contract does not have`. */
function listOwners(report: Report): readonly string[] {
  const owners = entriesOf(report, 'fail').map(({ expectation: { clause, kind } }) => {
    const owner = ownerOf(report, clause);
    return owner === undefined ? BROKEN_KINDS[kind] : `clauses of ${owner}, which the contract does not have`;
  });
  const ofContract = Object.values(BROKEN_KINDS).filter((words) => owners.includes(words));
  const named = owners.length === 0 ? [BROKEN_KINDS.stated] : [...new Set([...ofContract, ...owners])];
  const { profile } = report;
  // A profile with limits or fields of its own: who reads v1 finds others there.
  if (!profile?.changes.some(({ change }) => CHANGED_SENTENCES.includes(change.kind))) return named;
  const as = `, as ${profile.name === undefined ? 'the run' : `profile ${inert(profile.name, 60)}`} changes it`;
  return named.map((words) => (words === BROKEN_KINDS.stated ? `${words}${as}` : words));
}

const CHANGED_SENTENCES: readonly string[] = ['limit', 'required', 'field'];

const BROKEN_KINDS: Readonly<Record<ClauseReport['kind'], string>> = {
  stated: 'the contract',
  implied: 'clauses that the contract implies but does not state',
  prudent: 'clauses of good security practice, which the contract does not state',
  silent: 'clauses on what the contract leaves open',
  outside: 'clauses on what the contract leaves open',
};

/** An item for each clause: findings that count come first, and apart. */
function listBroken(report: Report, readOn: string) {
  return GROUP_NAMES.map((group) => {
    const byClause = groupBy(entriesOf(report, group), ({ expectation }) => expectation.clause);
    const items = [...byClause.values()].flatMap(([first, ...others]) =>
      first ? [describeBroken(report, first, others.length, readOn)] : [],
    );
    return { ...GROUPS[group], items };
  });
}

/** `where`: to read the rest. */
function listItems(items: readonly ListItem[], most: number, where: string): readonly PageBlock[] {
  const shown = items.slice(0, most);
  const more = items.length - shown.length;
  const rest = lines(more === 0 ? [] : [`${count(more, shown.length > 0 ? 'more clause' : 'clause')}${where}.`]);
  return shown.length === 0 ? rest : [{ kind: 'list', heading: '', items: shown, noun: 'broken clause' }, ...rest];
}

/** `first`: of the causes of one clause, the one that counts first. `more`: how many others there are. */
function describeBroken(report: Report, first: PageEntry, more: number, readOn: string): ListItem {
  const { expectation, verdict } = first;
  const texts = formatFinding(report, first);
  const clause = clauseOf(report, expectation);
  const part = formatPart(report, clause, expectation.kind);
  const tries = first.share || !texts.tries ? '' : `. ${texts.tries}`;
  return {
    text: texts.requirement,
    aside: [asCode(inert(expectation.clause, 120)), `, ${expectation.level}, ${part}`],
    tone: verdict === 'fail' ? 'bad' : 'warn',
    facts: [
      ...quoteContract(clause).flatMap(({ where, words }) =>
        fact('Contract', words === undefined ? where : marked`${where}: "${spansOfWords(words)}"`),
      ),
      ...fact('Expected', texts.expected && asCode(texts.expected)),
      ...fact('Got', texts.actual && asCode(texts.actual), { isTelling: true }),
      ...fact('Also got', texts.also && asCode(texts.also)),
      ...fact('Seen in', [...formatWhere(report, first, texts), tries]),
      ...fact('Also', more === 0 ? undefined : `${count(more, 'more cause')}${readOn}`),
      ...fact('Who is hurt', texts.hurts),
      ...fact('Affected', texts.affected),
      // Why it does not count, or is new.
      ...fact('Status', texts.waiver ?? texts.baseline),
    ],
  };
}

/** `62 answers, such as POST /v1/chat/completions`; of a client, the number of scenarios. */
function formatWhere(report: Report, entry: PageEntry, { seen, request, scenario }: FindingTexts): readonly Span[] {
  const { seen: number, unit, cases, intermittent, share } = entry;
  const { caseWord, isCaller } = traitsOf(report);
  const example = scenario === undefined ? request && asCode(request) : `"${scenario}"`;
  if (seen !== undefined) return example === undefined ? [seen] : [`${seen}. An example: `, example];
  const isSeen = number > 0 && !isCaller;
  const all = isSeen ? countOf(number, unit) : count(cases.length, caseWord);
  const counted = intermittent ?? share;
  const words = counted ? `${formatCounted(counted)}${intermittent ? ' (intermittent)' : ''}` : all;
  if (example === undefined) return [words];
  return [`${words}${(isSeen ? number : cases.length) === 1 ? ':' : ', such as'} `, example];
}

function listGuide(report: Report): readonly string[] {
  const { strict, profile, edition } = report;
  const { isCaller } = traitsOf(report);
  const relies = isCaller ? 'A must clause binds every client.' : 'A client may rely on every must clause.';
  const should = strict ? ', and counts as well in this strict run' : ' and fails a run only with --strict';
  const isBroken = listEntries(report).length > 0;
  return [
    `${relies} A should clause is good practice${should}.`,
    ...(isBroken ? [`Each sentence above ${SENTENCE}`] : []),
    ...(profile
      ? [
          `The contract is ${inert(formatProfile(profile), 200)}.`,
          ...listChangeTexts(report).map((text) => inert(text, 600)),
        ]
      : []),
    ...(edition === undefined ? [] : [`The tests are those of edition ${inert(edition, 40)}.`]),
  ];
}

const SENTENCE =
  "says in plain words what a clause asks for. What stands in quotation marks beside a part is the contract's own text.";
const EVIDENCE = 'the request and the answer behind each sentence, and a command that repeats it';
const RECEIVED = 'every case with what was sent and received';
