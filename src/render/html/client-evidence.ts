/** What a client said in a scenario, and the bytes that it was sent. */
import { formatDuration } from '../../text/duration.ts';
import type { CaseReport } from '../../report/report.ts';
import type { ExchangeReport } from '../../report/exchange-report.ts';
import { inert } from '../../text/inert.ts';
import { count } from '../../text/layout.ts';
import { clientFacts, showBytes } from '../client-text.ts';
import { html, join, LINE_END, type Markup, NOTHING, when } from './markup.ts';
import { renderFacts, renderFold } from './parts.ts';

/** Characters of an answer. */
const MAX_BYTES: Record<'full' | 'brief', number> = { full: 12_000, brief: 1_200 };

export function renderClient(
  testCase: CaseReport,
  exchange: ExchangeReport | undefined,
  detail: 'full' | 'brief',
): Markup {
  const { client } = testCase;
  if (!client) return NOTHING;
  const facts = clientFacts(testCase).map(([label, value]) => [label, renderOutput(value)] as const);
  const calls = `${count(client.exchanges.length, 'call')} in ${formatDuration(client.time)}`;
  return html`<div class="client-said">
    ${renderFacts([...facts, ['Calls', client.exchanges.length === 0 ? undefined : calls]])}
    ${when(exchange, (sent) => renderBytes(sent, MAX_BYTES[detail], detail === 'full'))}
  </div>`;
}

/** Lines of an output that are shown at once. */
const LAST_LINES = 8;

/** The last lines say most, as in a stack trace. */
function renderOutput(text: string): Markup {
  if (!text.includes('\n')) return html`<code>${inert(text, 2_000)}</code>`;
  const lines = text.split('\n');
  const earlier = lines.slice(0, -LAST_LINES);
  const folded = html`<pre tabindex="0">${renderLines(earlier)}</pre>`;
  return html`${earlier.length === 0 ? NOTHING : renderFold(count(earlier.length, 'earlier line'), folded, { kind: 'earlier-lines' })}
    <pre tabindex="0">${renderLines(lines.slice(-LAST_LINES))}</pre>`;
}

/** The last answer, byte for byte but for its framing. */
function renderBytes({ attempts }: ExchangeReport, most: number, isOpen: boolean): Markup {
  const { answer, failure } = attempts.at(-1) ?? {};
  if (!answer) return html`<p class="note">No answer was sent: ${inert(failure?.detail ?? '', 200)}.</p>`;
  const { body, status, head } = answer;
  const shown = showBytes(body.text.slice(0, most)).split('\n');
  const rest = body.bytes - body.shown + Math.max(0, body.text.length - most);
  return html`<details class="sent" ${isOpen ? html`open` : NOTHING}>
    <summary>Sent: status ${status}, ${count(body.bytes, 'byte')}</summary>
    ${when(head, renderHead)}
    <pre tabindex="0">${join(shown, LINE_END)}</pre>
    ${rest > 0 ? html`<p class="note">${count(rest, 'more byte')}.</p>` : NOTHING}
  </details>`;
}

function renderHead(head: string): Markup {
  return html`<pre class="head" tabindex="0">${renderLines(head.trimEnd().split('\r\n'))}</pre>`;
}

function renderLines(lines: readonly string[]): Markup {
  return join(
    lines.map((line) => inert(line, 400)),
    LINE_END,
  );
}
