/** Each broken clause in one line on the first screen, for a reader who has one minute. */
import { groupBy } from '../../report/counts.ts';
import { traitsOf } from '../../report/subject-traits.ts';
import { requirementOf } from '../finding-text.ts';
import { count } from '../../text/layout.ts';
import type { Group, PageEntry } from './entries.ts';
import { html, type Markup, NOTHING, when } from './markup.ts';
import { renderFold, renderId } from './parts.ts';
import { renderSign } from './verdict-mark.ts';
import type { View } from './view.ts';

/** More lines than this would push the map of all clauses off the screen. */
const MAX_LINES = 12;

/** Of clauses that do not count. */
const REMARKS: Partial<Record<Group, string>> = { known: 'in the baseline', waived: 'waived' };

export function renderBroken(view: View): Markup {
  const byClause = [...groupBy(view.entries, ({ expectation }) => expectation.clause).values()];
  const lines = byClause.map((entries) => renderLine(view, entries));
  if (lines.length === 0) return NOTHING;
  const rest = lines.slice(MAX_LINES);
  return html`<section id="broken" aria-labelledby="broken-title">
    <h2 id="broken-title" tabindex="-1">
      ${count(lines.length, 'broken clause')}<span class="quiet">: ${formatLevels(byClause)}</span>
    </h2>
    <ul class="lines">
      ${lines.slice(0, MAX_LINES)}
    </ul>
    ${
      rest.length === 0
        ? NOTHING
        : renderFold(
            count(rest.length, 'more broken clause'),
            html`<ul class="lines">
              ${rest}
            </ul>`,
          )
    }
  </section>`;
}

/** `2 must, 3 should`: the verdict counts must clauses only. */
function formatLevels(byClause: readonly (readonly PageEntry[])[]): string {
  const levels = groupBy(byClause, ([first]) => first?.expectation.level ?? '');
  return ['must', 'should']
    .map((level) => [levels.get(level)?.length ?? 0, level] as const)
    .filter(([number]) => number > 0)
    .map((words) => words.join(' '))
    .join(', ');
}

/** `entries`: the causes of one clause, those that count first. */
function renderLine({ report }: View, entries: readonly PageEntry[]): Markup {
  const [first] = entries;
  if (!first) return NOTHING;
  const { expectation, verdict, anchor, group } = first;
  const cases = new Set(entries.flatMap((entry) => entry.cases)).size;
  return html`<li>
    ${renderSign(verdict)} <a href="#${anchor}">${renderId(expectation.clause)}</a>
    <span class="required">${requirementOf(report, expectation)}</span>
    <span class="quiet">${count(cases, traitsOf(report).caseWord)}</span>
    ${when(REMARKS[group], (words) => html`<span class="tag">${words}</span>`)}
  </li>`;
}
