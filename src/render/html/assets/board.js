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

  const matchesText = (value, words) => words.every((word) => value.toLowerCase().includes(word));

  /** A clause that the search names is shown, also if its area is folded. */
  function applyFilters() {
    const words = text.value.toLowerCase().split(' ').filter(Boolean);
    const named = words.length === 0 ? [] : clauses.filter(({ id }) => matchesText(id, words));
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
    const fill = (cell, from) => {
      cell.className = from.className;
      cell.textContent = `${from.textContent} ${WORDS[from.className.replace('v-', '')] ?? ''}`;
    };
    const showPair = () => {
      const [one, other] = [left, right].map(({ value }) => rows.find((row) => row.dataset.target === value));
      const isChosen = Boolean(one && other);
      pairTable.hidden = !isChosen;
      if (!isChosen) return;
      const differing = clauses.filter(
        ({ column }) => one.cells[column].textContent !== other.cells[column].textContent,
      );
      const [, oneHead, otherHead] = pairTable.tHead.rows[0].cells;
      oneHead.textContent = one.cells[0].textContent.trim();
      otherHead.textContent = other.cells[0].textContent.trim();
      const body = pairTable.tBodies[0];
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
    const place = fragment && document.getElementById(fragment);
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
