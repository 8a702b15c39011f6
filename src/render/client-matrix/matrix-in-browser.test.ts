/** The matrix in a real browser: readable for everybody, in both schemes and at any width. */
import axe from 'axe-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium, overhang, startViewer, type Viewer } from '../../../test/kit/browser.ts';
import { CAREFUL_DRIVER, check, script } from '../../../test/kit/clients.ts';
import { clientMatrixPage } from './matrix-html.ts';

// A missing browser is reported by the tests of the HTML report.
const { path } = findChromium();

describe.skipIf(path === undefined)('the matrix of clients', () => {
  let viewer: Viewer;
  let page: string;
  beforeAll(async () => {
    const only = ['client/plain', 'client/plain-4*', 'client/stream*-c*', 'client/models', 'client/request-*'];
    const silent = `console.log(await call({ ...task, mode: 'plain' }).catch(() => '<b>Sorry.</b>'))`;
    const reports = await Promise.all([
      check(CAREFUL_DRIVER, { isDriver: true, only }),
      check(script(silent), { only }),
      check(script(`process.exit(1)`), { only }),
    ]);
    page = clientMatrixPage(reports);
    viewer = await startViewer(path ?? '');
  });
  afterAll(() => viewer.close());

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 420],
    ['dark', 420],
  ] as const)('has no serious accessibility violation, %s and %s wide', async (colorScheme, width) => {
    const watched = await viewer.open(page, '', { colorScheme, bypassCSP: true, viewport: { width, height: 900 } });
    await watched.page.evaluate(axe.source);
    const { violations } = (await watched.page.evaluate(
      'axe.run(document, { resultTypes: ["violations"] })',
    )) as axe.AxeResults;
    expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
    expect(await overhang(watched.page)).toBe(0);
    await watched.close();
  });

  it('leads from a cell to its evidence, and runs nothing', async () => {
    const watched = await viewer.open(page);
    await watched.page.getByRole('link', { name: 'silent' }).first().click();
    const evidence = watched.page.locator('article:target');
    expect(await evidence.textContent()).toContain('<b>Sorry.</b>');
    // All of it can be read: it has the width of the page, and its parts stand below one another.
    const width = (await evidence.boundingBox())?.width ?? 0;
    expect(width).toBeGreaterThan(((await watched.page.locator('main').boundingBox())?.width ?? 0) * 0.8);
    const [inner, outer] = await evidence.evaluate((element) => [element.scrollHeight, element.clientHeight]);
    expect(inner).toBe(outer);
    expect(await watched.page.locator('.legend').textContent()).toContain('inconclusive');
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });
});
