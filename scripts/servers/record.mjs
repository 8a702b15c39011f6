// Installs one server, starts it, lets wirecheck ask it, and keeps the recording.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { startGateway as startReference } from '../../build/src/gateway/index.js';
import { cleanEnvironment } from '../clients/driver.mjs';
import { CLIENT_KEY } from '../relays/gateways.mjs';
import { findFreePort, installProgram, startGateway } from '../relays/processes.mjs';
import { installationOf } from '../packages.mjs';
import { CLI, FOLDER } from './recipes.mjs';
/** @import { Recipe, Start } from './recipes.mjs' */

/** In bytes. The recordings are part of the repository. */
export const MAX_RECORDING = 60_000;

/**
 * @param {string} name
 * @param {Recipe} recipe
 * @param {string} file where the recording goes
 * @returns {Promise<string | undefined>} why there is none
 */
export async function recordServer(name, recipe, file) {
  mkdirSync(join(FOLDER, name), { recursive: true });
  const problem = install(name, recipe.packages);
  if (problem !== undefined) return problem;
  const upstream = await startReference({});
  try {
    const [model = ''] = upstream.models;
    const start = {
      port: await findFreePort(),
      upstream: { url: upstream.baseUrl, key: upstream.keys.full, model },
    };
    return await recordRunning(startServer(join(FOLDER, name), recipe, start), recipe, start, file);
  } finally {
    await upstream.close();
  }
}

/**
 * @param {string} name
 * @param {Recipe['packages']} packages
 * @returns {string | undefined} why it cannot be installed
 */
function install(name, packages) {
  if (packages === undefined) return undefined;
  if (!('debian' in packages)) return installProgram(installationOf(name, packages), FOLDER);
  return existsSync(packages.program)
    ? undefined
    : `${packages.program} is missing: run apt-get install ${packages.debian}`;
}

/**
 * Without the user's variables and home folder: neither keys nor settings of the user reach it.
 * @param {string} folder
 * @param {Recipe} recipe
 * @param {Start} start
 */
function startServer(folder, recipe, start) {
  for (const [file, text] of Object.entries(recipe.files?.(start) ?? {})) writeFileSync(join(folder, file), text);
  const [program = '', ...args] = recipe.command(start);
  return startGateway(resolve(folder, program), args, folder, {
    ...cleanEnvironment(),
    HOME: folder,
    ...recipe.env?.(start),
  });
}

/**
 * @param {ReturnType<typeof startGateway>} running
 * @param {Recipe} recipe
 * @param {Start} start
 * @param {string} file
 */
async function recordRunning(running, { flags, key }, start, file) {
  const recording = join(FOLDER, 'recording.ndjson.gz');
  try {
    rmSync(recording, { force: true });
    const child = spawn(
      process.execPath,
      [
        CLI,
        'run',
        `http://127.0.0.1:${start.port}/v1`,
        ...(flags?.(start) ?? []),
        ...['--wait-for', '2m', '--record', recording, '--out', 'none', '--quiet'],
      ],
      {
        env: { ...cleanEnvironment(), WIRECHECK_API_KEY: key?.(start) ?? CLIENT_KEY },
        stdio: ['ignore', 'inherit', 'inherit'],
      },
    );
    const judged = new Promise((done) => child.on('close', done));
    const first = await Promise.race([judged, running.exited.then(() => /** @type {const} */ ('server'))]);
    child.kill();
    await judged;
    if (first === 'server') return `it ended early: ${running.lastLine()}`;
    if (!existsSync(recording)) return `wirecheck run ended with ${first}`;
    // The run compresses line by line, so that a run that is interrupted has a recording; as a whole it is much smaller.
    const bytes = gzipSync(gunzipSync(readFileSync(recording)), { level: 9 });
    if (bytes.length > MAX_RECORDING) return `its recording has ${bytes.length} bytes, more than ${MAX_RECORDING}`;
    writeFileSync(file, bytes);
    return undefined;
  } finally {
    await running.stop();
  }
}
