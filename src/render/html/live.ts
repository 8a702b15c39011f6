/** What the page of a watch has beside a report: its rounds, what each changed, and a button that asks a case again. */
import { count, inert } from '../../text/layout.ts';
import { renderEvidence } from './evidence.ts';
import { html, type Markup } from './markup.ts';
import { renderFold, renderItems, renderNote } from './parts.ts';
import type { Live, PageEntry, View } from './view.ts';

export function renderRounds({ rounds, completions }: Live): Markup {
  const lines = rounds.map(({ line }) => inert(line, 400)).toReversed();
  return html`<section id="live" class="live" data-round="${rounds.length}" aria-label="Rounds">
    <p role="status" id="now"></p>
    ${renderItems('plain', lines)}
    ${completions !== undefined && renderNote(`${count(completions, 'completion')} left for all rounds together.`)}
  </section>`;
}

/** Beside the evidence of an entry. */
export function renderLiveParts({ live }: View, { expectation, finding, anchor, case: testCase }: PageEntry): Markup {
  const { rounds = [], before } = live ?? {};
  const isFresh = rounds.at(-1)?.fresh.includes(expectation.clause);
  const old = before?.entries.find((entry) => entry.anchor === anchor);
  const exchange = old?.finding && before?.exchange(old.finding.exchange);
  return html`<p class="asking">
      <button type="button" data-again="${inert(testCase.id, 300)}">Ask again</button>
      ${isFresh && html`<span class="tag loud">broke in this round</span>`}
    </p>
    ${
      before &&
      exchange &&
      finding &&
      renderFold(
        'The round before',
        renderEvidence(before, { exchange, sender: old.case, finding: old.finding, detail: 'brief' }),
        { kind: 'before' },
      )
    }`;
}
