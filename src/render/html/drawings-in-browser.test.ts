/** Each kind of page, the waterfall of the requests, the filters and ids, in a browser. `html-in-browser.test.ts` says if there is none. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../report/report.ts';
import { FAILOVER_RELAYS } from '../../../selftest/relays/failovers.ts';
import { RELAY_TRIALS } from '../../../selftest/relays/try-relay.ts';
import { listSubjects } from '../../../selftest/test-subjects.ts';
import {
  HAS_BROWSER,
  lookAt,
  LOOKS,
  startViewer,
  unfold,
  type Viewer,
  type Watched,
} from '../../../test/kit/browser.ts';
import { check, SILENT_DRIVER } from '../../../test/kit/clients.ts';
import { oneOfEverything } from '../../../test/kit/sample-pages.ts';
import { exchange, expectation, oneCase } from '../../../test/kit/sample-reports.ts';
import { render } from '../index.ts';
import { once } from '../../once-per.ts';
import { liveHtmlPage } from './html.ts';

/** A relay that calls one of its two upstreams often, and makes no error body. */
const failingRelay = once(async (): Promise<Report> => {
  const only = ['plain', 'stream', 'failover-503', 'failover-reset', 'failover-both*'];
  const storm = listSubjects('relay').find(({ id }) => id === 'failover-storm');
  if (!storm) throw new Error('There is no such relay.');
  return (await RELAY_TRIALS.tryOut({ ...storm, ...FAILOVER_RELAYS['failover-html'], only } as typeof storm, 1, {}))
    .plain;
});

const failingClient = once(() =>
  check(SILENT_DRIVER, { isDriver: true, only: ['client/plain', 'client/plain-4*', 'client/stream-c*'] }),
);

function watchedPage(): string {
  const round = { report: oneOfEverything(), fresh: ['errors.code'], left: 3, line: 'round 1: 3 left' };
  return liveHtmlPage([round, { ...round, line: 'round 2: 1 new (errors.code), 3 left' }], 12);
}

/** Load, boards, matrices, comparisons and summaries have tests of their own. */
const PAGES: Readonly<Record<string, () => string | Promise<string>>> = {
  'a run': () => render(oneOfEverything(), 'html'),
  'a relay that fails': async () => render(await failingRelay(), 'html'),
  'a client that fails': async () => render(await failingClient(), 'html'),
  'a watch': watchedPage,
};

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

  it.each(Object.entries(PAGES).flatMap(([name, make]) => LOOKS.map((look) => [name, ...look, make] as const)))(
    'of %s can be read by everybody, %s and %s wide',
    async (_name, scheme, width, make) => {
      expect(await lookAt(viewer, await make(), [scheme, width], unfold)).toEqual([]);
    },
    60_000,
  );

  it('shows every word of its drawings, and the squares of each sentence, in a narrow window', async () => {
    const page = await open(await failingRelay());
    await page.setViewportSize({ width: 420, height: 900 });
    const outside = `[...document.querySelectorAll('.lanes text')].filter((text) =>
      text.checkVisibility() && text.getBoundingClientRect().right > text.closest('svg').getBoundingClientRect().right)
      .map((text) => text.textContent)`;
    expect(await page.evaluate(outside)).toEqual([]);
    expect(await page.locator('.lanes text').allTextContents()).toContain('Upstream: fallback 200');
    expect(await page.locator('.sentences .cells').first().isVisible()).toBe(true);
  });

  it('has its filters in one row, and breaks an id only where it has no room, at one of its signs', async () => {
    const id = 'errors/every-error-body[code]';
    const report = oneOfEverything({ cases: [oneCase(id, [expectation('errors.code')])] });
    const page = await open(report);
    await page.setViewportSize({ width: 1400, height: 900 });
    await unfold(page);
    const height = async (selector: string) => (await page.locator(selector).first().boundingBox())?.height ?? 0;
    expect(await height('#filters')).toBeLessThan(70);
    expect(
      await page.locator('[name=text]').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
    ).toBe(0);
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

  it('has the name of an edited field in one piece, however long the value beside it is', async () => {
    const ask = (id: string, body: string) => exchange(id, { endpoint: 'chat', method: 'POST', body });
    const control = JSON.stringify({ model: 'a', messages: [{ role: 'user', content: 'Say hello. '.repeat(9) }] });
    const edits = [{ kind: 'raw', text: 'Say hello.' }] as const;
    const cases = [oneCase('a/b', [expectation('errors.code')], { edits, exchange: 'a/b', base: 'chat' })];
    const page = await open(oneOfEverything({ cases, exchanges: [ask('chat', control), ask('a/b', 'Say hello.')] }));
    await unfold(page);
    const name = page.locator('.edits th code').first();
    expect(await name.innerText()).toBe('body');
    expect(await name.evaluate((code) => code.getClientRects().length)).toBe(1);
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
