/** The filters. They need the script, which also shows them. */
import { html, type Markup } from './markup.ts';
import { SIGN, WORD } from './verdict-mark.ts';
import { findArea, type Shade, SHADES, type View } from './view.ts';

const LEVELS = { must: 'must', should: 'should', observe: 'observe', none: 'not judged' } as const;

export function renderFilters({ report }: View): Markup {
  const areas = [...new Set(report.clauses.map(({ id }) => findArea(id)))];
  const seen = new Set<Shade>(report.clauses.map(({ verdict }) => verdict ?? 'none'));
  for (const { expectations } of report.cases) for (const { verdict } of expectations) seen.add(verdict);
  return html`<form id="filters" class="filters" role="search" aria-label="Filter the report" hidden>
    <fieldset>
      <legend class="unseen">Verdict</legend>
      ${SHADES.filter((shade) => seen.has(shade)).map(
        (shade) =>
          html`<label class="pick v-${shade}">
            <input type="checkbox" name="verdict" value="${shade}" /><span class="sign" aria-hidden="true"
              >${SIGN[shade]}</span
            >${WORD[shade]}
          </label>`,
      )}
    </fieldset>
    <div class="picks">
      <label>
        <span>Area</span>
        <select name="area">
          <option value="">all</option>
          ${areas.map((area) => html`<option value="${area}">${area}</option>`)}
        </select>
      </label>
      <label>
        <span>Level</span>
        <select name="level">
          <option value="">all</option>
          ${Object.entries(LEVELS).map(([level, words]) => html`<option value="${level}">${words}</option>`)}
        </select>
      </label>
      <label class="text">
        <span>Text</span>
        <input
          type="search"
          name="text"
          placeholder="clause, case, header, value …"
          aria-keyshortcuts="/"
          title="Press / to search"
          autocomplete="off"
          spellcheck="false"
        />
      </label>
      <button type="reset">Show all</button>
    </div>
    <p id="matches" role="status"></p>
  </form>`;
}
