// Copy buttons and the choice of colours. A page is readable without this script, which writes text and attributes only,
// never markup, and reads nothing but the page and its address.
'use strict';
(() => {
  const root = document.documentElement;

  document.addEventListener('click', (event) => {
    const button = event.target.closest('[data-copy], [data-link]');
    if (button) void (button.dataset.link ? copyLink(button) : copyCommand(button));
  });

  // A page from disk may be denied the clipboard; copying a selection needs no permission.
  async function copyText(value, element) {
    try {
      await navigator.clipboard.writeText(value);
      return true;
    } catch {
      getSelection().selectAllChildren(element);
      return document.execCommand('copy');
    }
  }

  async function copyCommand(button) {
    const code = button.parentElement.querySelector('code');
    const isCopied = await copyText(code.textContent, code);
    confirm(button, isCopied ? 'Copied' : 'Press Ctrl+C', isCopied ? 'Copied' : 'Selected; press Ctrl+C to copy');
  }

  // The address bar has the link as well, for a browser that copies nothing.
  async function copyLink(button) {
    const { link } = button.dataset;
    history.replaceState(null, '', `#${link}`);
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

  function confirm(button, label, words) {
    const announcement = document.getElementById('announcement');
    button.dataset.label ||= button.textContent;
    button.textContent = label;
    announcement.textContent = words;
    setTimeout(() => {
      button.textContent = button.dataset.label;
      announcement.textContent = '';
    }, 2000);
  }

  const themeButton = document.getElementById('theme');
  const prefersDark = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : prefersDark.matches);
  const labelThemeButton = () => {
    themeButton.textContent = isDark() ? 'Light' : 'Dark';
  };
  // A browser may deny storage to a page from disk.
  const withStorage = (use) => {
    try {
      return use(localStorage);
    } catch {
      return null;
    }
  };
  const storedTheme = withStorage((storage) => storage.getItem('wirecheck-theme'));
  if (storedTheme === 'light' || storedTheme === 'dark') root.dataset.theme = storedTheme;
  themeButton.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    withStorage((storage) => storage.setItem('wirecheck-theme', root.dataset.theme));
    labelThemeButton();
  });
  prefersDark.addEventListener('change', labelThemeButton);
  labelThemeButton();

  for (const control of document.querySelectorAll('#theme, .copy')) control.hidden = false;
})();
