// Follows a watch: says what goes on, and loads the page again when a round has ended. It writes text only, never markup.
'use strict';
(() => {
  const live = /** @type {HTMLElement} */ (document.getElementById('live'));
  const now = /** @type {HTMLElement} */ (document.getElementById('now'));
  const folds = () => [...document.querySelectorAll('article details')];
  const key = 'wirecheck-open';

  // What was unfolded by hand stays so, by the id of its card and its place there.
  const placeOf = (/** @type {Element} */ fold) => {
    const card = /** @type {Element} */ (fold.closest('article'));
    return `${card.id} ${[...card.querySelectorAll('details')].indexOf(/** @type {HTMLDetailsElement} */ (fold))}`;
  };
  const open = (sessionStorage.getItem(key) ?? '').split('\n');
  for (const fold of folds()) if (open.includes(placeOf(fold))) fold.toggleAttribute('open', true);

  const events = new EventSource('events');
  events.addEventListener('message', ({ data }) => {
    const state = JSON.parse(data);
    now.textContent = state.now;
    if (state.round === Number(live.dataset['round'])) return;
    const shown = folds().filter((fold) => fold.hasAttribute('open'));
    sessionStorage.setItem(key, shown.map(placeOf).join('\n'));
    location.reload();
  });
  events.addEventListener('error', () => (now.textContent = 'The watch cannot be reached. It may have ended.'));

  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element && target.closest('[data-again]');
    if (button) void fetch('again', { method: 'POST', body: button.getAttribute('data-again') });
  });
})();
