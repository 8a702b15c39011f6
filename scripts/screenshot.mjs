// Takes the screenshots of the README from the HTML report of the broken sample.
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { findChromium, HOW_TO_GET_IT } from './chromium/find-chromium.mjs';

const resolvePath = (/** @type {string} */ path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const executablePath = findChromium();
if (executablePath === undefined) throw new Error(`Chromium not found. ${HOW_TO_GET_IT}`);
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1080 }, colorScheme });
  await page.goto(pathToFileURL(resolvePath('reports/samples/broken/report.html')).href);
  await page.screenshot({ path: resolvePath(`docs/report-${colorScheme}.png`) });
}
await browser.close();
