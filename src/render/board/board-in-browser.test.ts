/** The board in a real browser: readable for everybody, in both schemes and at any width; filters and pairs work. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HAS_BROWSER, isReadable, lookAt, LOOKS, startViewer, type Viewer } from '../../../test/kit/browser.ts';
import { broken, clause, conforming, expectation, finding, oneCase } from '../../../test/kit/sample-reports.ts';
import type { Report } from '../../report/report.ts';
import { boardHtml } from './board-html.ts';
import { makeBoard, summarizeReport } from './board.ts';

const named = (name: string, report: Report): Report => ({ ...report, target: { ...report.target, name } });

describe.runIf(HAS_BROWSER)('the board', () => {
  let viewer: Viewer;
  const page = boardHtml(
    makeBoard(
      [named('bad', broken()), named('good', conforming()), named('fine', conforming())].map((report) =>
        summarizeReport(report, { report: './r/report.json', page: './r/report.html' }),
      ),
      { failOn: 'must', title: 'Our gateways' },
    ),
  );
  const history = boardHtml(
    makeBoard(
      ['bad', 'good', 'fine'].flatMap((name, target) =>
        Array.from({ length: 50 }, (_run, at) => {
          const report = named(name, (at + target) % 3 === 0 ? broken() : conforming());
          const startedAt = new Date(Date.UTC(2030, 0, 1 + at)).toISOString();
          const observed = { clause: 'stream.timing', case: 'a/b', name: 'first-text-time', value: 100 + at } as const;
          const dated = { ...report, provenance: { ...report.provenance, startedAt }, observations: [observed] };
          return summarizeReport(dated, { report: `./${name}/${at}/report.json` });
        }),
      ),
      { failOn: 'must' },
    ),
  );
  beforeAll(async () => {
    viewer = await startViewer();
  });
  afterAll(() => viewer.close());

  it.each(LOOKS)('can be read by everybody, %s and %s wide', async (...look) => {
    expect(await lookAt(viewer, page, look, (opened) => opened.click('#unfold'))).toEqual([]);
  });

  it.each(LOOKS)('with warnings beside what is broken can be read by everybody, %s and %s wide', async (...look) => {
    const report = broken();
    const warned = expectation('errors.message', { level: 'should', verdict: 'warn', findings: [finding()] });
    const mixed = {
      ...report,
      clauses: [...report.clauses, clause('errors.message', { level: 'should', verdict: 'warn' })],
      cases: [...report.cases, oneCase('errors/message', [warned])],
    };
    const board = makeBoard([summarizeReport(mixed, { report: './r/report.json' })], { failOn: 'must' });
    expect(boardHtml(board)).toContain('class="beside"');
    expect(await lookAt(viewer, boardHtml(board), look)).toEqual([]);
  });

  it.each(LOOKS)('with 50 reports of three targets can be read by everybody, %s and %s wide', async (...look) => {
    expect(await lookAt(viewer, history, look)).toEqual([]);
  });

  it('unfolds an area in the tables of all editions', async () => {
    const older = { ...named('old', broken()), edition: '2030.1', editionDigest: 'a'.repeat(64) };
    const summaries = [older, named('new', broken())].map((report) => summarizeReport(report, { report: './r.json' }));
    const watched = await viewer.open(boardHtml(makeBoard(summaries, { failOn: 'must' })));
    await watched.page.locator('.board button').first().click();
    const open = await watched.page
      .locator('.board')
      .evaluateAll((tables) => tables.map((table) => table.querySelectorAll('td[data-a]:not([hidden])').length));
    expect(open[0]).toBeGreaterThan(0);
    expect(open).toEqual([open[0], open[0]]);
    await watched.close();
  });

  it('breaks no id of a clause in a narrow window', async () => {
    const report = named('http://127.0.0.1:42247/v1', broken());
    const board = makeBoard([summarizeReport(report, { report: './r/report.json' })], { failOn: 'must' });
    const watched = await viewer.open(boardHtml(board), '', { viewport: { width: 420, height: 900 } });
    const boxes = await Promise.all(
      (await watched.page.locator('.most-broken .id').all()).map((id) => id.boundingBox()),
    );
    expect(boxes.length).toBeGreaterThan(0);
    for (const box of boxes) expect(box?.height).toBeLessThan(25);
    await watched.close();
  });

  it('draws a bar for each run, which fits in its drawing', async () => {
    const watched = await viewer.open(history);
    const drawings = watched.page.locator('#trend svg');
    expect(await drawings.count()).toBe(6);
    for (const drawing of await drawings.all()) {
      const outer = await drawing.boundingBox();
      const bars = await drawing.locator('rect').all();
      expect(bars.length).toBeGreaterThanOrEqual(50);
      const last = await bars.at(-1)?.boundingBox();
      expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual((outer?.x ?? 0) + (outer?.width ?? 0));
      expect(last?.y ?? 0).toBeGreaterThanOrEqual((outer?.y ?? 0) - 1);
    }
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });

  it('unfolds an area, and leads from a sign to the evidence', async () => {
    const watched = await viewer.open(page);
    const signs = watched.page.getByRole('link', { name: 'broken: errors.code' });
    expect(await signs.count()).toBe(0);
    await watched.page.getByRole('button', { name: 'errors' }).click();
    await signs.first().click();
    const evidence = watched.page.locator('article:target');
    expect(await evidence.textContent()).toContain('errors.code');
    expect(await isReadable(evidence)).toBe(true);
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });

  it('says on paper nothing about clicks', async () => {
    const watched = await viewer.open(page);
    const lead = watched.page.locator('#targets .lead');
    expect(await lead.innerText()).toContain('click a sign');
    await watched.page.emulateMedia({ media: 'print' });
    expect(await lead.innerText()).toBe('One row per target, one column per area.');
    await watched.close();
  });

  it('leads from a folded area, and from a difference, to the evidence of the first clause', async () => {
    const watched = await viewer.open(page);
    const { page: board } = watched;
    await board.getByRole('link', { name: 'broken: errors 1' }).click();
    expect(await isReadable(board.locator('article:target'))).toBe(true);
    await board.selectOption('[name=left]', { label: 'good' });
    await board.selectOption('[name=right]', { label: 'bad' });
    await board.locator('#pair-table a').first().click();
    expect(await isReadable(board.locator('article:target'))).toBe(true);
    await watched.close();
  });

  it('filters targets by verdict and by the clauses they break', async () => {
    const watched = await viewer.open(page);
    const rows = watched.page.locator('.board tbody tr:visible');
    expect(await rows.count()).toBe(3);
    await watched.page.selectOption('[name=exit]', '1');
    expect(await rows.allTextContents()).toEqual([expect.stringContaining('bad')]);
    await watched.page.getByRole('button', { name: 'Reset' }).click();
    await watched.page.locator('.most-broken a').first().click();
    await expect.poll(() => rows.count()).toBe(1);
    expect(await watched.page.locator('th.clause:visible').count()).toBe(1);
    await watched.close();
  });

  it('puts two targets side by side, with only what differs', async () => {
    const watched = await viewer.open(page);
    const note = watched.page.locator('#pair-note');
    await watched.page.selectOption('[name=left]', { label: 'good' });
    await watched.page.selectOption('[name=right]', { label: 'fine' });
    expect(await note.textContent()).toContain('agree in all');
    await watched.page.selectOption('[name=right]', { label: 'bad' });
    expect(await note.textContent()).toMatch(/differ in \d+ of \d+ clauses/);
    expect(await watched.page.locator('#pair-table tbody tr').count()).toBeGreaterThan(0);
    expect(await watched.page.locator('#pair-table thead').textContent()).toContain('good');
    await watched.close();
  });
});
