/** The page of a watch in a real browser: it follows the rounds, and stays inert. */
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { FAULTS, type Gateway } from '../../gateway/index.ts';
import { fault } from '../../gateway/modifier.ts';
import { liveHtmlPage } from '../../render/html/html.ts';
import { listSquares } from '../../render/html/overview.ts';
import { startLiveServer } from './live-server.ts';
import { Rounds } from './rounds.ts';
import { HAS_BROWSER } from '../../../test/kit/browser.ts';
import { runInMemory } from '../../../test/kit/in-memory-run.ts';
import { startable, startWatch } from '../../../test/kit/watched.ts';

const HOSTILE = "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script>";
const SHOUTS = fault('The message of every error is markup, and its code a number', 'errors.code', {
  error: (_body, { status }) => ({ error: { message: HOSTILE, type: HOSTILE, code: status } }),
});
const THREE = [SHOUTS, FAULTS['chat-marker-wrong'], FAULTS['param-temperature-zero-refused']];

let browser: Browser;
beforeAll(async () => void (browser = await chromium.connect(inject('browser'))));
afterAll(() => browser.close());

/** Ids of the clauses whose squares are red. */
const red = (page: Page): Promise<readonly string[]> =>
  page.locator('#overview a.cell.f-fail').evaluateAll((cells) => cells.map((cell) => cell.getAttribute('href') ?? ''));

describe.runIf(HAS_BROWSER)('the page of a watch', () => {
  it('turns its squares while a round goes on, and tells a tab that is opened late', async () => {
    const before = await runInMemory({ faults: ['error-code-integer', 'param-temperature-zero-refused'] });
    const server = await startLiveServer(() => undefined);
    onTestFinished(() => server.close());
    const rounds = new Rounds();
    rounds.add(before, true);
    server.show(liveHtmlPage(rounds.all), 1);
    const [first, late] = [await browser.newPage(), await browser.newPage()];
    await first.goto(server.url);
    expect(await red(first)).toEqual(['#errors.code', '#limits.temperature-in-range']);
    const mended = await runInMemory({ fault: 'error-code-integer' });
    const soFar = rounds.join({ ...mended, ending: { kind: 'interrupted' } });
    server.tell({ now: 'Asking: 9 of 20 requests', squares: listSquares(soFar) });
    await late.goto(server.url);
    for (const page of [first, late]) {
      await page.getByText('Asking: 9 of 20 requests').waitFor();
      expect(await red(page)).toEqual(['#errors.code']);
      const square = page.locator('#overview a[href="#limits.temperature-in-range"]');
      expect(await square.getAttribute('aria-label')).toBe('limits.temperature-in-range: pass');
      // The card stays until the end of the round.
      await page.locator('#limits\\.temperature-in-range').waitFor();
      await page.close();
    }
  }, 120_000);

  it('turns green as the gateway is mended, also in a tab that is opened late', async () => {
    const gateway = await startable();
    const { keys }: Gateway = await gateway.start({ modifiers: THREE });
    const watch = startWatch(['run', gateway.baseUrl], keys.full);
    const page = await browser.newPage();
    const troubles: string[] = [];
    page.on('pageerror', ({ message }) => troubles.push(message));
    await page.goto(await watch.url());
    await page.getByText('Waiting for a change').waitFor();
    expect(await red(page)).toEqual(['#completion.object', '#errors.code', '#limits.temperature-in-range']);
    // Its text would have changed that.
    expect(await page.title()).toContain('DOES NOT CONFORM');
    for (const [round, left, squares] of [
      [2, 2, ['#completion.object', '#errors.code']],
      [3, 1, ['#errors.code']],
    ] as const) {
      await gateway.stop();
      await page.getByText('The gateway is away').waitFor();
      await gateway.start({ modifiers: THREE.slice(0, left) });
      await page.locator(`#live[data-round="${round}"]`).waitFor();
      expect(await red(page)).toEqual(squares);
    }
    await page.getByRole('button', { name: 'Ask again' }).first().click();
    await page.locator('#live[data-round="4"]').waitFor();
    await page.close();
    await gateway.stop();
    await watch.says('The gateway is away');
    await gateway.start();
    await watch.round(6);
    const late = await browser.newPage();
    await late.goto(await watch.url());
    expect(await red(late)).toEqual([]);
    expect(await late.title()).toContain('CONFORMS');
    expect(troubles).toEqual([]);
    watch.stop();
    expect(await watch.ended).toBe(0);
    await late.getByText('The watch cannot be reached').waitFor();
    await late.close();
  }, 180_000);
});
