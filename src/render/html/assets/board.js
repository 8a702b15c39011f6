// Folds areas, filters targets and clauses, and puts two targets side by side. The page is readable without this script,
// which writes text and attributes only, never markup, and reads nothing but the page and its address.
'use strict';
(() => {
  const form = document.getElementById('board-filters');
  const matches = document.getElementById('matches');
  const table = document.querySelector('.board');
  const rows = [...table.tBodies[0].rows];
  const heads = [...table.tHead.rows[0].cells];
  const buttons = [...table.querySelectorAll('[data-area]')];
  const unfold = document.getElementById('unfold');
  const { text, exit, level, broken } = form.elements;
  const isOpen = (area) => buttons.find((button) => button.dataset.area === area).ariaExpanded === 'true';
  const clauses = heads.flatMap((head, column) => (head.dataset.id ? [{ head, column, ...head.dataset }] : []));

  const WORDS = {
    fail: 'broken',
    warn: 'broken (should)',
    pass: 'pass',
    inconclusive: 'inconclusive',
    observed: 'observed',
    skipped: 'skipped',
    none: 'not tested',
  };
  const ORDER = Object.keys(WORDS);

  const matchesText = (value, words) => words.every((word) => value.toLowerCase().includes(word));

  /** A clause that the search names is shown even if its area is folded. */
  function applyFilters() {
    const words = text.value.toLowerCase().split(' ').filter(Boolean);
    const exact = clauses.filter(({ id }) => id === text.value);
    const similar = words.length === 0 ? [] : clauses.filter(({ id }) => matchesText(id, words));
    const named = exact.length > 0 ? exact : similar;
    for (const { head, column, a, level: own, broken: number } of clauses) {
      const isNamed = named.some((clause) => clause.head === head);
      const isShown =
        isNamed || (isOpen(a) && (!level.value || own === level.value) && (!broken.checked || number !== '0'));
      head.hidden = !isShown;
      for (const { cells } of rows) cells[column].hidden = !isShown;
    }
    let shown = 0;
    for (const row of rows) {
      const breaksNamed = named.some(({ column }) => /v-(fail|warn)/.test(row.cells[column].className));
      row.hidden = !(
        (!exit.value || row.dataset.exit === exit.value) &&
        (words.length === 0 || breaksNamed || matchesText(row.cells[0].textContent, words))
      );
      if (!row.hidden) shown += 1;
    }
    matches.textContent = shown === rows.length ? '' : `Showing ${shown} of ${rows.length} targets.`;
    const isAllOpen = buttons.every((button) => button.ariaExpanded === 'true');
    unfold.textContent = isAllOpen ? 'Fold all areas' : 'Unfold all areas';
  }

  for (const button of buttons) {
    button.disabled = false;
    button.addEventListener('click', () => {
      button.ariaExpanded = String(button.ariaExpanded !== 'true');
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
    const pairForm = document.getElementById('pair-form');
    const pairTable = document.getElementById('pair-table');
    const pairNote = document.getElementById('pair-note');
    const { left, right } = pairForm.elements;
    const shadeOf = ({ className }) => /v-(\w+)/.exec(className)[1];
    const fill = (cell, from) => {
      const word = from.classList.contains('excused') ? 'broken (accepted)' : WORDS[shadeOf(from)];
      const link = from.querySelector('a');
      const place = link ? cell.appendChild(document.createElement('a')) : cell;
      if (link) place.href = link.getAttribute('href');
      cell.className = from.className;
      place.textContent = `${from.textContent.trim()} ${word}`;
    };
    /** What matters first: the clauses that one of the two breaks. */
    const rankOf = (column, pairOfRows) =>
      Math.min(...pairOfRows.map(({ cells }) => ORDER.indexOf(shadeOf(cells[column]))));
    const showPair = () => {
      const [one, other] = [left, right].map(({ value }) => rows.find((row) => row.dataset.target === value));
      const isChosen = Boolean(one && other);
      pairTable.hidden = !isChosen;
      if (!isChosen) return;
      const differing = clauses
        .filter(({ column }) => one.cells[column].className !== other.cells[column].className)
        .toSorted((a, b) => rankOf(a.column, [one, other]) - rankOf(b.column, [one, other]));
      const grid = pairTable.querySelector('table');
      const [, oneHead, otherHead] = grid.tHead.rows[0].cells;
      oneHead.textContent = one.cells[0].textContent.trim();
      otherHead.textContent = other.cells[0].textContent.trim();
      const body = grid.tBodies[0];
      body.replaceChildren();
      for (const { id, column, head } of differing) {
        const row = body.insertRow();
        const name = document.createElement('th');
        name.scope = 'row';
        name.textContent = id;
        name.title = head.title;
        row.append(name);
        for (const from of [one, other]) fill(row.insertCell(), from.cells[column]);
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
      table.scrollIntoView();
      return;
    }
    // Evidence that has no room in the page is in the report, to which the target leads.
    const place = document.getElementById(fragment) ?? document.getElementById(fragment.split('.')[0]);
    if (!place) return;
    for (let fold = place.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
    (place.matches('details') ? place.querySelector('summary') : place).focus({ preventScroll: true });
    place.scrollIntoView();
  }

  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest('input:not([type=checkbox]), select, textarea');
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
