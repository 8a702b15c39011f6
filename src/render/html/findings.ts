/** Failures and warnings, one entry per cause: requirement, expected, actual, how to repeat it, evidence. */
import type { ExchangeReport } from '../../report/report.ts';
import { excuseInWords } from '../excused.ts';
import { findingInWords } from '../finding-in-words.ts';
import { type Entry, foldFindings } from '../fold.ts';
import { findingsInWords } from '../headings.ts';
import { inert } from '../../text/inert.ts';
import { count } from '../../text/layout.ts';
import { changeAgainstControl } from './change.ts';
import { evidence } from './evidence.ts';
import { html, type Markup, NOTHING, when } from './markup.ts';
import { caseLink, clauseLink, command, facts, formatPart, section, tagged, tagsOfClause } from './parts.ts';
import { sign } from './verdict-mark.ts';
import type { View } from './view.ts';

/** Entries whose evidence is unfolded. */
const OPEN = 4;
/** More cases than this are folded. */
const FEW = 6;

/** Findings that count come before those that do not. */
export const GROUPS = ['failures', 'warnings', 'standing', 'waived'] as const;
type Group = (typeof GROUPS)[number];

export const GROUP_TITLE: Record<Group, string> = {
  failures: 'Failures',
  warnings: 'Warnings',
  standing: 'Known from the baseline',
  waived: 'Waived',
};

const LEAD: Record<Group, string> = {
  failures: 'One entry per cause.',
  warnings: 'Broken should clauses do not fail the run unless it is strict.',
  standing: 'Also broken in the baseline. Only findings that are not in the baseline count.',
  waived: 'Broken, and accepted for now by a waiver.',
};

export function findings(view: View): Readonly<Record<Group, Markup>> {
  const entries = foldFindings(view.report);
  const group = (name: Group) =>
    groupSection(
      view,
      name,
      entries.filter((entry) => groupOf(entry) === name),
    );
  return {
    failures: group('failures'),
    warnings: group('warnings'),
    standing: group('standing'),
    waived: group('waived'),
  };
}

function groupOf({ excused, verdict }: Entry): Group {
  return excused ?? (verdict === 'fail' ? 'failures' : 'warnings');
}

function groupSection(view: View, id: Group, entries: readonly Entry[]): Markup {
  if (entries.length === 0) return NOTHING;
  return section({
    id,
    title: GROUP_TITLE[id],
    items: entries.length,
    lead: `${findingsInWords(view.report, entries)}. ${LEAD[id]}`,
    body: entries.map((entry, at) => article(view, entry, `${id}-${at + 1}`, at < OPEN)),
  });
}

function article(view: View, entry: Entry, id: string, isOpen: boolean): Markup {
  const { verdict, expectation, finding } = entry;
  const { requirement, expected, actual, request, repeat, explain } = findingInWords(view.report, entry);
  const clause = view.clause(expectation.clause);
  const exchange = finding && view.exchange(finding.exchange);
  const tags = tagsOfClause(verdict, expectation.clause, expectation.level);
  return html`<article id="${id}" class="finding v-${verdict}" aria-labelledby="${id}-title" ${tagged(tags)}>
    <header>
      <h3 id="${id}-title" tabindex="-1">${sign(verdict)} ${clauseLink(view, expectation.clause)}</h3>
      <p class="tags">
        <span class="tag">${expectation.level}</span>
        <span class="tag">${formatPart(clause?.part, expectation.kind)}</span>
        ${when(formatSpread(entry), (words) => html`<span class="tag loud">${words}</span>`)}
      </p>
    </header>
    ${facts(
      [
        ['Requirement', html`<q>${requirement}</q>`],
        ['Expected', expected],
        ['Actual', actual === undefined ? undefined : html`<strong class="said">${actual}</strong>`],
        [entry.excused === 'waived' ? 'Waiver' : 'Baseline', excuseInWords(view.report, entry)],
        ['Request', request],
        ['Repeat', repeat === undefined ? undefined : command(repeat, 'the command that repeats the request')],
        ['Explain', explanation(explain, clause?.why)],
        ['Cases', caseList(view, entry.cases)],
      ],
      'facts finding-facts',
    )}
    ${when(exchange, (sent) => evidenceFold(view, entry, sent, isOpen))}
  </article>`;
}

function evidenceFold(view: View, entry: Entry, exchange: ExchangeReport, isOpen: boolean): Markup {
  const asker = entry.case.exchange === exchange.id ? entry.case : view.asker(exchange.id);
  return html`<details class="evidence" ${isOpen ? html`open` : NOTHING}>
    <summary>Request and answer</summary>
    ${evidence(view, { exchange, asker, finding: entry.finding, detail: 'full' })}
    ${changeAgainstControl(view, asker, 'full')}
  </details>`;
}

function formatSpread({ answers, places, cases }: Entry): string | undefined {
  const parts = [
    ...(cases.length > 1 ? [count(cases.length, 'case')] : []),
    ...(answers > 1 ? [count(answers, 'answer')] : []),
    ...(answers <= 1 && places > 1 ? [count(places, 'place')] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}

function explanation(explain: string, why: string | undefined): Markup {
  return html`${when(why, (reason) => html`<p>${inert(reason, 400)}</p>`)}${command(explain, 'the command that explains the clause')}`;
}

function caseList(view: View, cases: readonly string[]): Markup {
  const list = html`<ul class="ids">
    ${cases.map((id) => html`<li>${caseLink(view, id)}</li>`)}
  </ul>`;
  if (cases.length <= FEW) return list;
  return html`<details>
    <summary>${count(cases.length, 'case')}</summary>
    ${list}
  </details>`;
}
