// Installs a client in one version, and plays scenarios to it.
import { copyFileSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createClientSetup } from '../../build/src/gather/client/client-setup.js';
import { checkClient, DEFAULT_CLIENT_SETTINGS } from '../../build/src/index.js';
import { cleanEnvironment } from '../clients/driver.mjs';
import { installProgram } from '../relays/processes.mjs';
import { installationOf } from '../packages.mjs';
import { ROOT } from '../root.mjs';
/** @import { ClientResult } from '../../build/src/report/report.js' */
/** @import { Bug } from './known-bugs.mjs' */

const FOLDER = join(ROOT, 'node_modules/.cache/bugs/');
const SETTINGS = { ...DEFAULT_CLIENT_SETTINGS, concurrency: 2, scenarioTimeout: 15_000 };

/** What came of each scenario. */
/** @typedef {Readonly<Record<string, ClientResult | undefined>>} Played */

/**
 * What came of each scenario, or why the client cannot run here.
 * @param {Bug} bug
 * @param {string} version
 * @returns {Promise<{ results: Played } | { problem: string }>}
 */
export async function playVersion(bug, version) {
  const packages = bug.packages(version);
  const name = `${bug.name}-${version}`;
  const folder = join(FOLDER, name);
  mkdirSync(FOLDER, { recursive: true });
  const problem = installProgram(installationOf(name, packages), FOLDER);
  if (problem !== undefined) return { problem };
  for (const file of bug.driver) copyFileSync(join(ROOT, file), join(folder, basename(file)));
  const started = basename(bug.driver.at(-1) ?? '');
  const command = 'npm' in packages ? [process.execPath, started] : [join(folder, 'bin/python'), started];
  const report = await checkClient(
    { name: bug.title, version, command, isDriver: true },
    { ...SETTINGS, only: ['client/plain', 'client/stream', ...bug.scenarios] },
    { setup: createClientSetup(cleanEnvironment()), cwd: folder },
  );
  return { results: Object.fromEntries(report.cases.map(({ id, client }) => [id, client?.result])) };
}
