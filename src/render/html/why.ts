/** How a clause is judged, with an example that keeps it and one that breaks it: what `wirecheck explain` says. */
import type { ClauseReport } from '../../report/report.ts';
import { inert } from '../../text/inert.ts';
import { html, join, LINE_END, type Markup, when } from './markup.ts';

const MAX_READING_LENGTH = 1_500;
const MAX_LINES = 30;
const MAX_LINE_LENGTH = 400;

export function renderWhy({ reading, passes, fails }: NonNullable<ClauseReport['explanation']>): Markup {
  return html`<details class="reading">
    <summary>How it is judged</summary>
    <p>${inert(reading, MAX_READING_LENGTH)}</p>
    <div class="sides">
      ${when(passes, (text) => renderExample('pass', 'Passes', text))}
      ${when(fails, (text) => renderExample('fail', 'Fails', text))}
    </div>
  </details>`;
}

function renderExample(shade: 'pass' | 'fail', title: string, text: string): Markup {
  const lines = text.trimEnd().split('\n').slice(0, MAX_LINES);
  return html`<div class="side v-${shade}">
    <p class="label">${title}</p>
    <pre><code>${join(
      lines.map((line) => inert(line, MAX_LINE_LENGTH)),
      LINE_END,
    )}</code></pre>
  </div>`;
}
