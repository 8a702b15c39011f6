/** A real browser for the tests of the HTML report. It reports every error, dialog and request of a page. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { inject } from 'vitest';
import { IS_THOROUGH } from './thoroughness.ts';

/** Whether there is a browser at all; `browser-server.ts` starts it. */
export const HAS_BROWSER = inject('browser') !== '';

export interface Watched {
  readonly page: Page;
  /** Console messages above info, uncaught errors, dialogs, and requests for anything but the file itself. */
  readonly troubles: string[];
  /** Loads the same file again, with another fragment: much cheaper than another window. */
  reopen(fragment: string): Promise<void>;
  close(): Promise<void>;
}

export interface Viewer {
  /** Writes the text to a file and opens it from there. */
  open(html: string, fragment?: string, options?: BrowserContextOptions): Promise<Watched>;
  close(): Promise<void>;
}

export async function startViewer(): Promise<Viewer> {
  const folder = mkdtempSync(join(tmpdir(), 'wirecheck-html-'));
  const browser = await chromium.connect(inject('browser'));
  let files = 0;
  return {
    async open(html, fragment = '', options = {}) {
      files += 1;
      const file = join(folder, `report-${files}.html`);
      writeFileSync(file, html);
      return watch(browser, pathToFileURL(file).href, fragment, options);
    },
    async close() {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The console does not report violations of every directive. */
const REPORT_VIOLATIONS = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  console.error('policy: ' + violatedDirective + ' ' + blockedURI));`;

async function watch(
  browser: Browser,
  address: string,
  fragment: string,
  options: BrowserContextOptions,
): Promise<Watched> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('console', (message) => {
    if (message.type() !== 'log' && message.type() !== 'info') troubles.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => troubles.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const url = request.url();
    if (url.split('#')[0] !== address && !url.startsWith('data:')) troubles.push(`request: ${url}`);
  });
  await page.addInitScript({ content: REPORT_VIOLATIONS });
  await page.goto(`${address}${fragment}`);
  return {
    page,
    troubles,
    async reopen(other) {
      await page.emulateMedia({ media: null });
      // A page that only gets another fragment would not be loaded again.
      await page.goto('about:blank');
      troubles.length = 0;
      await page.goto(`${address}${other}`);
    },
    close: () => context.close(),
  };
}

/** The text after `#` in the address. */
export async function fragment(page: Page): Promise<string> {
  return String(await page.evaluate('location.hash.slice(1)'));
}

/** The entries of a section that match the filters. */
export function items(page: Page, section: string): Locator {
  return page.locator(`#${section} [data-verdict]:visible`);
}

export async function unfold(page: Page): Promise<void> {
  await page.evaluate('for (const fold of document.querySelectorAll("details")) fold.open = true');
}

/** Pixels by which the page is wider than its window. */
export async function overhang(page: Page): Promise<number> {
  return Number(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'));
}

type Look = readonly [scheme: 'light' | 'dark', width: number];

/** Both schemes and both widths: no colour depends on the width. The first shows most of what the other shows. */
export const LOOKS: readonly Look[] = [['dark', 420], ...(IS_THOROUGH ? ([['light', 1400]] as const) : [])];

/** What keeps somebody from reading a page that looks like this: broken rules of accessibility, or a page that is too wide. */
export async function lookAt(
  viewer: Viewer,
  html: string,
  [colorScheme, width]: Look,
  prepare: (page: Page) => Promise<void> = async () => undefined,
): Promise<readonly unknown[]> {
  // The policy of the page would block the script of axe.
  const watched = await viewer.open(html, '', { colorScheme, bypassCSP: true, viewport: { width, height: 900 } });
  const { page } = watched;
  await prepare(page);
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as axe.AxeResults;
  const excess = await overhang(page);
  await watched.close();
  return [
    ...violations.map(({ id, nodes }) => [id, ...nodes.map((node) => [node.html, node.failureSummary])]),
    ...(excess > 0 ? [`${excess} pixels too wide`] : []),
  ];
}

/** Whether all of an element can be read: it has the width of the page, and its parts stand below one another. */
export async function isReadable(element: Locator): Promise<boolean> {
  const [width, page] = await Promise.all([element.boundingBox(), element.page().locator('main').boundingBox()]);
  const [inner, outer] = await element.evaluate(({ scrollHeight, clientHeight }) => [scrollHeight, clientHeight]);
  return inner === outer && (width?.width ?? 0) > (page?.width ?? 0) * 0.8;
}
