/** Failures and warnings, one entry per cause: requirement, expected, actual, how to repeat it, evidence. */
import type { ExchangeReport } from '../../report/exchange-report.ts';
import type { Report } from '../../report/report.ts';
import { traitsOf } from '../../report/subject-traits.ts';
import { formatExcuse } from '../excused.ts';
import { formatFinding } from '../finding-text.ts';
import { countOf, formatFurther } from '../seen-text.ts';
import type { Entry } from '../fold.ts';
import { countFindings } from '../seen-text.ts';
import { formatPart } from '../profile-text.ts';
import { titleOfCases } from '../run-text.ts';
import { inert } from '../../text/inert.ts';
import { count } from '../../text/layout.ts';
import { renderEdits } from './change.ts';
import { renderClient } from './client-evidence.ts';
import { findBothEnds } from '../request-text.ts';
import { renderBothEnds } from './both-ends-evidence.ts';
import { renderDifference } from './difference.ts';
import { type Group, ENTRY_GROUPS, type PageEntry } from './entries.ts';
import { renderEvidence } from './evidence.ts';
import { html, type Markup, NOTHING, when } from './markup.ts';
import {
  listCases,
  linkClause,
  renderShellCommand,
  renderFacts,
  renderFold,
  renderLink,
  renderSection,
  renderTags,
  tagClause,
} from './parts.ts';
import { renderSign } from './verdict-mark.ts';
import type { View } from './view.ts';
import { renderWhy } from './why.ts';

/** Entries whose evidence is unfolded, the first of the page. */
const OPEN = 4;
/** More cases than this are folded. */
const FEW = 6;

const GROUPS: Readonly<Record<Group, { readonly title: string; readonly lead: string }>> = {
  failures: { title: 'Failures', lead: 'One entry per cause.' },
  warnings: { title: 'Warnings', lead: 'Broken should clauses do not fail the run unless it is strict.' },
  known: {
    title: 'In the baseline',
    lead: 'Also broken in the baseline. Only findings that are not in the baseline count.',
  },
  waived: { title: 'Waived', lead: 'Broken, and accepted for now by a waiver.' },
};

/** A section for each group. */
export function listFindings(view: View) {
  return ENTRY_GROUPS.map((id) => {
    const entries = view.entries.filter(({ group }) => group === id);
    return { id, title: GROUPS[id].title, count: entries.length, markup: renderGroup(view, id, entries) };
  });
}

function renderGroup(view: View, id: Group, entries: readonly PageEntry[]): Markup {
  if (entries.length === 0) return NOTHING;
  const { title, lead } = GROUPS[id];
  return renderSection({
    id,
    title,
    items: entries.length,
    lead: `${countFindings(entries, traitsOf(view.report).caseWord)}. ${lead}`,
    // What does not count is read on demand.
    body: entries.map((entry) => renderArticle(view, entry, !entry.excused && view.entries.indexOf(entry) < OPEN)),
  });
}

function renderArticle(view: View, entry: PageEntry, isOpen: boolean): Markup {
  const { verdict, expectation, finding, anchor: id } = entry;
  const words = formatFinding(view.report, entry);
  const { requirement, scenario, expected, actual, also, seen, shared, affected, request, repeat, explain } = words;
  const clause = view.clause(expectation.clause);
  const exchange = finding && view.exchange(finding.exchange);
  const tags = tagClause(verdict, expectation.clause, expectation.level);
  return html`<article
    id="${id}"
    class="finding v-${verdict}"
    tabindex="-1"
    aria-labelledby="${id}-title"
    ${renderTags(tags)}
  >
    <header>
      <h3 id="${id}-title">${renderSign(verdict)} ${linkClause(view, expectation.clause)}</h3>
      <p class="tags">
        <span class="tag">${expectation.level}</span>
        <span class="tag">${formatPart(view.report, clause, expectation.kind)}</span>
        ${when(formatSpread(view.report, entry), (words) => html`<span class="tag loud">${words}</span>`)}
      </p>
      ${renderLink(id)}
    </header>
    ${renderFacts(
      [
        ['Requirement', requirement],
        ['Scenario', scenario],
        ['Expected', expected],
        ['Actual', actual === undefined ? undefined : html`<strong class="said">${actual}</strong>`],
        ['Also', also],
        ['Seen in', seen],
        ['Only with', shared],
        ['Answer', words.answer],
        ['Who is hurt', words.hurts],
        ['Affected', affected],
        [entry.excused === 'waived' ? 'Waiver' : 'Baseline', formatExcuse(view.report, entry)],
        ['Before it', words.before],
        ['Request', request],
        ['Difference', words.difference],
        [
          'Repeat',
          repeat === undefined
            ? words.unrepeated
            : renderShellCommand(repeat, `the command that repeats the ${traitsOf(view.report).repeats}`),
        ],
        ['Needs', words.needs],
        ['Note', words.tries],
        ['Level', clause?.why === undefined ? undefined : `${expectation.level}. ${inert(clause.why, 400)}`],
        [
          'Explain',
          html`<div class="explain">${renderShellCommand(explain, 'the command that explains the clause')}</div>`,
        ],
        [titleOfCases(view.report), listCases(view, entry.cases, FEW)],
      ],
      'facts finding-facts',
    )}
    ${renderDifference(view.report, finding, exchange)} ${when(clause?.explanation, renderWhy)}
    ${renderClient(entry.case, exchange, 'full')} ${when(exchange, (sent) => foldEvidence(view, entry, sent, isOpen))}
  </article>`;
}

function foldEvidence(view: View, entry: Entry, exchange: ExchangeReport, isOpen: boolean): Markup {
  const ends = findBothEnds(view.report, entry.case, exchange.id);
  const sender = entry.case.exchange === exchange.id ? entry.case : view.sender(exchange.id);
  const evidence = ends
    ? renderBothEnds(view, ends, entry.finding)
    : html`${renderEvidence(view, { exchange, sender, finding: entry.finding, detail: 'full' })}
      ${renderEdits(view, sender, 'full')}`;
  return renderFold(ends ? 'Both ends' : 'Request and answer', evidence, { kind: 'evidence', isOpen });
}

function formatSpread(report: Report, entry: Entry): string | undefined {
  const { answers, seen, unit, places, cases, intermittent, share } = entry;
  const { caseWord } = traitsOf(report);
  const several = cases.length > 1 ? [count(cases.length, caseWord)] : [];
  if (intermittent || share) return [...several, formatFurther(entry)].join(', ');
  const parts = [
    ...several,
    ...(seen > 1 && unit !== caseWord ? [countOf(seen, unit)] : []),
    ...(answers <= 1 && places > 1 ? [count(places, 'place')] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}
