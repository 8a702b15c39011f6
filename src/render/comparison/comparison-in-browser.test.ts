/** The page of a comparison in a browser. `html-in-browser.test.ts` says if there is none. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayOptions, startGateway } from '../../gateway/index.ts';
import { compareRuns } from '../../report/comparison/compare.ts';
import type { Comparison } from '../../report/comparison/comparison.ts';
import { observeReport } from '../../report/comparison/observed-run.ts';
import { run } from '../../run/run.ts';
import { fragment, HAS_BROWSER, items, lookAt, LOOKS, startViewer, type Viewer } from '../../../test/kit/browser.ts';
import { quickSettings } from '../../../test/kit/real-run.ts';
import { renderComparison } from './comparison.ts';

async function observeGateway(options: GatewayOptions) {
  const gateway = await startGateway({ eventGapMs: 0, ...options });
  const report = await run(quickSettings(gateway.baseUrl, {}), { full: gateway.keys.full });
  await gateway.close();
  return observeReport(report, 'report.json');
}

describe.runIf(HAS_BROWSER)('the page of a comparison', () => {
  let viewer: Viewer;
  let comparison: Comparison;
  beforeAll(async () => {
    viewer = await startViewer();
    const older = await observeGateway({});
    const newer = await observeGateway({
      variants: ['refusals-422', 'error-extra-members'],
      faults: ['chat-usage-missing', 'stream-no-done'],
    });
    comparison = compareRuns(older, newer);
  });
  afterAll(() => viewer.close());

  it('shows both sides of every change, and filters by kind and text', async () => {
    const watched = await viewer.open(renderComparison(comparison, 'html'));
    const { page, troubles } = watched;
    expect(await page.locator('h1 strong').innerText()).toBe('BREAKING CHANGES');
    const entry = page.locator('#warning article', { hasText: 'Status of a refusal changed: 400 → 422' });
    expect(await entry.locator('> .sides > .side').allInnerTexts()).toEqual([
      expect.stringMatching(/^BEFORE\s+status 400/),
      expect.stringMatching(/^NOW\s+status 422/),
    ]);
    await page.getByRole('checkbox', { name: 'breaking' }).check();
    expect(await fragment(page)).toBe('verdict=breaking');
    expect(await items(page, 'breaking').count()).toBeGreaterThan(0);
    expect(await items(page, 'warning').count()).toBe(0);
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => items(page, 'warning').count()).toBeGreaterThan(0);
    await page.keyboard.press('/');
    await page.keyboard.type('request_id');
    expect(await items(page, 'additive').count()).toBe(1);
    expect(await items(page, 'breaking').count()).toBe(0);
    expect(troubles).toEqual([]);
    await watched.close();
  });

  it('fills the window even if nothing changed, and then has no filters', async () => {
    const watched = await viewer.open(renderComparison({ ...comparison, changes: [] }, 'html'));
    expect((await watched.page.locator('main').boundingBox())?.width).toBeGreaterThan(900);
    expect(await watched.page.locator('#filters').isVisible()).toBe(false);
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });

  it('shows both answers with the difference marked, and the command that repeats the request', async () => {
    const watched = await viewer.open(renderComparison(comparison, 'html'));
    const entry = watched.page.locator('#breaking article', { hasText: '/usage is no longer in answers' }).first();
    expect(await entry.locator('.bodies mark.wrong').first().innerText()).toContain('"usage"');
    expect(await entry.getByRole('button', { name: 'Copy the command: Repeat' }).count()).toBe(1);
    await watched.close();
  });

  it.each(LOOKS)('can be read by everybody, %s and %s wide', async (...look) => {
    expect(await lookAt(viewer, renderComparison(comparison, 'html'), look)).toEqual([]);
  });
});
