// Prints the path of a Chromium or Chrome for the tests of the HTML report. If there is none, it installs one as root on
// Debian; elsewhere it prints what to do and exits with 1.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'chrome.exe'];
const FIXED_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function findBrowser() {
  const { CHROMIUM_PATH } = process.env;
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = [
    ...(CHROMIUM_PATH ? [CHROMIUM_PATH] : []),
    ...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))),
    ...FIXED_PATHS,
  ];
  return candidates.find(isExecutable);
}

function installChromium() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !isExecutable('/usr/bin/apt-get')) return;
  process.stderr.write('Chromium not found. Installing it with apt-get, which takes a minute.\n');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
    const { status, stderr } = spawnSync('/usr/bin/apt-get', args, { env, encoding: 'utf8' });
    if (status !== 0) {
      process.stderr.write(`apt-get ${args.join(' ')} failed: ${stderr.trim()}\n`);
      return;
    }
  }
}

let path = findBrowser();
if (path === undefined) {
  installChromium();
  path = findBrowser();
}
if (path === undefined) {
  process.stderr.write('Chromium not found. Install it, or set CHROMIUM_PATH.\n');
  process.exit(1);
}
process.stdout.write(path);
