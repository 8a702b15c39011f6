/**
 * The requests of the run over time, one row each, in the order in which they were sent. Positions are percentages, so
 * that the drawing fills the width. The words beside it say the same.
 */
import type { AttemptReport, ExchangeReport } from '../../report/exchange-report.ts';
import { formatDuration } from '../../text/duration.ts';
import { count, groupDigits } from '../../text/layout.ts';
import { formatAttempt } from './evidence.ts';
import { html, type Markup, NOTHING } from './markup.ts';
import { linkCase, renderId, renderSection } from './parts.ts';
import { chooseAnchor, chooseTicks } from './timeline.ts';
import { renderSign } from './verdict-mark.ts';
import { type Shade, ownVerdict } from '../looks.ts';
import type { View } from './view.ts';

/** A run with more requests is shown up to here. */
const MAX_ROWS = 300;
/** Per cent of the width. */
const MIN_WIDTH = 0.4;

type Scale = (milliseconds: number) => number;

/** Calls at the upstream of a relay are in the lanes of their case. */
function listSent({ report }: View): readonly ExchangeReport[] {
  return report.exchanges
    .filter(({ side, attempts }) => side !== 'upstream' && attempts.length > 0)
    .toSorted((a, b) => startOfExchange(a) - startOfExchange(b));
}

/** As the cost of the run counts them, like every other format. Under load, the report keeps a few only. */
export function countRequests(view: View): number {
  const { load, cost } = view.report;
  const drawn = countAttempts(listSent(view));
  return load ? drawn : Math.max(drawn, cost.used.requests);
}

function countAttempts(sent: readonly ExchangeReport[]): number {
  return sent.reduce((sum, { attempts }) => sum + attempts.length, 0);
}

export function renderWaterfall(view: View): Markup {
  const sent = listSent(view);
  const [first] = sent;
  if (!first) return NOTHING;
  const shown = sent.slice(0, MAX_ROWS);
  const began = startOfExchange(first);
  const length = Math.max(1, ...shown.flatMap(({ attempts }) => attempts.map(endOf))) - began;
  const scale: Scale = (milliseconds) => Math.min(100, Math.max(0, ((milliseconds - began) / length) * 100));
  return renderSection({
    id: 'requests',
    title: 'Requests',
    lead: `${view.report.load ? 'The requests that the report keeps as evidence, over time.' : 'Every request over time.'} Bars that overlap were in flight at the same time; hollow bars are attempts that were repeated.${formatBeside(view, sent)}`,
    body: html`<details class="card">
      <summary>${count(countRequests(view), 'request')} in ${formatDuration(length)}</summary>
      ${renderAxis(length)}
      <ol class="waterfall">
        ${shown.map((exchange) => renderRow(view, exchange, began, scale))}
      </ol>
      ${
        sent.length > shown.length
          ? html`<p class="note">
              Showing the first ${groupDigits(countAttempts(shown))} of ${groupDigits(countRequests(view))} requests;
              report.json has more.
            </p>`
          : NOTHING
      }
    </details>`,
  });
}

/** Requests that are no evidence, such as those that look for an address that answers. */
function formatBeside(view: View, sent: readonly ExchangeReport[]): string {
  const beside = countRequests(view) - countAttempts(sent);
  return beside === 0 ? '' : ` Not drawn: ${count(beside, 'request')} that only looked for what answers.`;
}

function startOfExchange({ attempts }: ExchangeReport): number {
  return attempts[0]?.sentAt ?? 0;
}

/** Without an answer it is not known when the attempt ended. */
function endOf({ sentAt, answer }: AttemptReport): number {
  return sentAt + (answer?.endAt ?? 0);
}

function renderAxis(length: number): Markup {
  return html`<svg class="axis-row" width="100%" height="16" aria-hidden="true">
    ${chooseTicks(length).map(
      (at) =>
        html`<text x="${((at / length) * 100).toFixed(1)}%" y="12" text-anchor="${chooseAnchor(at / length)}">
          ${formatDuration(at)}
        </text>`,
    )}
  </svg>`;
}

function renderRow(view: View, exchange: ExchangeReport, began: number, scale: Scale): Markup {
  const sender = view.sender(exchange.id);
  const shade: Shade = sender ? ownVerdict(sender).verdict : 'none';
  const { attempts } = exchange;
  const bars = attempts.map((attempt, at) => {
    const [from, to] = [scale(attempt.sentAt), scale(endOf(attempt))];
    const width = Math.max(MIN_WIDTH, to - from);
    const kind = at < attempts.length - 1 ? 'earlier' : `f-${shade}`;
    return html`<rect
      class="${kind}"
      x="${Math.min(from, 100 - width).toFixed(2)}%"
      width="${width.toFixed(2)}%"
      y="1"
      height="10"
    />`;
  });
  const retried =
    attempts.length > 1 ? html`<span class="tag loud">${count(attempts.length, 'attempt')}</span> ` : NOTHING;
  return html`<li>
    <span class="sent-by">${renderSign(shade)} ${sender ? linkCase(view, sender.id) : renderId(exchange.id)}</span>
    <svg width="100%" height="12" aria-hidden="true">${bars}</svg>
    <span class="quiet"
      >${retried}at ${formatDuration(startOfExchange(exchange) - began)}:
      ${attempts.map(formatAttempt).join('; ')}</span
    >
  </li>`;
}
