// Takes the screenshots of the README: the HTML report of the broken sample, by this version of wirecheck. The samples are
// made anew in a folder of their own, so that those of the repository stay as they are.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { findChromium, HOW_TO_GET_IT } from './chromium/find-chromium.mjs';

/** In pixels: the verdict, what is broken, and the map of the clauses. */
const VIEWPORT = { width: 1280, height: 888 };
/** Samples have it in place of a version, so that they do not change with each release. */
const NO_VERSION = 'wirecheck 0.0.0';

const resolvePath = (/** @type {string} */ path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const { version } = JSON.parse(readFileSync(resolvePath('package.json'), 'utf8'));
const executablePath = findChromium();
if (executablePath === undefined) throw new Error(`Chromium not found. ${HOW_TO_GET_IT}`);
const folder = mkdtempSync(join(tmpdir(), 'wirecheck-screenshot-'));
try {
  const { status } = spawnSync(process.execPath, [resolvePath('scripts/samples.mjs'), folder], { stdio: 'inherit' });
  if (status !== 0) throw new Error('`node scripts/samples.mjs` failed.');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      const page = await browser.newPage({ viewport: VIEWPORT, colorScheme });
      await page.goto(pathToFileURL(join(folder, 'broken/report.html')).href);
      const shown = page.getByText(NO_VERSION, { exact: true }).first();
      await shown.evaluate((element, text) => (element.textContent = text), `wirecheck ${version}`);
      await page.screenshot({ path: resolvePath(`docs/report-${colorScheme}.png`) });
    }
  } finally {
    await browser.close();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
