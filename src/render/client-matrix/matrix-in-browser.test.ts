/** The matrix in a real browser: readable for everybody, in both schemes and at any width. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HAS_BROWSER, isReadable, lookAt, LOOKS, startViewer, type Viewer } from '../../../test/kit/browser.ts';
import { CAREFUL_DRIVER, check, script } from '../../../test/kit/clients.ts';
import { clientMatrixPage } from './matrix-html.ts';

describe.runIf(HAS_BROWSER)('the matrix of clients', () => {
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
    viewer = await startViewer();
  });
  afterAll(() => viewer.close());

  it.each(LOOKS)('can be read by everybody, %s and %s wide', async (...look) => {
    expect(await lookAt(viewer, page, look)).toEqual([]);
  });

  it('leads from a cell to its evidence, and runs nothing', async () => {
    const watched = await viewer.open(page);
    await watched.page.getByRole('link', { name: 'silent' }).first().click();
    const evidence = watched.page.locator('article:target');
    expect(await evidence.textContent()).toContain('<b>Sorry.</b>');
    expect(await isReadable(evidence)).toBe(true);
    expect(await watched.page.locator('.legend').textContent()).toContain('inconclusive');
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });
});
