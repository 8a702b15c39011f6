// A link to a place opens what hides it, and shows its row. The page is readable without this script, which writes
// attributes only, never markup, and reads nothing but the page and its address.
'use strict';
(() => {
  const box = /** @type {HTMLInputElement | null} */ (document.getElementById('all-rows'));

  function showAddress() {
    const place = document.getElementById(location.hash.slice(1));
    if (!place) return;
    if (box && place.closest('.scenarios')) box.checked = true;
    for (let fold = place.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null)
      fold.open = true;
    ((place.matches('details') && place.querySelector('summary')) || place).focus({ preventScroll: true });
    place.scrollIntoView();
  }

  addEventListener('hashchange', showAddress);
  showAddress();
})();
