/** Every case with its expectations and their verdicts, its request and the answer. */
import type { CaseReport } from '../../report/report.ts';
import { inert } from '../../text/inert.ts';
import { requestInWords } from '../request-in-words.ts';
import { changeAgainstControl } from './change.ts';
import { formatAttempt, evidence } from './evidence.ts';
import { html, type Markup, when } from './markup.ts';
import { caseLink, clauseLink, command, facts, idText, section, tagged } from './parts.ts';
import { sign } from './verdict-mark.ts';
import { areaOf, type View } from './view.ts';

export function cases(view: View): Markup {
  const all = view.report.cases;
  return section({
    id: 'cases',
    title: 'Cases',
    items: all.length,
    lead: 'Every case of the run. Open one to see its expectations, its request and the answer.',
    body: html`<div class="cases">${all.map((one) => caseFold(view, one))}</div>`,
  });
}

function caseFold(view: View, one: CaseReport): Markup {
  const exchange = one.exchange === undefined ? undefined : view.exchange(one.exchange);
  const asker = exchange && view.asker(exchange.id);
  const last = exchange?.attempts.at(-1);
  const tags = {
    shade: one.verdict,
    areas: one.expectations.map(({ clause }) => areaOf(clause)),
    levels: one.expectations.map(({ level }) => level),
  };
  return html`<details class="case" id="${view.caseAnchor(one.id) ?? ''}" ${tagged(tags)}>
    <summary>
      ${sign(one.verdict)} ${idText(one.id)}
      <span class="title">${inert(one.title)}</span>
      ${one.flaky ? html`<span class="tag loud">flaky</span>` : ''}
    </summary>
    <ul class="rows">
      ${one.expectations.map(
        ({ clause, verdict, level, reason }) =>
          html`<li>
            ${sign(verdict)} ${clauseLink(view, clause)}
            <span class="tag">${level}</span
            >${when(reason, (why) => html` <span class="quiet">${inert(why, 300)}</span>`)}
          </li>`,
      )}
    </ul>
    ${facts([
      ['Defined in', html`<code>${inert(one.source.file)}:${one.source.line}</code>`],
      ['Request', exchange && requestInWords(exchange, one, view.root)],
      ['Answer', last && formatAttempt(last)],
      [
        'Shared with',
        asker && asker.id !== one.id ? html`${caseLink(view, asker.id)}, which sent the request` : undefined,
      ],
      [
        'Repeat',
        one.repeat === undefined
          ? undefined
          : command(inert(one.repeat, 4_000), `the request of ${inert(one.id, 200)}`),
      ],
    ])}
    ${when(
      exchange && asker?.id === one.id ? exchange : undefined,
      (sent) =>
        html`${evidence(view, { exchange: sent, asker: one, detail: 'brief' })}${changeAgainstControl(view, one, 'brief')}`,
    )}
  </details>`;
}
