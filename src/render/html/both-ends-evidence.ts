/** Both ends of a finding: the time line, then request and answer at each end. */
import type { BothEnds } from '../request-text.ts';
import type { FindingReport } from '../../report/report.ts';
import { renderEvidence } from './evidence.ts';
import { renderLanes } from './lanes.ts';
import { html, type Markup } from './markup.ts';
import type { View } from './view.ts';

/** Upstream calls whose request and answer are shown. */
const MAX_CALLS = 2;

export function renderBothEnds(view: View, ends: BothEnds, finding: FindingReport | undefined): Markup {
  const { front, upstream } = ends;
  const shown = [
    { title: 'At the client', exchange: front },
    ...upstream.slice(0, MAX_CALLS).map((exchange, at) => ({
      title: upstream.length === 1 ? 'At the upstream' : `At the upstream, call ${at + 1} of ${upstream.length}`,
      exchange,
    })),
  ];
  return html`${renderLanes(ends)}
  ${shown.map(
    ({ title, exchange }) =>
      html`<h4>${title}</h4>
        ${renderEvidence(view, {
          exchange,
          detail: 'full',
          ...(finding?.exchange === exchange.id && { finding }),
        })}`,
  )}`;
}
