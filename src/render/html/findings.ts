/** Broken clauses, each in one line on the first screen; an entry per cause with its evidence; and every case with its expectations. */

import { affectedOf } from '../../report/affected.ts';
import { groupBy } from '../../report/counts.ts';
import type { CaseReport, ClauseReport, ExchangeReport, ExpectationReport, Report } from '../../report/report.ts';
import { traitsOf } from '../../report/subject-traits.ts';
import { count, inert } from '../../text/layout.ts';
import { formatReason } from '../../verdict/reason.ts';
import { factRows } from '../document/write-html.ts';
import { differencesFrom, formatEdit, showAround } from '../edit-text.ts';
import { EXCUSE_WORDS } from '../excused.ts';
import {
  CALL_WORDS,
  countFindings,
  countOf,
  DEPENDS,
  EFFECT_WORDS,
  findingFacts,
  formatFinding,
  formatFurther,
  requirementOf,
} from '../finding-text.ts';
import { type RootCause, GROUP_NAMES, groupOf, GROUPS } from '../fold.ts';
import { ownVerdict } from '../looks.ts';
import { formatPart } from '../profile-text.ts';
import { asSent, controlOf, findBothEnds, formatAttemptTime, formatRequest } from '../request-text.ts';
import { titleOfCases } from '../run-text.ts';
import { formatAllBroken } from '../verdict-line.ts';
import { renderLanes } from './drawings.ts';
import { exploredRows } from './explore.ts';
import { renderLiveParts } from './live.ts';
import { type Evidence, renderBothEnds, renderClient, renderEvidence } from './evidence.ts';
import { html, type HtmlPiece, type Markup, when } from './markup.ts';
import {
  foldByArea,
  linkCase,
  linkClause,
  linkSender,
  listCases,
  renderBox,
  renderFacts,
  renderFinding,
  renderFold,
  renderId,
  renderItems,
  renderLines,
  renderNote,
  renderShellCommand,
  renderSign,
  renderTable,
  renderTags,
  type SectionParts,
  tagCase,
  tagClause,
} from './parts.ts';
import type { PageEntry, View } from './view.ts';

/** Entries whose evidence is unfolded, the first of the page. */
const OPEN = 4;
/** More cases than this are folded. */
const FEW = 6;

/** A section for each group. */
export function findings(view: View): readonly SectionParts[] {
  return GROUP_NAMES.flatMap((group) => {
    const entries = view.entries.filter((entry) => groupOf(entry) === group);
    const { id, title, lead } = GROUPS[group];
    const section = {
      id,
      title,
      items: entries.length,
      lead: `${countFindings(entries, traitsOf(view.report).caseWord)}. ${lead}`,
      // What does not count is read on demand.
      body: entries.map((entry) => renderArticle(view, entry, !entry.excused && view.entries.indexOf(entry) < OPEN)),
    };
    return entries.length === 0 ? [] : [section];
  });
}

/** Facts that the evidence of an entry draws, and the command that is left out on paper. */
const IN_DRAWINGS = ['sent', 'client', 'upstream', 'explain', 'affected'] as const;
/** Facts of a finding of an exploration that its requests say. */
const IN_REQUESTS = ['before', 'request'] as const;

function renderArticle(view: View, entry: PageEntry, isOpen: boolean): Markup {
  const { verdict, expectation, finding, anchor: id } = entry;
  const words = formatFinding(view.report, entry);
  const clause = view.clause(expectation.clause);
  const exchange = finding && view.exchange(finding.exchange);
  const explain = renderShellCommand(words.explain, 'the command that explains the clause');
  const explored = exploredRows(view, finding?.exchange);
  const elsewhere = explored.length > 0 ? [...IN_DRAWINGS, ...IN_REQUESTS] : IN_DRAWINGS;
  const rows = [
    ...factRows(findingFacts(words, formatFurther(entry), elsewhere)),
    ...explored,
    // On a screen, a table beside the answer says it.
    ['Affected', words.affected && html`<span class="on-paper">${words.affected}</span>`],
    ['Level', clause?.why === undefined ? undefined : `${expectation.level}. ${inert(clause.why, 400)}`],
    ['Explain', html`<div class="explain">${explain}</div>`],
    [titleOfCases(view.report), listCases(view, entry.cases, FEW)],
  ] as const;
  const spread = formatSpread(view.report, entry);
  return renderFinding(id, verdict, tagClause(verdict, expectation.clause, expectation.level), {
    title: html`${renderSign(verdict)} ${linkClause(view, expectation.clause)}`,
    labels: html`<span class="tag">${expectation.level}</span>
      <span class="tag">${formatPart(view.report, clause, expectation.kind)}</span>
      ${spread !== undefined && html`<span class="tag loud">${spread}</span>`}`,
    body: html`${renderFacts(rows, 'facts finding-facts')} ${when(clause?.explanation, renderWhy)}
    ${renderClient(entry.case, exchange, 'full', false)} ${exchange && foldEvidence(view, entry, exchange, isOpen)}
    ${view.live && renderLiveParts(view, entry)}`,
  });
}

function foldEvidence(view: View, entry: RootCause, exchange: ExchangeReport, isOpen: boolean): Markup {
  const ends = findBothEnds(view.report, entry.case, exchange.id);
  const sender = entry.case.exchange === exchange.id ? entry.case : view.sender(exchange.id);
  const evidence = ends
    ? renderBothEnds(view, ends, entry.finding)
    : html`${renderEvidence(view, { exchange, sender, finding: entry.finding, detail: 'full' })}
      ${renderAffected(view.report, entry)} ${renderEdits(view, sender, 'full')}`;
  return renderFold(ends ? 'Both ends' : 'Request and answer', evidence, { kind: 'evidence', isOpen });
}

/** What each measured client makes of such an answer, in the calls in which it was measured. */
function renderAffected(report: Report, { expectation, finding }: RootCause): Markup | undefined {
  const { measured, mismatches = [] } = (finding && affectedOf(report, expectation.clause, finding)) ?? {};
  const hurt = mismatches.flatMap(({ affected }) => affected.map(({ client }) => client));
  if (measured === undefined || hurt.length === 0) return undefined;
  const others = mismatches.flatMap(({ unaffected, depending = [] }) => [...unaffected, ...depending]);
  const clients = new Set([...hurt, ...others]);
  const rows = [...clients].map((client) => [
    inert(client, 80),
    ...mismatches.map(({ call, affected, unaffected, depending }) => {
      const own = affected.find((each) => each.client === client);
      if (own) return EFFECT_WORDS[own.effect](call);
      return unaffected.includes(client) ? 'is not affected' : depending?.includes(client) ? DEPENDS : '–';
    }),
  ]);
  const name = `Measured clients (${inert(measured, 20)}, default settings)`;
  const heads = ['client', ...mismatches.map(({ call }) => CALL_WORDS[call])];
  return renderBox('change', name, renderTable({ name, kind: 'clients', heads, rows }));
}

function formatSpread(report: Report, { seen, unit, places, cases, intermittent }: RootCause): string | undefined {
  const { caseWord } = traitsOf(report);
  const parts = [
    ...(cases.length > 1 ? [count(cases.length, caseWord)] : []),
    ...(seen > 1 && unit !== caseWord ? [countOf(seen, unit)] : []),
    ...(places > 1 ? [count(places, 'place')] : []),
    // Beside the actual value stands how many kept it, by status.
    ...(intermittent ? ['intermittent'] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}

/** More lines than this would push the map of all clauses off the screen. */
const MAX_LINES = 12;

/** The list is for a reader who has one minute. */
export function renderBroken(view: View): HtmlPiece {
  const byClause = [...groupBy(view.entries, ({ expectation }) => expectation.clause).values()];
  const lines = byClause.map((entries) => renderLine(view, entries));
  if (lines.length === 0) return undefined;
  const rest = lines.slice(MAX_LINES);
  return html`<section id="broken" aria-labelledby="broken-title">
    <h2 id="broken-title" tabindex="-1">${formatAllBroken(view.report)}</h2>
    ${renderItems('lines', lines.slice(0, MAX_LINES))}
    ${rest.length > 0 && renderFold(count(rest.length, 'more clause'), renderItems('lines', rest))}
  </section>`;
}

/** `entries`: the causes of one clause, those that count first. */
function renderLine({ report }: View, entries: readonly PageEntry[]): HtmlPiece {
  const [first] = entries;
  if (!first) return undefined;
  const { expectation, verdict, anchor, excused } = first;
  const cases = new Set(entries.flatMap((entry) => entry.cases)).size;
  return html`${renderSign(verdict)} <a href="#${anchor}">${renderId(expectation.clause)}</a>
    <span class="required">${requirementOf(report, expectation)}</span>
    <span class="quiet whole">${count(cases, traitsOf(report).caseWord)}</span>
    ${when(excused, (why) => html`<span class="tag">${EXCUSE_WORDS[why]}</span>`)}`;
}

const MAX_READING_LENGTH = 1_500;
const MAX_EXAMPLE_LINES = 30;

function renderWhy({ reading, passes, fails }: NonNullable<ClauseReport['explanation']>): Markup {
  const renderExample = (shade: 'pass' | 'fail', title: string, text: string): Markup => {
    const lines = renderLines(text.trimEnd().split('\n').slice(0, MAX_EXAMPLE_LINES));
    return renderBox(`side v-${shade}`, title, html`<pre><code>${lines}</code></pre>`);
  };
  return html`<details class="reading">
    <summary>How it is judged</summary>
    <p>${inert(reading, MAX_READING_LENGTH)}</p>
    <div class="sides">
      ${passes !== undefined && renderExample('pass', 'Passes', passes)}
      ${fails !== undefined && renderExample('fail', 'Fails', fails)}
    </div>
  </details>`;
}

const MAX_LENGTH = 160;
const ABSENT = '(absent)';

/** All that differs from the control, or, if that was not sent, the edits. Empty for a request without either. */
function renderEdits(view: View, sender: CaseReport | undefined, detail: Evidence['detail']): HtmlPiece {
  const sent = view.exchange(sender?.exchange ?? '');
  if (!sender || !sent) return undefined;
  const control = controlOf(view.report, sender);
  const show = (text: string | undefined, other?: string): Markup =>
    html`<code>${showAround(text || ABSENT, other, { most: MAX_LENGTH })}</code>`;
  const change = (text: Markup): Markup => html`<mark class="edit">${text}</mark>`;
  const rows = control
    ? differencesFrom(control, sent, sender.edits).map(([place, before, after]) => [
        show(place),
        show(before, after),
        change(show(after, before)),
      ])
    : sender.edits.map((edit) => [change(html`<code>${formatEdit(asSent(edit, sent.body))}</code>`)]);
  if (rows.length === 0) return undefined;
  const heads = control ? ['field', 'control', 'this request'] : ['edit'];
  return renderBox(
    'change',
    control ? 'Edit and control request' : 'Edit',
    html`${renderTable({ name: 'Edit', kind: 'edits', heads, rows })} ${control && renderControl(view, control, detail)}`,
  );
}

/** A link where details are brief: most edits of a run share the same control. */
function renderControl(view: View, exchange: ExchangeReport, detail: Evidence['detail']): Markup {
  const last = exchange.attempts.at(-1);
  const outcome = last ? formatAttemptTime(last) : 'not sent';
  if (detail === 'brief') {
    return renderNote(html`Control request ${linkSender(view, exchange.id)}: ${outcome}.`);
  }
  const evidence = renderEvidence(view, { exchange, detail: 'brief' });
  return renderFold(html`Control request ${renderId(exchange.id)}: ${outcome}`, evidence);
}

export function cases(view: View): SectionParts {
  const all = view.report.cases;
  return {
    id: 'cases',
    title: titleOfCases(view.report),
    items: all.length,
    lead: `Every ${traitsOf(view.report).caseWord} of the run. Open one to see its expectations, its request and the answer.`,
    body: foldByArea(all, {
      noun: traitsOf(view.report).caseWord,
      areaOf: ({ suite }) => inert(suite, 60),
      shadeOf: ({ verdict }) => verdict,
      render: (own) => html`<div class="cases">${own.map((testCase) => renderCase(view, testCase))}</div>`,
    }),
  };
}

function renderCase(view: View, testCase: CaseReport): Markup {
  const exchange = testCase.exchange === undefined ? undefined : view.exchange(testCase.exchange);
  const sender = exchange && view.sender(exchange.id);
  const asker = sender?.id === testCase.id ? undefined : sender;
  const last = exchange?.attempts.at(-1);
  const ends = findBothEnds(view.report, testCase);
  const own = ownVerdict(testCase);
  const expectations = testCase.expectations.map((each) => renderExpectation(view, each));
  return html`<details class="case" id="${view.caseAnchor(testCase.id) ?? ''}" ${renderTags(tagCase(testCase))}>
    <summary>
      ${renderSign(own.verdict)} ${renderId(testCase.id)}
      <span class="title">${inert(testCase.title)}</span>
      ${own.remark !== undefined && html`<span class="quiet">(${own.remark})</span>`}
      ${testCase.flaky && html`<span class="tag loud">flaky</span>`}
    </summary>
    ${renderItems('rows', expectations)}
    ${renderFacts([
      ['Defined in', html`<code>${inert(testCase.source.file)}:${testCase.source.line}</code>`],
      ['Request', exchange && formatRequest(view.report, exchange, testCase)],
      ['Answer', last && formatAttemptTime(last)],
      ['Shared with', when(asker, ({ id }) => html`${linkCase(view, id)}, which sent the request`)],
      [
        'Repeat',
        when(testCase.repeat, (command) =>
          renderShellCommand(inert(command, 4_000), `the request of ${inert(testCase.id, 200)}`),
        ),
      ],
    ])}
    ${renderClient(testCase, exchange, 'brief')} ${when(ends, renderLanes)}
    ${when(
      asker ? undefined : exchange,
      (sent) =>
        html`${renderEvidence(view, { exchange: sent, sender: testCase, detail: 'brief' })}
        ${renderEdits(view, testCase, 'brief')}`,
    )}
  </details>`;
}

function renderExpectation(view: View, { clause, verdict, level, reason, answers }: ExpectationReport): Markup {
  const { judged = 0, broken = 0 } = answers ?? {};
  const all = answers && `${broken === 0 ? '' : `broken in ${broken} of `}${count(judged, 'answer')}`;
  const remarks = [all, reason && inert(formatReason(reason), 400)];
  return html`${renderSign(verdict)} ${linkClause(view, clause)}
    <span class="tag">${level}</span>
    ${remarks.map((words) => words !== undefined && html`<span class="quiet">${words}</span> `)}`;
}
