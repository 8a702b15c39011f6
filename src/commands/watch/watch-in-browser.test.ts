/** The page of a watch in a real browser: it follows the rounds, and stays inert. */
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { FAULTS, type Gateway } from '../../gateway/index.ts';
import { fault } from '../../gateway/modifier.ts';
import { HAS_BROWSER } from '../../../test/kit/browser.ts';
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
    await gateway.stop();
    await page.getByText('The gateway is away').waitFor();
    await gateway.start({ modifiers: THREE.slice(0, 1) });
    await page.locator('#live[data-round="2"]').waitFor();
    expect(await red(page)).toEqual(['#errors.code']);
    await page.getByRole('button', { name: 'Ask again' }).first().click();
    await page.locator('#live[data-round="3"]').waitFor();
    await page.close();
    await gateway.stop();
    await watch.says('The gateway is away');
    await gateway.start();
    await watch.round(5);
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
