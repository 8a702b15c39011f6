// Takes the pictures of the HTML report that the README shows, of the broken sample.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const place = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const executablePath = execFileSync(process.execPath, [place('scripts/find-chromium.mjs')], { encoding: 'utf8' });
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
for (const colorScheme of ['light', 'dark']) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1080 }, colorScheme });
  await page.goto(`file://${place('reports/samples/broken/report.html')}`);
  await page.screenshot({ path: place(`docs/report-${colorScheme}.png`) });
}
await browser.close();
