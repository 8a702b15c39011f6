import { OPEN_ON_PAPER } from './style-print.ts';

/**
 * What the page does in a browser: filters, links that keep the view, copy buttons, the theme. Everything is readable
 * without it. It writes text and attributes only, never markup, and reads nothing but the page and its address.
 */
export const SCRIPT = `'use strict';
(() => {
  const root = document.documentElement;
  const form = document.getElementById('filters');
  const matches = document.getElementById('matches');
  const items = [...document.querySelectorAll('[data-verdict]')];
  const groups = [...document.querySelectorAll('[data-group]')];
  const sections = [...document.querySelectorAll('[data-filtered]')];
  const cells = [...document.querySelectorAll('[data-clause]')];
  const boxes = [...form.querySelectorAll('[name=verdict]')];
  const { area, level, text } = form.elements;
  const texts = new WeakMap();

  const textOf = (item) => {
    if (!texts.has(item)) texts.set(item, item.textContent.replace(/\\s+/g, ' ').toLowerCase());
    return texts.get(item);
  };
  const tokens = (value) => value.split(' ').filter(Boolean);

  const NO_VIEW = { verdicts: [], area: '', level: '', text: '' };

  // The view is in the fragment, which works from disk and is never sent to a server.
  function readAddress() {
    const fragment = location.hash.slice(1);
    if (!fragment.includes('=')) return { ...NO_VIEW, at: fragment };
    const view = new URLSearchParams(fragment);
    return {
      verdicts: (view.get('verdict') || '').split(','),
      area: view.get('area') || '',
      level: view.get('level') || '',
      text: view.get('text') || '',
      at: view.get('at') || '',
    };
  }

  function fillForm(view) {
    for (const box of boxes) box.checked = view.verdicts.includes(box.value);
    for (const [select, value] of [[area, view.area], [level, view.level]]) {
      select.value = [...select.options].some((option) => option.value === value) ? value : '';
    }
    text.value = view.text;
  }

  function fragmentOf(at) {
    const view = new URLSearchParams();
    const verdicts = boxes.filter((box) => box.checked).map((box) => box.value);
    if (verdicts.length) view.set('verdict', verdicts.join(','));
    for (const { name, value } of [area, level, text]) if (value.trim()) view.set(name, value.trim());
    const isBare = [...view].length === 0;
    if (at && !isBare) view.set('at', at);
    return '#' + (isBare ? at : view.toString().replaceAll('%2C', ','));
  }

  function apply() {
    const verdicts = boxes.filter((box) => box.checked).map((box) => box.value);
    const words = tokens(text.value.toLowerCase());
    const isShown = (item) =>
      (!verdicts.length || verdicts.includes(item.dataset.verdict)) &&
      (!area.value || tokens(item.dataset.area).includes(area.value)) &&
      (!level.value || tokens(item.dataset.level).includes(level.value)) &&
      words.every((word) => textOf(item).includes(word));
    let shown = 0;
    for (const item of items) {
      item.hidden = !isShown(item);
      if (!item.hidden) shown += 1;
    }
    for (const group of groups) group.hidden = !group.querySelector('[data-verdict]:not([hidden])');
    for (const section of sections) {
      const all = section.querySelectorAll('[data-verdict]').length;
      const left = section.querySelectorAll('[data-verdict]:not([hidden])').length;
      section.querySelector('[data-count]').textContent = left === all ? String(all) : left + ' of ' + all;
      section.querySelector('.nothing').hidden = left > 0;
      section.classList.toggle('empty', left === 0);
    }
    for (const cell of cells) cell.classList.toggle('off', document.getElementById(cell.dataset.clause).hidden);
    const isFiltered = shown < items.length;
    root.classList.toggle('filtered', isFiltered);
    const by = [verdicts.join(' or '), area.value, level.value, text.value.trim()].filter(Boolean).join(', ');
    matches.textContent = isFiltered ? 'Showing ' + shown + ' of ' + items.length + ' entries: ' + by + '.' : '';
  }

  function go(at) {
    const place = at && document.getElementById(at);
    if (!place) return;
    if (place.closest('[hidden]')) {
      fillForm({ ...NO_VIEW, at });
      apply();
      history.replaceState(null, '', '#' + at);
    }
    for (let fold = place.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
    const target = place.matches('section, article') ? place.querySelector('h2, h3') : place;
    (target.matches('details') ? target.querySelector('summary') : target).focus({ preventScroll: true });
    place.scrollIntoView();
  }

  function follow() {
    const view = readAddress();
    fillForm(view);
    apply();
    go(view.at);
  }

  form.addEventListener('input', () => {
    apply();
    history.replaceState(null, '', fragmentOf(''));
  });
  form.addEventListener('reset', () => {
    // The fields are emptied after this event.
    setTimeout(() => {
      apply();
      history.replaceState(null, '', fragmentOf(''));
    });
  });
  form.addEventListener('submit', (event) => event.preventDefault());

  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      const fragment = link.getAttribute('href');
      // A link to a place keeps the view; a link to a view replaces it.
      history.pushState(null, '', fragment.includes('=') ? fragment : fragmentOf(fragment.slice(1)));
      follow();
      return;
    }
    const button = event.target.closest('[data-copy]');
    if (button) copy(button);
  });

  async function copy(button) {
    const code = button.parentElement.querySelector('code');
    let isCopied = true;
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      getSelection().selectAllChildren(code);
      isCopied = document.execCommand('copy');
    }
    button.textContent = isCopied ? 'Copied' : 'Press Ctrl+C';
    document.getElementById('said').textContent = isCopied ? 'Copied' : 'Selected; press Ctrl+C to copy';
    setTimeout(() => {
      button.textContent = 'Copy';
      document.getElementById('said').textContent = '';
    }, 2000);
  }

  const theme = document.getElementById('theme');
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : dark.matches);
  const nameTheme = () => (theme.textContent = isDark() ? 'Light' : 'Dark');
  const remembered = (value) => {
    // Storage may be closed to a page from disk.
    try {
      if (value) localStorage.setItem('wirecheck-theme', value);
      return localStorage.getItem('wirecheck-theme');
    } catch {
      return null;
    }
  };
  const known = remembered();
  if (known === 'light' || known === 'dark') root.dataset.theme = known;
  theme.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    remembered(root.dataset.theme);
    nameTheme();
  });
  dark.addEventListener('change', nameTheme);
  nameTheme();

  // For browsers whose style sheets cannot open a fold. On paper there is nothing to click on.
  let opened = [];
  addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll('${OPEN_ON_PAPER}')].filter((fold) => !fold.open);
    for (const fold of opened) fold.open = true;
  });
  addEventListener('afterprint', () => {
    for (const fold of opened) fold.open = false;
  });

  for (const hidden of document.querySelectorAll('#filters, #theme, [data-copy]')) hidden.hidden = false;
  addEventListener('popstate', follow);
  addEventListener('hashchange', follow);
  follow();
})();
`;
