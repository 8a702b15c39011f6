// Filters, links that keep the view, and a key for the search. The page is readable without this script, which writes
// text and attributes only, never markup, and reads nothing but the page and its address.
'use strict';
(() => {
  const root = document.documentElement;
  const form = /** @type {HTMLFormElement} */ (document.getElementById('filters'));
  const matches = /** @type {HTMLElement} */ (document.getElementById('matches'));
  /** @param {string} selector */
  const findAll = (selector) => {
    /** @type {NodeListOf<HTMLElement>} */
    const found = document.querySelectorAll(selector);
    return [...found];
  };
  const items = findAll('[data-verdict]');
  const groups = findAll('[data-group]');
  const sections = findAll('[data-filtered]');
  const cells = findAll('[data-clause]');
  /** @type {NodeListOf<HTMLDetailsElement>} */
  const folds = document.querySelectorAll('[data-fold]');
  const openAtFirst = [...folds].filter((fold) => fold.open);
  /** @type {NodeListOf<HTMLInputElement>} */
  const boxes = form.querySelectorAll('[name=verdict]');
  /** @typedef {{ area: HTMLSelectElement, level: HTMLSelectElement, text: HTMLInputElement }} Fields */
  const { area, level, text } = /** @type {HTMLFormControlsCollection & Fields} */ (form.elements);
  /** @type {WeakMap<HTMLElement, string>} */
  const searchTexts = new WeakMap();

  /** @param {HTMLElement} item */
  const searchTextOf = (item) => {
    const searched = searchTexts.get(item) ?? item.textContent.replaceAll(/\s+/g, ' ').toLowerCase();
    searchTexts.set(item, searched);
    return searched;
  };
  const splitWords = (value = '') => value.split(' ').filter(Boolean);
  const checkedBoxes = () => [...boxes].filter((box) => box.checked);
  const checkedWords = () => checkedBoxes().map((box) => box.parentElement?.lastChild?.textContent?.trim() ?? '');
  const valuesOf = (/** @type {HTMLInputElement} */ box) => box.value.split(',');
  const checkedVerdicts = () => checkedBoxes().flatMap(valuesOf);

  /** @typedef {{ verdicts: string[], area: string, level: string, text: string }} View */
  /** @type {View} */
  const NO_FILTER = { verdicts: [], area: '', level: '', text: '' };

  // The view is in the fragment: that works from disk and is never sent to a server.
  function readAddress() {
    const fragment = location.hash.slice(1);
    if (!fragment.includes('=')) return { ...NO_FILTER, at: fragment };
    const view = new URLSearchParams(fragment);
    return {
      verdicts: (view.get('verdict') || '').split(','),
      area: view.get('area') || '',
      level: view.get('level') || '',
      text: view.get('text') || '',
      at: view.get('at') || '',
    };
  }

  /** @param {View} view */
  function fillForm(view) {
    for (const box of boxes) box.checked = valuesOf(box).some((verdict) => view.verdicts.includes(verdict));
    selectOption(area, view.area);
    selectOption(level, view.level);
    text.value = view.text;
  }

  /**
   * @param {HTMLSelectElement} select
   * @param {string} value
   */
  function selectOption(select, value) {
    select.value = [...select.options].some((option) => option.value === value) ? value : '';
  }

  /** @param {string} at id of a place */
  function formatFragment(at) {
    const view = new URLSearchParams();
    const verdicts = checkedVerdicts();
    if (verdicts.length > 0) view.set('verdict', verdicts.join(','));
    for (const { name, value } of [area, level, text]) if (value.trim()) view.set(name, value.trim());
    const isUnfiltered = [...view].length === 0;
    if (at && !isUnfiltered) view.set('at', at);
    return `#${isUnfiltered ? at : view.toString().replaceAll('%2C', ',')}`;
  }

  function applyFilters() {
    const verdicts = checkedVerdicts();
    const words = splitWords(text.value.toLowerCase());
    const isShown = (/** @type {HTMLElement} */ item) =>
      (verdicts.length === 0 || verdicts.includes(item.dataset['verdict'] ?? '')) &&
      (!area.value || splitWords(item.dataset['area']).includes(area.value)) &&
      (!level.value || splitWords(item.dataset['level']).includes(level.value)) &&
      words.every((word) => searchTextOf(item).includes(word));
    for (const item of items) item.hidden = !isShown(item);
    for (const group of groups) group.hidden = !group.querySelector('[data-verdict]:not([hidden])');
    for (const section of sections) {
      const all = section.querySelectorAll('[data-verdict]').length;
      const left = section.querySelectorAll('[data-verdict]:not([hidden])').length;
      for (const count of section.querySelectorAll('[data-count]'))
        count.textContent = left === all ? String(all) : `${left} of ${all}`;
      for (const nothing of section.querySelectorAll('.nothing')) nothing.toggleAttribute('hidden', left > 0);
      section.classList.toggle('empty', left === 0);
    }
    for (const cell of cells)
      cell.classList.toggle('off', document.getElementById(cell.dataset['clause'] ?? '')?.hidden === true);
    const shown = items.filter((item) => !item.hidden).length;
    const isFiltered = shown < items.length;
    // What a filter finds is shown; without one, the folds are again as they were.
    if (isFiltered || root.classList.contains('filtered'))
      for (const fold of folds) fold.open = isFiltered ? !fold.hidden : openAtFirst.includes(fold);
    root.classList.toggle('filtered', isFiltered);
    const by = [checkedWords().join(' or '), area.value, level.value, text.value.trim()].filter(Boolean).join(', ');
    matches.textContent = isFiltered ? `Showing ${shown} of ${items.length} entries: ${by}.` : '';
  }

  /** @param {string} at id of a place */
  function goTo(at) {
    const place = at && document.getElementById(at);
    if (!place) return;
    if (place.closest('[hidden]')) {
      fillForm(NO_FILTER);
      applyFilters();
      history.replaceState(null, '', `#${at}`);
    }
    for (let fold = place.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null)
      fold.open = true;
    if (place.matches('article'))
      for (const fold of place.querySelectorAll('.evidence')) fold.toggleAttribute('open', true);
    const target = (place.matches('section') && place.querySelector('h2')) || place;
    ((target.matches('details') && target.querySelector('summary')) || target).focus({ preventScroll: true });
    place.scrollIntoView();
  }

  function showAddress() {
    const view = readAddress();
    fillForm(view);
    applyFilters();
    goTo(view.at);
  }

  function showForm() {
    applyFilters();
    history.replaceState(null, '', formatFragment(''));
  }

  form.addEventListener('input', showForm);
  // The browser empties the fields after this event.
  form.addEventListener('reset', () => setTimeout(showForm));
  form.addEventListener('submit', (event) => event.preventDefault());

  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element)) return;
    const fragment = event.target.closest('a[href^="#"]')?.getAttribute('href');
    if (fragment && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      // A link to a place keeps the filters; a link with filters replaces them.
      history.pushState(null, '', fragment.includes('=') ? fragment : formatFragment(fragment.slice(1)));
      showAddress();
    }
  });

  const links = findAll('.contents a');
  const places = links.flatMap((link) => document.getElementById(link.getAttribute('href')?.slice(1) ?? '') ?? []);

  /** The last section that has begun in the upper third of the window, or the first; at the end of the page, the last. */
  function markCurrent() {
    const isAtEnd = scrollY > 0 && innerHeight + scrollY >= root.scrollHeight - 2;
    const begun = places.filter((place) => isAtEnd || place.getBoundingClientRect().top < innerHeight / 3);
    const current = begun.at(-1) ?? places[0];
    for (const link of links) link.ariaCurrent = link.getAttribute('href') === `#${current?.id}` ? 'location' : null;
  }

  addEventListener('scroll', () => requestAnimationFrame(markCurrent), { passive: true });

  document.addEventListener('keydown', (event) => {
    const isTyping =
      event.target instanceof Element &&
      event.target.closest('input:not([type=checkbox]), select, textarea, [contenteditable]');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    text.focus();
    text.select();
  });

  form.hidden = items.length === 0;
  addEventListener('popstate', showAddress);
  addEventListener('hashchange', showAddress);
  showAddress();
  markCurrent();
})();
