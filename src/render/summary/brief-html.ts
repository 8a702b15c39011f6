/** The summary as one self-contained page without a script, made to be printed or sent. */
import type { Report } from '../../report/report.ts';
import { inert } from '../../text/inert.ts';
import { count } from '../../text/layout.ts';
import { renderDocument } from '../html/document.ts';
import { html, type Markup, NOTHING, when } from '../html/markup.ts';
import { renderVerdict } from '../html/overview.ts';
import { keepFlags, renderFacts, renderId, renderSection } from '../html/parts.ts';
import { renderSign } from '../html/verdict-mark.ts';
import { makeView } from '../html/view.ts';
import { OUTCOME_LOOKS } from '../looks.ts';
import type { Quotation } from '../part-text.ts';
import { formatTarget } from '../run-text.ts';
import { verdictLine } from '../verdict-line.ts';
import { type Brief, type BrokenSentence, makeBrief } from './brief.ts';

export function briefHtml(report: Report, page?: string): string {
  const brief = makeBrief(report, page);
  const [outcome = ''] = verdictLine(report).split(':');
  return renderDocument({
    title: `${outcome}: ${inert(report.title ?? formatTarget(report))}`,
    subtitle: 'summary',
    version: report.tool.version,
    shade: OUTCOME_LOOKS[report.outcome.name].shade,
    styles: ['tables', 'narrow', 'print', 'summary'],
    scripts: [],
    layout: 'summary-page',
    sections: [],
    main: html`${renderVerdict(makeView(report))}
      <p class="meaning">${brief.meaning}</p>
      ${when(brief.explored, (words) => html`<p>${words}</p>`)} ${renderBrokenSentences(brief)}
      ${renderNotJudged(brief)}
      ${renderSection({
        id: 'guide',
        title: 'How to read the rest',
        body: html`<ul class="plain">
          ${brief.guide.map(({ words, command }) => html`<li>${words}${when(command, (text) => html` <code>${text}</code>.`)}</li>`)}
        </ul>`,
      })}`,
    footer: html`<p>Made by wirecheck ${inert(report.tool.version, 40)}.</p>`,
  });
}

function renderBrokenSentences({ broken, more }: Brief): Markup {
  if (broken.length === 0) return NOTHING;
  return renderSection({
    id: 'broken-sentences',
    title: 'Broken',
    body: html`${broken.map(renderSentence)} ${when(more, (words) => html`<p class="note">${words}.</p>`)}`,
  });
}

function renderSentence(each: BrokenSentence): Markup {
  const { clause, verdict, sentence, source, contract, expected, actual, forms, where } = each;
  const { also, hurts, affected, excuse } = each;
  return html`<article class="sentence v-${verdict}">
    <h3>${renderSign(verdict)} ${sentence}</h3>
    <p class="quiet">${renderId(clause)}, ${source}</p>
    ${renderFacts([
      ['Contract', contract.length === 0 ? undefined : html`${contract.map(renderQuotation)}`],
      ['Expected', expected],
      ['Got', actual === undefined ? undefined : html`<strong class="said">${actual}</strong>`],
      ['Also got', forms],
      ['Seen in', where],
      ['Also', also],
      ['Who is hurt', hurts],
      ['Affected', affected],
      ['Status', excuse],
    ])}
  </article>`;
}

function renderQuotation({ where, words }: Quotation): Markup {
  return html`<p>${where}${when(words, (text) => html`: "${renderMarked(text)}"`)}</p>`;
}

/** Code is between back-ticks. */
function renderMarked(text: string): readonly Markup[] {
  return text.split(/`([^`]*)`/).map((piece, at) => (at % 2 === 0 ? html`${piece}` : html`<code>${piece}</code>`));
}

function renderNotJudged({ judged, notJudged }: Brief): Markup {
  if (notJudged.length === 0) return NOTHING;
  return renderSection({
    id: 'not-judged',
    title: 'Not judged',
    lead: judged,
    body: html`<ul class="plain">
      ${notJudged.map(({ words, clauses }) => html`<li><strong>${count(clauses, 'clause')}</strong>: ${keepFlags(words)}</li>`)}
    </ul>`,
  });
}
