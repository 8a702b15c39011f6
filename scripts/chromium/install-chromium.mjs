// Makes sure that there is a Chromium or Chrome: if there is none, it installs one as root on Debian. Elsewhere it prints
// what to do and exits with 1.
import { spawnSync } from 'node:child_process';
import { findChromium, HOW_TO_GET_IT, isExecutable } from './find-chromium.mjs';

/** The shell is enough; older releases of Debian have only the whole browser. */
const PACKAGES = ['chromium-headless-shell', 'chromium'];

function installChromium() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !isExecutable('/usr/bin/apt-get')) return;
  process.stderr.write('Chromium not found. Installing it with apt-get, which takes a minute.\n');
  runAptGet(['update']);
  PACKAGES.some((name) => runAptGet(['install', '-y', '--no-install-recommends', name]));
}

/** @param {readonly string[]} args */
function runAptGet(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status, stderr } = spawnSync('/usr/bin/apt-get', args, { env, encoding: 'utf8' });
  if (status !== 0) process.stderr.write(`apt-get ${args.join(' ')} failed: ${stderr.trim()}\n`);
  return status === 0;
}

if (findChromium() === undefined) installChromium();
const path = findChromium();
process.stdout.write(`${path ?? `Chromium not found. ${HOW_TO_GET_IT}`}\n`);
process.exitCode = path === undefined ? 1 : 0;
