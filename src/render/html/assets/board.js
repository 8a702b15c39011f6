// Folds areas, filters targets and clauses, and puts two targets side by side. The page is readable without this script,
// which writes text and attributes only, never markup, and reads nothing but the page and its address.
'use strict';
(() => {
  const form = /** @type {HTMLFormElement} */ (document.getElementById('board-filters'));
  const matches = /** @type {HTMLElement} */ (document.getElementById('matches'));
  /** One for each edition, with the same columns. */
  const tables = /** @type {HTMLTableElement[]} */ ([...document.querySelectorAll('.board')]);
  const rows = tables.flatMap((table) => [...(table.tBodies[0]?.rows ?? [])]);
  const headRows = tables.flatMap((table) => [...(table.tHead?.rows ?? [])]);
  const heads = [...(headRows[0]?.cells ?? [])];
  const buttons = tables
    .flatMap((table) => [...table.querySelectorAll('button')])
    .filter((button) => 'area' in button.dataset);
  const unfold = /** @type {HTMLButtonElement} */ (document.getElementById('unfold'));
  /**
   * @typedef {{ text: HTMLInputElement, exit: HTMLSelectElement, level: HTMLSelectElement, broken: HTMLInputElement }}
   *   Fields
   */
  const { text, exit, level, broken } = /** @type {HTMLFormControlsCollection & Fields} */ (form.elements);
  /** @typedef {{ head: HTMLTableCellElement, column: number, id: string, isBroken: boolean }} Clause */
  /** @type {Clause[]} */
  const clauses = heads.flatMap((head, column) => {
    const { id, broken: count } = head.dataset;
    return id ? [{ head, column, id, isBroken: count !== '0' }] : [];
  });
  /** @type {(row: HTMLTableRowElement, column: number) => HTMLTableCellElement} */
  const cellOf = (row, column) => /** @type {HTMLTableCellElement} */ (row.cells.item(column));
  const nameOf = (/** @type {HTMLTableRowElement} */ row) => cellOf(row, 0).textContent;

  /** @type {Record<string, string>} */
  const WORDS = JSON.parse(tables[0]?.dataset['words'] ?? '{}');
  const ORDER = Object.keys(WORDS);

  /** @type {(value: string, words: string[]) => boolean} */
  const matchesText = (value, words) => words.every((word) => value.toLowerCase().includes(word));

  /** @param {string[]} words */
  function findNamed(words) {
    const exact = clauses.filter(({ id }) => id === text.value);
    if (exact.length > 0 || words.length === 0) return exact;
    return clauses.filter(({ id }) => matchesText(id, words));
  }

  /** @param {Clause} clause */
  function isChosen({ head, isBroken }) {
    const { a: area, level: own } = head.dataset;
    const isOpen = buttons.some((button) => button.dataset['area'] === area && button.ariaExpanded === 'true');
    return isOpen && (!level.value || own === level.value) && (!broken.checked || isBroken);
  }

  /**
   * @param {HTMLTableRowElement} row
   * @param {string[]} words
   * @param {Clause[]} named
   */
  function isRowShown(row, words, named) {
    if (exit.value && row.dataset['exit'] !== exit.value) return false;
    const breaksNamed = named.some(({ column }) => /v-(fail|warn)/.test(cellOf(row, column).className));
    return words.length === 0 || breaksNamed || matchesText(nameOf(row), words);
  }

  /** A clause that the search names is shown even if its area is folded. */
  function applyFilters() {
    const words = text.value.toLowerCase().split(' ').filter(Boolean);
    const named = findNamed(words);
    for (const clause of clauses) {
      const isHidden = !named.includes(clause) && !isChosen(clause);
      for (const row of [...headRows, ...rows]) cellOf(row, clause.column).hidden = isHidden;
    }
    for (const row of rows) row.hidden = !isRowShown(row, words, named);
    const shown = rows.filter((row) => !row.hidden).length;
    matches.textContent = shown === rows.length ? '' : `Showing ${shown} of ${rows.length} targets.`;
    const isAllOpen = buttons.every((button) => button.ariaExpanded === 'true');
    unfold.textContent = isAllOpen ? 'Fold all areas' : 'Unfold all areas';
  }

  for (const button of buttons) {
    button.disabled = false;
    button.addEventListener('click', () => {
      const open = String(button.ariaExpanded !== 'true');
      for (const each of buttons) if (each.dataset['area'] === button.dataset['area']) each.ariaExpanded = open;
      applyFilters();
    });
  }
  unfold.addEventListener('click', () => {
    const open = String(buttons.some((button) => button.ariaExpanded !== 'true'));
    for (const button of buttons) button.ariaExpanded = open;
    applyFilters();
  });
  form.addEventListener('input', applyFilters);
  form.addEventListener('submit', (event) => event.preventDefault());
  // The browser empties the fields after this event.
  form.addEventListener('reset', () => setTimeout(applyFilters));

  const pair = document.getElementById('pair');
  if (pair) {
    const pairForm = /** @type {HTMLFormElement} */ (document.getElementById('pair-form'));
    const pairTable = /** @type {HTMLElement} */ (document.getElementById('pair-table'));
    const pairNote = /** @type {HTMLElement} */ (document.getElementById('pair-note'));
    const grid = /** @type {HTMLTableElement} */ (pairTable.querySelector('table'));
    const [, leftHead, rightHead] = grid.querySelectorAll('thead th');
    const body = /** @type {HTMLTableSectionElement} */ (grid.querySelector('tbody'));
    /** @typedef {{ left: HTMLSelectElement, right: HTMLSelectElement }} PairFields */
    const { left, right } = /** @type {HTMLFormControlsCollection & PairFields} */ (pairForm.elements);
    for (const select of [left, right])
      for (const row of rows)
        select.append(new Option(cellOf(row, 0).querySelector('a')?.textContent, row.dataset['target']));
    const shadeOf = (/** @type {Element} */ { className }) => /v-(\w+)/.exec(className)?.[1] ?? '';
    /** @type {(cell: HTMLElement, from: HTMLElement) => void} */
    const fill = (cell, from) => {
      const word = from.classList.contains('excused') ? 'broken (accepted)' : WORDS[shadeOf(from)];
      const href = from.querySelector('a')?.getAttribute('href');
      const words = `${from.textContent.trim()} ${word}`;
      cell.className = from.className;
      if (!href) {
        cell.textContent = words;
        return;
      }
      const link = document.createElement('a');
      link.href = href;
      link.textContent = words;
      cell.append(link);
    };
    /** What matters first: the clauses that one of the two breaks. */
    /** @type {(column: number, pairOfRows: HTMLTableRowElement[]) => number} */
    const rankOf = (column, pairOfRows) =>
      Math.min(...pairOfRows.map((row) => ORDER.indexOf(shadeOf(cellOf(row, column)))));
    const showPair = () => {
      const [leftRow, rightRow] = [left, right].map(({ value }) => rows.find((row) => row.dataset['target'] === value));
      pairTable.hidden = !leftRow || !rightRow;
      if (!leftRow || !rightRow || !leftHead || !rightHead) return;
      const differing = clauses
        .filter(({ column }) => cellOf(leftRow, column).className !== cellOf(rightRow, column).className)
        .toSorted((a, b) => rankOf(a.column, [leftRow, rightRow]) - rankOf(b.column, [leftRow, rightRow]));
      leftHead.textContent = nameOf(leftRow).trim();
      rightHead.textContent = nameOf(rightRow).trim();
      body.replaceChildren();
      for (const { id, column, head } of differing) {
        const row = body.insertRow();
        const name = document.createElement('th');
        name.scope = 'row';
        name.textContent = id;
        name.title = head.title;
        row.append(name);
        for (const from of [leftRow, rightRow]) fill(row.insertCell(), cellOf(from, column));
      }
      pairNote.textContent =
        differing.length === 0
          ? `The two targets agree in all ${clauses.length} clauses.`
          : `The two targets differ in ${differing.length} of ${clauses.length} clauses.`;
    };
    pairForm.addEventListener('input', showPair);
    pair.hidden = false;
  }

  /** A link to a place opens what hides it; a link with a text searches for it. */
  function showAddress() {
    const fragment = decodeURIComponent(location.hash.slice(1));
    if (fragment.startsWith('text=')) {
      text.value = fragment.slice('text='.length);
      applyFilters();
      tables[0]?.scrollIntoView();
      return;
    }
    // Evidence that has no room in the page is in the report, to which the target leads.
    const place = document.getElementById(fragment) ?? document.getElementById(fragment.replace(/\..*/, ''));
    if (!place) return;
    for (let fold = place.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null)
      fold.open = true;
    ((place.matches('details') && place.querySelector('summary')) || place).focus({ preventScroll: true });
    place.scrollIntoView();
  }

  document.addEventListener('keydown', (event) => {
    const isTyping =
      event.target instanceof Element && event.target.closest('input:not([type=checkbox]), select, textarea');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    text.focus();
    text.select();
  });
  addEventListener('hashchange', showAddress);
  form.hidden = false;
  applyFilters();
  showAddress();
})();
