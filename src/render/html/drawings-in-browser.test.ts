/** The waterfall of the requests, the filters and ids, in a browser. `html-in-browser.test.ts` says if there is none. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../report/report.ts';
import { HAS_BROWSER, startViewer, unfold, type Viewer, type Watched } from '../../../test/kit/browser.ts';
import { oneOfEverything } from '../../../test/kit/sample-pages.ts';
import { exchange, expectation, oneCase } from '../../../test/kit/sample-reports.ts';
import { render } from '../index.ts';

describe.runIf(HAS_BROWSER)('what is drawn on the page', () => {
  let viewer: Viewer;
  const opened: Watched[] = [];
  beforeAll(async () => {
    viewer = await startViewer();
  });
  afterAll(() => viewer.close());
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.close()));
  });

  async function open(report: Report) {
    const watched = await viewer.open(render(report, 'html'), '');
    opened.push(watched);
    return watched.page;
  }

  it('has its filters in one row, and breaks an id only where it has no room, at one of its signs', async () => {
    const id = 'errors/every-error-body[code]';
    const report = oneOfEverything({ cases: [oneCase(id, [expectation('errors.code')])] });
    const page = await open(report);
    await page.setViewportSize({ width: 1400, height: 900 });
    await unfold(page);
    const height = async (selector: string) => (await page.locator(selector).first().boundingBox())?.height ?? 0;
    expect(await height('#filters')).toBeLessThan(70);
    const line = await height('#cases .case summary .id');
    // In half the room, each half is still whole.
    const rows = await page.evaluate(`{
      const code = document.querySelector('#cases .case summary .id');
      code.style.width = '13rem';
      const range = document.createRange();
      [code.firstChild, code.lastChild].map((half) => (range.selectNode(half), range.getClientRects().length));
    }`);
    expect(line).toBeLessThan(30);
    expect(rows).toEqual([1, 1]);
  });

  it('show every request over time, folded, with its result and its attempts as text', async () => {
    const page = await open(oneOfEverything());
    const fold = page.locator('#requests details');
    expect(await fold.getAttribute('open')).toBeNull();
    await fold.locator('summary').focus();
    await page.keyboard.press('Enter');
    const rows = page.locator('.waterfall li');
    expect(await rows.count()).toBe(4);
    const retried = rows.filter({ hasText: 'temperature-above-range' });
    expect(await retried.innerText()).toMatch(/2 attempts.*no answer \(timeout\); 401 in 4.4 ms/s);
    expect(await retried.locator('rect').count()).toBe(2);
    expect(await retried.locator('.earlier').count()).toBe(1);
    expect(await retried.getByRole('img', { name: 'broken' }).count()).toBe(1);
  });

  it('show which requests were under way at the same time, in the order in which they were sent', async () => {
    const sent = (id: string, sentAt: number, endAt: number) => {
      const { attempts, ...rest } = exchange(id);
      const [attempt] = attempts;
      if (!attempt?.answer) throw new Error('An exchange of the kit has an answer.');
      return { ...rest, attempts: [{ ...attempt, sentAt, answer: { ...attempt.answer, endAt } }] };
    };
    const page = await open(
      oneOfEverything({ exchanges: [sent('c', 500, 500), sent('a', 0, 400), sent('b', 200, 400)] }),
    );
    await unfold(page);
    expect(await page.locator('.waterfall code').allInnerTexts()).toEqual(['a', 'b', 'c']);
    const places = await page.evaluate(
      '[...document.querySelectorAll(".waterfall rect")].map((bar) => [bar.getAttribute("x"), bar.getAttribute("width")])',
    );
    expect(places).toEqual([
      ['0.00%', '40.00%'],
      ['20.00%', '40.00%'],
      ['50.00%', '50.00%'],
    ]);
  });

  it('are bounded for a run with thousands of requests, and say so', async () => {
    const exchanges = Array.from({ length: 2_000 }, (_, at) => exchange(`e${at}`));
    const page = await open(oneOfEverything({ exchanges }));
    await unfold(page);
    expect(await page.locator('.waterfall li').count()).toBe(300);
    expect(await page.locator('#requests .note').innerText()).toContain('Showing the first 300 of 2,000 requests');
  });
});
