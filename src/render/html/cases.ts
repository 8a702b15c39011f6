/** Every case with its expectations and their verdicts, its request and the answer. */
import type { CaseReport, ExpectationReport } from '../../report/report.ts';
import { traitsOf } from '../../report/subject-traits.ts';
import { inert } from '../../text/inert.ts';
import { count } from '../../text/layout.ts';
import { formatReason } from '../../verdict/reason.ts';
import { findBothEnds, formatRequest } from '../request-text.ts';
import { ownVerdict } from '../looks.ts';
import { titleOfCases } from '../run-text.ts';
import { renderEdits } from './findings.ts';
import { renderClient, renderEvidence } from './evidence.ts';
import { formatAttemptTime } from '../request-text.ts';
import {
  foldByArea,
  linkCase,
  linkClause,
  renderFacts,
  renderId,
  renderShellCommand,
  renderSign,
  renderTags,
  type SectionParts,
} from './parts.ts';
import { renderLanes } from './drawings.ts';
import { html, type Markup, when } from './markup.ts';
import { findArea, type View } from './view.ts';

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
  const last = exchange?.attempts.at(-1);
  const ends = findBothEnds(view.report, testCase);
  const own = ownVerdict(testCase);
  const tags = {
    shade: testCase.verdict,
    areas: testCase.expectations.map(({ clause }) => findArea(clause)),
    levels: testCase.expectations.map(({ level }) => level),
  };
  return html`<details class="case" id="${view.caseAnchor(testCase.id) ?? ''}" ${renderTags(tags)}>
    <summary>
      ${renderSign(own.verdict)} ${renderId(testCase.id)}
      <span class="title">${inert(testCase.title)}</span>
      ${when(own.remark, (remark) => html`<span class="quiet">(${remark})</span>`)}
      ${testCase.flaky ? html`<span class="tag loud">flaky</span>` : ''}
    </summary>
    <ul class="rows">
      ${testCase.expectations.map(
        ({ clause, verdict, level, reason, answers }) =>
          html`<li>
            ${renderSign(verdict)} ${linkClause(view, clause)}
            <span class="tag">${level}</span
            >${when(answers, (counts) => html` <span class="quiet">${formatAnswers(counts)}</span>`)}${when(reason, (why) => html` <span class="quiet">${inert(formatReason(why), 400)}</span>`)}
          </li>`,
      )}
    </ul>
    ${renderFacts([
      ['Defined in', html`<code>${inert(testCase.source.file)}:${testCase.source.line}</code>`],
      ['Request', exchange && formatRequest(exchange, testCase, view.root)],
      ['Answer', last && formatAttemptTime(last)],
      [
        'Shared with',
        sender && sender.id !== testCase.id ? html`${linkCase(view, sender.id)}, which sent the request` : undefined,
      ],
      [
        'Repeat',
        testCase.repeat === undefined
          ? undefined
          : renderShellCommand(inert(testCase.repeat, 4_000), `the request of ${inert(testCase.id, 200)}`),
      ],
    ])}
    ${renderClient(testCase, exchange, 'brief')} ${when(ends, (both) => renderLanes(both))}
    ${when(
      exchange && sender?.id === testCase.id ? exchange : undefined,
      (sent) =>
        html`${renderEvidence(view, { exchange: sent, sender: testCase, detail: 'brief' })}${renderEdits(view, testCase, 'brief')}`,
    )}
  </details>`;
}

/** How many answers the verdict rests on. */
function formatAnswers({ judged, broken }: NonNullable<ExpectationReport['answers']>): string {
  const all = count(judged, 'answer');
  return broken === 0 ? all : `broken in ${broken} of ${all}`;
}
