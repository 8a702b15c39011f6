// Prints the path of a Chromium or Chrome for the tests of the HTML report. Where there is none, and this is a Debian
// whose packages we may change, it installs one; else it says on stderr what to do and exits with 1.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'chrome.exe'];
const ELSEWHERE = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function find() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const named = process.env.CHROMIUM_PATH ? [process.env.CHROMIUM_PATH] : [];
  const candidates = [...named, ...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), ...ELSEWHERE];
  return candidates.find(isProgram);
}

function install() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !isProgram('/usr/bin/apt-get')) return;
  process.stderr.write('No Chromium here: installing it with apt-get, which takes a minute.\n');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
    const { status, stderr } = spawnSync('/usr/bin/apt-get', args, { env, encoding: 'utf8' });
    if (status !== 0) {
      process.stderr.write(`apt-get ${args.join(' ')} failed: ${stderr.trim()}\n`);
      return;
    }
  }
}

let path = find();
if (path === undefined) {
  install();
  path = find();
}
if (path === undefined) {
  process.stderr.write('There is no Chromium: install one, or name it in CHROMIUM_PATH.\n');
  process.exit(1);
}
process.stdout.write(path);
