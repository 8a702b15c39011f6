/** Failures and warnings, one entry for each root cause: requirement, expected, actual, evidence, what to do next. */
import type { CaseReport } from '../../report/report.ts';
import { type Entry, type FindingReport, foldFindings } from '../fold.ts';
import { inert } from '../inert.ts';
import { count } from '../layout.ts';
import { requestInWords } from '../request-in-words.ts';
import { changeAgainstControl } from './change.ts';
import { evidence } from './evidence.ts';
import { html, type Markup, NOTHING, when } from './markup.ts';
import { caseLink, clauseLink, command, facts, partInWords, section, tagged, tagsOfClause } from './parts.ts';
import { sign } from './verdict-mark.ts';
import type { View } from './view.ts';

/** So many entries stand open; the rest can be opened. */
const OPEN = 4;
/** Cases that are named without a fold. */
const FEW = 6;
/** As much of a body as evidence keeps. */
const MOST = 16_384;

export function findings(view: View): readonly Markup[] {
  const entries = foldFindings(view.report);
  return [group(view, entries, 'fail', 'failures', 'Failures'), group(view, entries, 'warn', 'warnings', 'Warnings')];
}

const LEAD = {
  fail: 'What the contract states, or what was made a must for this run, and does not hold. One root cause, one entry.',
  warn: 'What the contract implies or plain prudence asks for. It does not decide the verdict unless the run is strict.',
} as const;

function group(view: View, all: readonly Entry[], verdict: 'fail' | 'warn', id: string, title: string): Markup {
  const entries = all.filter((entry) => entry.verdict === verdict);
  if (entries.length === 0) return NOTHING;
  return section({
    id,
    title,
    items: entries.length,
    lead: LEAD[verdict],
    body: entries.map((entry, at) => article(view, entry, `${id}-${at + 1}`, at < OPEN)),
  });
}

function article(view: View, entry: Entry, id: string, isOpen: boolean): Markup {
  const { verdict, expectation, finding } = entry;
  const clause = view.clause(expectation.clause);
  const exchange = finding && view.exchange(finding.exchange);
  const asker = exchange && (entry.case.exchange === exchange.id ? entry.case : view.asker(exchange.id));
  const repeat = entry.case.repeat ?? asker?.repeat;
  return html`<article
    id="${id}"
    class="finding v-${verdict}"
    aria-labelledby="${id}-title"
    ${tagged(tagsOfClause(verdict, expectation.clause, expectation.level))}
  >
    <header>
      <h3 id="${id}-title" tabindex="-1">${sign(verdict)} ${clauseLink(view, expectation.clause)}</h3>
      <p class="tags">
        <span class="tag">${expectation.level}</span>
        <span class="tag">${partInWords(clause?.part, expectation.kind)}</span>
        <span class="tag">${expectation.kind}</span>
        ${when(spreadInWords(entry), (words) => html`<span class="tag loud">${words}</span>`)}
      </p>
    </header>
    ${facts(
      [
        ['Requirement', inert(clause?.summary ?? expectation.clause, 400)],
        ['Expected', finding && expectedInWords(finding)],
        ['Actual', finding && actualInWords(finding)],
        ['Request', exchange && requestInWords(exchange, entry.case, view.root)],
        [
          'Repeat',
          repeat === undefined ? undefined : command(inert(repeat, 4_000), 'the command that repeats the request'),
        ],
        ['Explain', explanation(expectation.clause, clause?.why)],
        ['Cases', caseList(view, entry.cases)],
      ],
      'facts finding-facts',
    )}
    ${when(
      exchange,
      (sent) =>
        html`<details class="evidence" ${isOpen ? html`open` : NOTHING}>
          <summary>Request and answer</summary>
          ${evidence(view, { exchange: sent, asker, finding, most: MOST })}
          ${changeAgainstControl(view, ownEdits(asker, sent.id))}
        </details>`,
    )}
  </article>`;
}

/** A case that shares the exchange of another has edits that this request may not show. */
function ownEdits(asker: CaseReport | undefined, exchange: string): CaseReport | undefined {
  return asker?.exchange === exchange ? asker : undefined;
}

function expectedInWords({ expected, pointer }: FindingReport): Markup {
  const at = pointer === undefined || pointer === '' ? NOTHING : html` at <code>${inert(pointer)}</code>`;
  return html`<span class="said">${inert(expected)}</span>${at}`;
}

/** Types that the value alone would leave in doubt: `401` may stand in quotes or not. */
const TYPES_TO_NAME = ['integer', 'number', 'string', 'boolean', 'array', 'object'];

function actualInWords({ actual, actualType }: FindingReport): Markup {
  if (actual === '') return html`<span class="said">${inert(actualType)}</span>`;
  const type = TYPES_TO_NAME.includes(actualType) && actual !== actualType ? ` (${actualType})` : '';
  return html`<strong class="said">${inert(actual)}</strong>${type}`;
}

function spreadInWords({ answers, places, cases }: Entry): string | undefined {
  const parts = [
    ...(cases.length > 1 ? [count(cases.length, 'case')] : []),
    ...(answers > 1 ? [count(answers, 'answer')] : []),
    ...(answers <= 1 && places > 1 ? [count(places, 'place')] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}

function explanation(clause: string, why: string | undefined): Markup {
  return html`${when(why, (reason) => html`<p>${inert(reason, 400)}</p>`)}${command(`wirecheck explain ${inert(clause)}`, 'the command that explains the clause')}`;
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
