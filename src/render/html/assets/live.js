// Follows a watch: says what goes on, and loads the page again when a round has ended. It writes text only, never markup.
'use strict';
(() => {
  const live = /** @type {HTMLElement} */ (document.getElementById('live'));
  const now = /** @type {HTMLElement} */ (document.getElementById('now'));
  const shown = Number(live.dataset['round']);
  /** @type {NodeListOf<HTMLElement>} */
  const squares = document.querySelectorAll('#overview .cells > *');
  const folds = () => [...document.querySelectorAll('article details')];
  const key = 'wirecheck-open';

  // What was unfolded by hand stays so, by the id of its card and its own heading.
  const placeOf = (/** @type {Element} */ fold) =>
    `${fold.closest('article')?.id} ${fold.firstElementChild?.textContent.trim()}`;
  const open = (sessionStorage.getItem(key) ?? '').split('\n');
  for (const fold of folds()) if (open.includes(placeOf(fold))) fold.toggleAttribute('open', true);

  const events = new EventSource('events');
  events.addEventListener('message', ({ data }) => {
    const told = JSON.parse(data);
    if (told.now) now.textContent = told.now;
    for (const [at, [shade, sign, title]] of (told.squares ?? []).entries()) {
      const square = squares[at];
      if (!square) continue;
      square.className = square.className.replace(/f-\S+/, `f-${shade}`);
      [square.textContent, square.title] = [sign, title];
      if (square.ariaLabel) square.ariaLabel = title;
    }
    if ((told.round ?? shown) === shown) return;
    const unfolded = folds().filter((fold) => fold.hasAttribute('open'));
    sessionStorage.setItem(key, unfolded.map(placeOf).join('\n'));
    location.reload();
  });
  events.addEventListener('error', () => (now.textContent = 'The watch cannot be reached. It may have ended.'));

  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element && target.closest('[data-again]');
    if (button)
      void fetch(`again?case=${encodeURIComponent(button.getAttribute('data-again') ?? '')}`, { method: 'POST' });
  });
})();
