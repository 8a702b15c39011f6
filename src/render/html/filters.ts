/** The filters of a page. They need the script, which also shows them. */
import { html, type Markup } from './markup.ts';
import { LOOKS, type Shade, SHADES, wordOfClause } from '../looks.ts';
import { findArea, type View } from './view.ts';

interface Filters {
  /** For screen readers. */
  readonly name: string;
  /** The legend of the check boxes. */
  readonly picksName: string;
  readonly picks: readonly {
    readonly value: string;
    readonly shade: Shade;
    readonly sign: string;
    readonly word: string;
  }[];
  readonly areas: readonly string[];
  readonly levelsName: string;
  readonly levels: Readonly<Record<string, string>>;
  /** Examples of what can be searched for. */
  readonly example: string;
}

const LEVELS = { must: 'must', should: 'should', observe: 'observe', none: 'not judged' } as const;

export function filtersFor({ report, shadeOf }: View): Filters {
  const seen = new Set<Shade>(report.clauses.map(shadeOf));
  for (const { expectations } of report.cases) for (const { verdict } of expectations) seen.add(verdict);
  return {
    name: 'Filter the report',
    picksName: 'Verdict',
    picks: SHADES.filter((shade) => seen.has(shade)).map((shade) => ({
      value: shade,
      shade,
      sign: LOOKS[shade].sign,
      word: wordOfClause(shade),
    })),
    areas: [...new Set(report.clauses.map(({ id }) => findArea(id)))],
    levelsName: 'Level',
    levels: LEVELS,
    example: 'clause, case, header, value …',
  };
}

export function renderFilters({ name, picksName, picks, areas, levelsName, levels, example }: Filters): Markup {
  return html`<form id="filters" class="filters" role="search" aria-label="${name}" hidden>
    <fieldset>
      <legend class="unseen">${picksName}</legend>
      ${picks.map(
        ({ value, shade, sign, word }) =>
          html`<label class="pick v-${shade}">
            <input type="checkbox" name="verdict" value="${value}" /><span class="sign" aria-hidden="true">${sign}</span
            >${word}
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
        <span>${levelsName}</span>
        <select name="level">
          <option value="">all</option>
          ${Object.entries(levels).map(([level, words]) => html`<option value="${level}">${words}</option>`)}
        </select>
      </label>
      <label class="text">
        <span>Text</span>
        <input
          type="search"
          name="text"
          placeholder="${example}"
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
