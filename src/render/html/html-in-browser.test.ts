import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadExplanation } from '../../contract/explanations.ts';
import { startGateway } from '../../gateway/index.ts';
import type { Report } from '../../report/report.ts';
import { run } from '../../run/run.ts';
import { DEFAULT_SETTINGS } from '../../settings.ts';
import { render } from '../index.ts';
import { poisoned } from '../../../test/kit/poisoned-reports.ts';
import { conforming, expectation, finding, oneCase } from '../../../test/kit/sample-reports.ts';
import { IS_THOROUGH } from '../../../test/kit/thoroughness.ts';
import { HOSTILE, oneOfEverything } from '../../../test/kit/sample-pages.ts';
import {
  fragment,
  HAS_BROWSER,
  items,
  overhang,
  startViewer,
  unfold,
  type Viewer,
  type Watched,
} from '../../../test/kit/browser.ts';

const CLIPBOARD = ['clipboard-read', 'clipboard-write'];

/** All of them in CI: every page that is opened takes a second or more. */
const TRIED = Object.entries(HOSTILE).slice(0, IS_THOROUGH ? undefined : 1);
const WIDTHS = IS_THOROUGH ? [390, 320] : [320];

/** From the reference gateway: as large as real reports. */
let real: Report;
beforeAll(async () => {
  const gateway = await startGateway({
    faults: ['error-code-integer', 'models-owned-by-missing', 'stream-choice-index-grows'],
  });
  const settings = { ...DEFAULT_SETTINGS, baseUrl: gateway.baseUrl, forbiddenModel: gateway.forbiddenModel };
  real = await run(settings, gateway.keys);
  await gateway.close();
});

describe('the page of a real run', () => {
  it('shows every case and every clause, and is not much larger than the report', () => {
    const html = render(real, 'html');
    expect(html.match(/<details\s+class="case"/g)).toHaveLength(real.cases.length);
    for (const { id } of real.clauses) expect(html).toContain(`id="${id}"`);
    expect(html.length).toBeLessThan(2.5 * JSON.stringify(real).length);
  });
});

let viewer: Viewer;
const opened: Watched[] = [];

async function open(report: Report, fragment = '', options: BrowserContextOptions = {}): Promise<Watched> {
  const watched = await viewer.open(render(report, 'html'), fragment, options);
  opened.push(watched);
  return watched;
}

/** In a window that the tests share, loaded again for each of them. */
let smallWindow: Watched | undefined;
async function openSmall(fragment = ''): Promise<Watched> {
  if (smallWindow) await smallWindow.reopen(fragment);
  else smallWindow = await viewer.open(render(oneOfEverything(), 'html'), fragment, { permissions: CLIPBOARD });
  return smallWindow;
}

/** Large, so it is loaded once: then without filters, at the top, folded as it was, and as wide as it is asked for. */
let realWindow: Watched | undefined;
async function showReal(viewport = { width: 1280, height: 900 }): Promise<Watched> {
  realWindow ??= await viewer.open(render(real, 'html'));
  const { page } = realWindow;
  await page.emulateMedia({ media: null });
  await page.setViewportSize(viewport);
  await page.evaluate(
    `globalThis.folds ??= [...document.querySelectorAll('details')].map((fold) => [fold, fold.open]);
     for (const [fold, open] of folds) fold.open = open;
     location.hash = '';
     document.activeElement.blur();
     scrollTo(0, 0);`,
  );
  return realWindow;
}

describe.runIf(HAS_BROWSER)('the page in a browser', () => {
  beforeAll(async () => {
    viewer = await startViewer();
  });
  afterAll(() => viewer.close());
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.close()));
  });

  it('opens from disk without errors, warnings, policy violations or requests', async () => {
    for (const { page, troubles } of [await open(conforming()), await openSmall(), await showReal()]) {
      await unfold(page);
      expect(await page.locator('h1').innerText()).toMatch(/CONFORM/);
      expect(troubles).toEqual([]);
    }
  });

  it('shows everything until it is filtered', async () => {
    const { page } = await openSmall();
    expect(await page.locator('#filters').isVisible()).toBe(true);
    expect(await items(page, 'failures').count()).toBe(1);
    expect(await items(page, 'coverage').count()).toBe(7);
    expect(await page.locator('#matches').innerText()).toBe('');
  });

  it('filters by verdict, and keeps the filter in its address', async () => {
    const { page } = await openSmall();
    await page.getByRole('checkbox', { name: 'warning' }).check();
    expect(await fragment(page)).toBe('verdict=warn');
    expect(await items(page, 'failures').count()).toBe(0);
    expect(await page.locator('#failures .nothing').isVisible()).toBe(true);
    expect(await items(page, 'warnings').count()).toBe(2);
    expect(await page.locator('#coverage [data-count]').innerText()).toBe('2 of 7');
    await page.getByRole('checkbox', { name: 'broken' }).check();
    expect(await fragment(page)).toBe('verdict=fail,warn');
    expect(await items(page, 'failures').count()).toBe(1);
  });

  it('filters by area, level and text, also combined', async () => {
    const { page } = await openSmall();
    await page.locator('[name=area]').selectOption('stream');
    expect(await fragment(page)).toBe('area=stream');
    expect(await items(page, 'coverage').locator('th code').allInnerTexts()).toEqual(['stream.index']);
    await page.locator('[name=area]').selectOption('');
    await page.locator('[name=level]').selectOption('should');
    expect(await fragment(page)).toBe('level=should');
    expect(await items(page, 'coverage').count()).toBe(2);
    await page.locator('[name=text]').fill('  JSON.label ');
    expect(await fragment(page)).toBe('level=should&text=JSON.label');
    expect(await items(page, 'coverage').count()).toBe(1);
    await page.locator('[name=level]').selectOption('must');
    expect(await items(page, 'coverage').count()).toBe(0);
    expect(await page.getByRole('status').first().innerText()).toMatch(
      /^Showing \d+ of \d+ entries: must, JSON\.label\.$/,
    );
  });

  it('finds text in a folded answer', async () => {
    const { page } = await openSmall();
    await page.locator('[name=text]').fill('WORD2');
    expect(await items(page, 'failures').count()).toBe(0);
    expect(await items(page, 'warnings').count()).toBe(1);
  });

  it('shows everything again after a reset', async () => {
    const { page } = await openSmall('#verdict=fail&text=code');
    expect(await items(page, 'warnings').count()).toBe(0);
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => items(page, 'warnings').count()).toBe(2);
    expect(await fragment(page)).toBe('');
    expect(await page.locator('[name=text]').inputValue()).toBe('');
  });

  it('opens with the filters of a link, and keeps them on reload', async () => {
    const { page } = await openSmall('#verdict=warn&area=stream&level=should&text=summary');
    for (const _ of ['as it was opened', 'loaded again']) {
      expect(await page.getByRole('checkbox', { name: 'warning' }).isChecked()).toBe(true);
      expect(await page.locator('[name=area]').inputValue()).toBe('stream');
      expect(await page.locator('[name=level]').inputValue()).toBe('should');
      expect(await page.locator('[name=text]').inputValue()).toBe('summary');
      expect(await items(page, 'coverage').count()).toBe(1);
      await page.reload();
    }
  });

  it('ignores unknown filter values and places in a link', async () => {
    const { page, troubles } = await openSmall('#verdict=great&area=%3Cimg%3E&level=x&at=nowhere');
    expect(await items(page, 'coverage').count()).toBe(7);
    expect(troubles).toEqual([]);
  });

  it('goes to a place without losing the filters, and drops filters that hide the place', async () => {
    const { page } = await openSmall('#verdict=fail');
    await page.locator('#failures h3 a').click();
    expect(await fragment(page)).toBe('verdict=fail&at=clause-errors.code');
    expect(await page.evaluate('document.activeElement.id')).toBe('clause-errors.code');
    await page.goBack();
    expect(await fragment(page)).toBe('verdict=fail');
    await page.evaluate('location.hash = "#verdict=fail&at=json.label"');
    await expect.poll(() => page.locator('[id="json.label"]').isVisible()).toBe(true);
    expect(await fragment(page)).toBe('json.label');
  });

  it('unfolds the target of a link', async () => {
    const { page } = await openSmall();
    await page.locator('#failures .ids a').first().click();
    const id = 'case-auth-unknown-key-models';
    await expect.poll(() => page.locator(`#${id}`).getAttribute('open')).toBe('');
    expect(await page.evaluate('document.activeElement.closest("details").id')).toBe(id);
  });

  it('dims squares that do not match the filters, and filters by clicked areas and verdicts', async () => {
    const { page } = await openSmall();
    await page.locator('.areas a', { hasText: 'errors' }).click();
    expect(await page.locator('[name=area]').inputValue()).toBe('errors');
    expect(await page.locator('.cell[data-clause]:not(.off)').count()).toBe(1);
    await page.locator('.legend a', { hasText: 'warn' }).click();
    expect(await fragment(page)).toBe('verdict=warn&at=warnings');
    expect(await page.locator('[name=area]').inputValue()).toBe('');
  });

  it('names every broken clause on the first screen, each a link', async () => {
    const { page } = await showReal({ width: 1400, height: 900 });
    const last = page.locator('#broken li').last();
    const box = await last.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(900);
    await last.locator('a').click();
    expect(await page.evaluate('document.activeElement.matches("article")')).toBe(true);
  });

  it('leads from a red square to its failure', async () => {
    const { page } = await showReal();
    await page.locator('#overview').getByRole('link', { name: 'errors.code: broken' }).click();
    expect(await page.evaluate('document.activeElement.id')).toBe('errors.code');
  });

  it('folds coverage, observations and cases by area, unfolds what a filter finds, and folds it again', async () => {
    const { page } = await showReal();
    const height = () => page.evaluate('document.documentElement.scrollHeight');
    const folded = Number(await height());
    expect(folded).toBeLessThan(17_000);
    expect(await items(page, 'coverage').count()).toBe(0);
    expect(await page.locator('#coverage .fold > summary').first().innerText()).toMatch(/\d+ clauses?: .*\d+ pass/);
    await page.locator('[name=text]').fill('error');
    expect(await items(page, 'coverage').count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => items(page, 'coverage').count()).toBe(0);
    await page.locator('#coverage .fold > summary').first().click();
    expect(await items(page, 'coverage').count()).toBeGreaterThan(0);
  });

  it('marks the current section in its contents', async () => {
    const { page } = await showReal();
    const current = page.locator('.contents [aria-current=location]');
    await expect.poll(() => current.innerText()).toMatch(/^Overview/);
    await page.locator('#coverage').scrollIntoViewIfNeeded();
    await page.locator('.contents a', { hasText: 'Coverage' }).click();
    await expect.poll(() => current.innerText()).toMatch(/^Coverage/);
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await expect.poll(() => current.innerText()).toBe('Run details');
  });

  it('copies a command, and confirms it', async () => {
    const { page, troubles } = await openSmall();
    const button = page.getByRole('button', { name: 'Copy the command: Repeat' }).first();
    await button.click();
    await expect.poll(() => button.innerText()).toBe('Copied');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      'curl -sS "$WIRECHECK_BASE_URL/models" -H "Authorization: Bearer sk-service-unknown"',
    );
    expect(await page.locator('#announcement').innerText()).toBe('Copied');
    expect(troubles).toEqual([]);
  });

  it('goes to the entry of a clause by its id, and unfolds its evidence', async () => {
    const { page } = await open(real, '#model.owned-by-present');
    expect(await page.locator('article[id="model.owned-by-present"] .evidence').getAttribute('open')).toBe('');
    expect(await page.evaluate('document.activeElement.closest("article").id')).toBe('model.owned-by-present');
    await page.evaluate('location.hash = "#model.owned-by-type"');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('model.owned-by-type');
  });

  it('gives each entry an address of its own, if a clause has several', async () => {
    const [first, second] = [finding(), finding({ pointer: '/error/type', fingerprint: 'e'.repeat(16) })];
    const code = expectation('errors.code', { verdict: 'fail', findings: [first, second] });
    const { page } = await open(oneOfEverything({ cases: [oneCase('a/b', [code])] }));
    const ids = await page.evaluate('[...document.querySelectorAll("#failures article")].map(({ id }) => id)');
    expect(ids).toEqual(['errors.code', 'errors.code.2']);
  });

  it.each([
    ['with permission', CLIPBOARD],
    ['without permission', ['clipboard-read']],
  ])('copies the link to an entry, %s to write to the clipboard', async (_, permissions) => {
    const { page, troubles } = await open(oneOfEverything(), '#verdict=fail', { permissions });
    const button = page.getByRole('button', { name: 'Copy link to errors.code' }).first();
    await button.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => button.innerText()).toBe('Copied');
    const address = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(address).toMatch(/^file:.*\.html#errors\.code$/);
    expect(await page.evaluate('location.href')).toBe(address);
    expect(troubles).toEqual([]);
  });

  it('unfolds why a clause is read as it is, with an example of each kind', async () => {
    const { page } = await showReal();
    const why = page.locator('article[id="errors.code"] .reading');
    expect(await why.locator('pre').first().isVisible()).toBe(false);
    await why.locator('summary').focus();
    await page.keyboard.press('Enter');
    const { reading, passes = '', fails = '' } = loadExplanation('errors.code') ?? {};
    const shown = await why.innerText();
    for (const part of [reading, 'PASSES', passes, 'FAILS', fails]) expect(shown).toContain(part);
    expect(await page.locator('.finding').count()).toBe(await page.locator('.finding .reading').count());
  });

  it('puts the cursor into the search when / is pressed, unless somebody is typing', async () => {
    const { page } = await openSmall();
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement.name')).toBe('text');
    await page.keyboard.type('errors/code');
    expect(await page.locator('[name=text]').inputValue()).toBe('errors/code');
    await page.locator('[name=area]').focus();
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement.name')).toBe('area');
  });

  it('can be used by keyboard: skip link, filters, folds', async () => {
    const { page } = await openSmall();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.className')).toBe('skip');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    await page.getByRole('checkbox', { name: 'broken' }).focus();
    await page.keyboard.press('Space');
    expect(await items(page, 'warnings').count()).toBe(0);
    const summary = page.locator('#failures .evidence > summary');
    await summary.focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('#failures .evidence').getAttribute('open')).toBeNull();
  });

  it('shows the focus on every focusable element', async () => {
    const { page } = await openSmall();
    await page.evaluate(
      `globalThis.outlines = [];
       addEventListener('focusin', ({ target }) => {
         const { outlineStyle, outlineWidth } = getComputedStyle(target);
         outlines.push([target.outerHTML.slice(0, 80), outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2]);
       });`,
    );
    for (let press = 0; press < 60; press += 1) await page.keyboard.press('Tab');
    const outlines = (await page.evaluate('outlines')) as readonly (readonly [string, boolean])[];
    expect(outlines.length).toBeGreaterThan(50);
    expect(outlines.filter(([, isSeen]) => !isSeen)).toEqual([]);
  });

  it.each(WIDTHS)('never scrolls sideways, %s wide', async (width) => {
    const viewport = { width, height: 844 };
    const poison = await open(poisoned(oneOfEverything(), 'x'.repeat(3_000)), '', { viewport });
    for (const { page } of [await openSmall(), await showReal(), poison]) {
      await page.setViewportSize(viewport);
      await unfold(page);
      expect(await overhang(page)).toBe(0);
    }
  });

  it('prints findings in light colours, without its controls, and without bodies that would leave pages half empty', async () => {
    const { page } = await open(oneOfEverything(), '', { colorScheme: 'dark' });
    await page.evaluate('for (const fold of document.querySelectorAll("details")) fold.open = false');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.locator('#failures .said').first().isVisible()).toBe(true);
    expect(await page.locator('#failures .evidence').first().isVisible()).toBe(false);
    // The footer says how a clause is explained.
    expect(await page.locator('#failures .explain').first().isVisible()).toBe(false);
    expect(await page.locator('#failures dt', { hasText: 'Explain' }).first().isVisible()).toBe(false);
    expect(await page.locator('#filters').isVisible()).toBe(false);
    expect(await page.locator('[data-copy]').first().isVisible()).toBe(false);
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
    expect((await page.pdf()).length).toBeGreaterThan(10_000);
  });

  it('prints the verdict, failures, warnings and run details on a few pages', async () => {
    const { page } = await showReal();
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
    const pages = pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    expect(pages).toBeGreaterThan(0);
    expect(pages).toBeLessThanOrEqual(8);
    await page.emulateMedia({ media: 'print' });
    for (const part of ['h1', '#failures article', '#warnings article', '#unjudged', '#run', 'footer .on-paper'])
      expect([part, await page.locator(part).first().isVisible()]).toEqual([part, true]);
    for (const part of ['#coverage', '#cases', '#observations', '#streams', '#requests', '.evidence', '.reading'])
      expect([part, await page.locator(part).first().isVisible()]).toEqual([part, false]);
  });

  it('prints all cases of a failure, which are folded on the screen', async () => {
    const failed = expectation('errors.code', { verdict: 'fail', findings: [finding()] });
    const cases = Array.from({ length: 9 }, (_, at) => oneCase(`auth/case-${at}`, [failed], { verdict: 'fail' }));
    const { page } = await open(oneOfEverything({ cases }));
    const fold = 'document.querySelector(".finding-facts details")';
    const shown = `getComputedStyle(${fold}, '::details-content').contentVisibility`;
    expect(await page.evaluate(shown)).toBe('hidden');
    await page.emulateMedia({ media: 'print' });
    expect(await page.evaluate(shown)).toBe('visible');
  });

  it('prints no card across two pages, and numbers them', async () => {
    const { page } = await showReal();
    await page.emulateMedia({ media: 'print' });
    const inside = 'getComputedStyle(document.querySelector("#failures article")).breakInside';
    expect(await page.evaluate(inside)).toBe('avoid');
    expect(render(real, 'html')).toMatch(/@bottom-right \{\s*content: counter\(page\) ' of ' counter\(pages\)/);
  });

  it('states the filters when it is printed filtered', async () => {
    const { page } = await openSmall('#verdict=fail');
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('#matches').isVisible()).toBe(true);
    expect(await page.locator('#filters select').first().isVisible()).toBe(false);
  });

  it('is readable without its script, and then hides controls that need it', async () => {
    const { page, troubles } = await open(oneOfEverything(), '', { javaScriptEnabled: false });
    expect(await page.locator('#failures article').first().isVisible()).toBe(true);
    expect(await page.locator('#filters').isVisible()).toBe(false);
    expect(await page.locator('[data-copy]').first().isVisible()).toBe(false);
    expect(troubles).toEqual([]);
  });

  it('switches between dark and light by its button, and remembers the choice', async () => {
    const { page } = await open(oneOfEverything(), '', { colorScheme: 'light' });
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await background();
    await page.getByRole('button', { name: 'Dark' }).click();
    const dark = await background();
    expect(dark).not.toBe(light);
    // The new page may be loaded before the browser has passed on what the old one stored.
    await expect.poll(() => page.reload().then(background)).toBe(dark);
    await page.getByRole('button', { name: 'Light' }).click();
    expect(await background()).toBe(light);
  });

  it.each(TRIED)('is not affected by %s in any field', async (_what, poison) => {
    const { page, troubles } = await open(poisoned(oneOfEverything(), poison), '#verdict=fail');
    await unfold(page);
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.locator('[name=text]').fill('alert');
    await page.locator('[name=text]').fill('');
    await page.locator('#failures article').first().hover();
    const foreign = await page.evaluate(
      'document.querySelectorAll("script, style, img, iframe, base, object, embed, form").length',
    );
    expect(foreign).toBe(3);
    expect(await page.locator('h1').isVisible()).toBe(true);
    expect(troubles).toEqual([]);
  });
});
