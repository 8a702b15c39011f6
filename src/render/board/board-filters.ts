/** The form that filters targets and clauses. Its script shows it, so that it never appears without one. */
import { html, type Markup } from '../html/markup.ts';

export function renderBoardFilters(): Markup {
  return html`<form id="board-filters" class="filters" role="search" aria-label="Filter targets and clauses" hidden>
    <label>Search <input type="search" name="text" placeholder="target or clause" /></label>
    <label
      >Verdict
      <select name="exit">
        <option value="">all</option>
        <option value="1">failing</option>
        <option value="3">not judged</option>
        <option value="0">passing</option>
      </select></label
    >
    <label
      >Level
      <select name="level">
        <option value="">all</option>
        <option value="must">must</option>
        <option value="should">should</option>
      </select></label
    >
    <label><input type="checkbox" name="broken" checked /> only clauses that a target breaks</label>
    <button type="button" id="unfold">Unfold all areas</button>
    <button type="reset">Reset</button>
    <p id="matches" class="note" role="status"></p>
  </form>`;
}
