// Finds a Chromium or Chrome for the tests of the pages, and for their screenshots.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The shell starts and loads pages in half the time. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'chrome.exe',
];
const FIXED_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

export const HOW_TO_GET_IT =
  'Install Chromium (on Debian, as root: node scripts/chromium/install-chromium.mjs), or set CHROMIUM_PATH.';

/** @param {string} path */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Undefined if there is none. Throws for a CHROMIUM_PATH that is wrong. */
export function findChromium() {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH && !isExecutable(CHROMIUM_PATH)) throw new Error(`CHROMIUM_PATH cannot be run: ${CHROMIUM_PATH}`);
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = [
    ...(CHROMIUM_PATH ? [CHROMIUM_PATH] : []),
    ...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...FIXED_PATHS,
  ];
  return candidates.find(isExecutable);
}
