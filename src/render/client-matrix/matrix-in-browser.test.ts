/** The matrix in a real browser: readable for everybody, in both schemes and at any width. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HAS_BROWSER, isReadable, lookAt, LOOKS, startViewer, type Viewer } from '../../../test/kit/browser.ts';
import { CAREFUL_DRIVER, check, script } from '../../../test/kit/clients.ts';
import { type MatrixClient, clientMatrixPage } from './matrix-html.ts';

describe.runIf(HAS_BROWSER)('the matrix of clients', () => {
  let viewer: Viewer;
  let page: string;
  let columns: readonly [MatrixClient, ...(readonly MatrixClient[])];
  /** Without the client that fails everything. */
  let mixed: string;
  beforeAll(async () => {
    const only = ['client/plain', 'client/plain-4*', 'client/stream*-c*', 'client/models', 'client/request-*'];
    const silent = `const post = fetch;
      globalThis.fetch = (url, { headers = {}, ...rest } = {}) =>
        post(url, { ...rest, headers: rest.body ? { ...headers, 'content-type': 'text/plain' } : headers });
      console.log(await call({ ...task, mode: 'plain' }).catch(() => '<b>Sorry.</b>'))`;
    const reports = await Promise.all([
      check(CAREFUL_DRIVER, { isDriver: true, only }),
      check(script(silent), { only }),
      check(script(`process.exit(1)`), { only }),
    ]);
    const [careful, ...others] = reports.map((report, at) => ({ report, page: `client-${at}/report.html` }));
    if (!careful) throw new Error('no report');
    columns = [careful, ...others];
    page = clientMatrixPage(columns);
    mixed = clientMatrixPage(reports.slice(0, 2).map((report) => ({ report })));
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
    const legend = (await watched.page.locator('.legend').textContent()) ?? '';
    for (const words of ['not judged its evidence says why', 'N of M beside an area']) expect(legend).toContain(words);
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });

  it('shows the rows that somebody fails, and all of them on demand, also without its script', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const watched = await viewer.open(mixed, '', { javaScriptEnabled });
      const matrix = watched.page;
      const rows = matrix.locator('.matrix tbody tr:not(.area):visible');
      const few = await rows.count();
      expect(await matrix.locator('.matrix tr.fine:visible').count()).toBe(0);
      await matrix.getByRole('checkbox').check();
      expect(await rows.count()).toBeGreaterThan(few);
      await watched.close();
    }
  });

  it('does not show every row for a client that was not judged', async () => {
    const watched = await viewer.open(page);
    const unjudged = watched.page.locator('.matrix td', { hasText: 'not judged' });
    expect(await unjudged.count()).toBeGreaterThan(5);
    expect(await watched.page.locator('.matrix tr.fine').count()).toBeGreaterThan(0);
    expect(await watched.page.locator('.matrix tr.fine:visible').count()).toBe(0);
    await watched.close();
  });

  it('has an address for each cell that stays the same, and shows the row that it names', async () => {
    const [, id = ''] = /<tr class="fine">.*?href="#(scenario-[a-z0-9-]+\.client-[a-z0-9-]+)"/s.exec(mixed) ?? [];
    const watched = await viewer.open(mixed, `#${id}`);
    const matrix = watched.page;
    expect(await isReadable(matrix.locator(`[id="${id}"]`))).toBe(true);
    expect(await matrix.getByRole('checkbox').isChecked()).toBe(true);
    await watched.close();
  });

  it('leads from the name of each client to its report, and has a button for light and dark', async () => {
    const watched = await viewer.open(page, '', { colorScheme: 'light' });
    const matrix = watched.page;
    for (const place of ['.summary h2', '.matrix thead']) {
      const links = matrix.locator(place).getByRole('link', { name: 'test' });
      expect(await links.first().getAttribute('href')).toBe('client-0/report.html');
      expect(await links.count()).toBe(3);
    }
    await matrix.getByRole('button', { name: 'Dark' }).click();
    expect(await matrix.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    await watched.close();
  });

  it('shows what is wrong with a request, as the report on the client does', async () => {
    const watched = await viewer.open(page);
    const matrix = watched.page;
    await matrix.getByRole('checkbox').check();
    await matrix.getByRole('link', { name: 'bad request' }).first().click();
    const facts = (await matrix.locator('article:target').innerText()).replaceAll(/\s+/g, ' ');
    expect(facts).toMatch(
      /Clause client\.content-type \(must\) Requirement .+ Expected Content-Type: application\/json/,
    );
    expect(facts).toMatch(
      /Actual Content-Type: text\/plain, and in \d+ more requests? Request POST \/v1\/chat\/completions/,
    );
    await matrix
      .locator('.matrix tr', { hasText: 'as a bearer token' })
      .getByRole('link', { name: 'pass' })
      .first()
      .click();
    expect(await matrix.locator('article:target').innerText()).toContain('pass: every request keeps the clause');
    await watched.close();
  });

  it.each([
    [7, 186],
    [20, 186],
    [40, 192],
  ])(
    'prints %i clients without cutting one off, on paper with %i mm between its margins',
    async (number, millimetres) => {
      const wide = clientMatrixPage(
        Array.from({ length: number }, (_, at) => columns[at % columns.length] ?? columns[0]),
      );
      const width = Math.floor((millimetres / 25.4) * 96);
      const watched = await viewer.open(wide, '', { viewport: { width, height: 1000 } });
      const matrix = watched.page;
      await matrix.emulateMedia({ media: 'print' });
      const { x = 0, width: own = 0 } = (await matrix.locator('.matrix').boundingBox()) ?? {};
      expect(x + own).toBeLessThanOrEqual(width + 1);
      const outside = `[...document.querySelectorAll('.matrix :is(th, td)')].filter((cell) =>
      [...cell.querySelectorAll('.name, .word, .area span')].some((text) => {
        const [inner, outer] = [text.getBoundingClientRect(), cell.getBoundingClientRect()];
        return inner.left < outer.left - 1 || inner.right > outer.right + 1;
      })).map((cell) => cell.textContent)`;
      expect(await matrix.evaluate(outside)).toEqual([]);
      await watched.close();
    },
  );

  it('prints the rows that somebody fails with their evidence, and the rest as one line', async () => {
    const watched = await viewer.open(mixed);
    const matrix = watched.page;
    await matrix.getByRole('checkbox').check();
    await matrix.emulateMedia({ media: 'print' });
    expect(await matrix.locator('.matrix tr.fine:visible').count()).toBe(0);
    expect(await matrix.locator('.cell-evidence.right:visible').count()).toBe(0);
    expect(await matrix.locator('.cell-evidence.wrong:visible').count()).toBeGreaterThan(0);
    const said = matrix.locator('.cell-evidence.wrong .client-said');
    expect(await said.locator('visible=true').count()).toBe(await said.count());
    expect(await said.filter({ hasText: '<b>Sorry.</b>' }).first().isVisible()).toBe(true);
    const hidden =
      '[...document.querySelectorAll(".client-said pre")].map((each) => each.scrollHeight - each.clientHeight)';
    expect(Math.max(...(await matrix.evaluate<number[]>(hidden)))).toBeLessThan(2);
    expect(await matrix.locator('.on-paper').first().innerText()).toMatch(
      /^Not printed: \d+ scenarios? and \d+ checks of requests that no client fails/,
    );
    const { height = 0 } = (await matrix.locator('.scroller').boundingBox()) ?? {};
    const table = (await matrix.locator('.matrix').boundingBox())?.height ?? 0;
    expect(Math.round(height)).toBeGreaterThanOrEqual(Math.round(table));
    await watched.close();
  });
});
