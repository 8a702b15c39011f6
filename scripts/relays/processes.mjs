// Runs commands to their end, and gateways until they are stopped.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createServer } from 'node:net';
/** @import { ChildProcess } from 'node:child_process' */
/** @import { AddressInfo } from 'node:net' */

/**
 * Each command starts in the folder.
 * @typedef {readonly [string, ...string[]]} Command
 */

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string }} options
 */
export function runStep(command, args, options = {}) {
  return spawnSync(command, args, { encoding: 'utf8', ...options });
}

/**
 * @param {{ made: string, install: readonly Command[] }} program what the commands make, and the commands
 * @param {string} folder
 * @returns {string | undefined} why it cannot be installed
 */
export function installProgram({ made, install }, folder) {
  const isMade = () => existsSync(resolve(folder, made));
  if (isMade()) return undefined;
  for (const [command, ...args] of install) {
    console.log(`  ${[command, ...args].join(' ')}`);
    const { error, status, stderr } = runStep(command, args, { cwd: folder });
    if (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      return `${command} cannot be started (${code})`;
    }
    if (status !== 0) return `${command} failed: ${stderr.trim().split('\n').at(-1)}`;
  }
  return isMade() ? undefined : `${made} is missing`;
}

/**
 * Ends with its parent, and so does what it started: a gateway must not outlive the measurement.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {string} folder
 * @param {NodeJS.ProcessEnv} [env] default: that of this process
 */
export function startGateway(program, args, folder, env = process.env) {
  const child = spawn(program, args, {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    // oxlint-disable-next-line id-denylist -- the name is an option of Node's
    detached: true,
  });
  let output = '';
  const keep = (/** @type {Buffer | string} */ part) => (output = (output + part).slice(-2000));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  child.on('error', ({ message }) => keep(message));
  const exited = new Promise((resolve) => child.on('close', resolve));
  const kill = () => endGroup(child, 'SIGKILL');
  const interrupt = () => process.exit(130);
  process.on('exit', kill).on('SIGINT', interrupt);
  return {
    exited,
    lastLine: () => output.trim().split('\n').at(-1) ?? '',
    async stop() {
      endGroup(child, 'SIGTERM');
      const timer = setTimeout(kill, 5_000);
      await exited;
      clearTimeout(timer);
      process.off('exit', kill).off('SIGINT', interrupt);
    },
  };
}

/**
 * @param {ChildProcess} child which leads a group of its own
 * @param {NodeJS.Signals} signal
 */
function endGroup({ pid }, signal) {
  // It could not be started.
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // All of its processes have ended.
  }
}

/** @returns {Promise<number>} */
export function findFreePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });
}
