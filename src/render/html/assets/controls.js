// Copy buttons and the choice of colours. A page is readable without this script, which writes text and attributes only,
// never markup, and reads nothing but the page and its address.
'use strict';
(() => {
  const root = document.documentElement;

  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element)) return;
    /** @type {HTMLElement | null} */
    const button = event.target.closest('[data-copy], [data-link]');
    if (button) void (button.dataset['link'] ? copyLink(button) : copyCommand(button));
  });

  /**
   * A page from disk may be denied the clipboard; copying a selection needs no permission.
   * @param {string} value
   * @param {Element} element
   */
  async function copyText(value, element) {
    try {
      await navigator.clipboard.writeText(value);
      return true;
    } catch {
      getSelection()?.selectAllChildren(element);
      return document.execCommand('copy');
    }
  }

  /** @param {HTMLElement} button */
  async function copyCommand(button) {
    const code = button.parentElement?.querySelector('code');
    if (!code) return;
    const isCopied = await copyText(code.textContent, code);
    confirm(button, isCopied ? 'Copied' : 'Press Ctrl+C', isCopied ? 'Copied' : 'Selected; press Ctrl+C to copy');
  }

  /**
   * The address bar has the link as well, for a browser that copies nothing.
   * @param {HTMLElement} button
   */
  async function copyLink(button) {
    history.replaceState(null, '', `#${button.dataset['link']}`);
    const shown = document.createElement('span');
    shown.className = 'unseen';
    shown.textContent = location.href;
    document.body.append(shown);
    const isCopied = await copyText(location.href, shown);
    shown.remove();
    confirm(
      button,
      isCopied ? 'Copied' : 'See address bar',
      isCopied ? 'Link copied' : 'The link is in the address bar',
    );
  }

  const announcement = /** @type {HTMLElement} */ (document.getElementById('announcement'));

  /**
   * @param {HTMLElement} button
   * @param {string} label
   * @param {string} words for those who do not see the label
   */
  function confirm(button, label, words) {
    const usual = (button.dataset['label'] ||= button.textContent);
    button.textContent = label;
    announcement.textContent = words;
    setTimeout(() => {
      button.textContent = usual;
      announcement.textContent = '';
    }, 2000);
  }

  const themeButton = /** @type {HTMLButtonElement} */ (document.getElementById('theme'));
  const prefersDark = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (root.dataset['theme'] ? root.dataset['theme'] === 'dark' : prefersDark.matches);
  const labelThemeButton = () => {
    themeButton.textContent = isDark() ? 'Light' : 'Dark';
  };
  /**
   * A browser may deny storage to a page from disk.
   * @template Value
   * @param {(storage: Storage) => Value} use
   */
  const withStorage = (use) => {
    try {
      return use(localStorage);
    } catch {
      return null;
    }
  };
  const storedTheme = withStorage((storage) => storage.getItem('wirecheck-theme'));
  if (storedTheme === 'light' || storedTheme === 'dark') root.dataset['theme'] = storedTheme;
  themeButton.addEventListener('click', () => {
    const theme = isDark() ? 'light' : 'dark';
    root.dataset['theme'] = theme;
    withStorage((storage) => storage.setItem('wirecheck-theme', theme));
    labelThemeButton();
  });
  prefersDark.addEventListener('change', labelThemeButton);
  labelThemeButton();

  /** @type {NodeListOf<HTMLElement>} */
  const controls = document.querySelectorAll('#theme, .copy');
  for (const control of controls) control.hidden = false;
})();
