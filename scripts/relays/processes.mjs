// Runs commands to their end, and gateways until they are stopped.
import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
/** @import { AddressInfo } from 'node:net' */

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string }} options
 */
export function runStep(command, args, options = {}) {
  return spawnSync(command, args, { encoding: 'utf8', ...options });
}

/**
 * Ends with its parent: a gateway must not outlive the measurement.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {string} folder
 */
export function startGateway(program, args, folder) {
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const keep = (/** @type {Buffer | string} */ part) => (output = (output + part).slice(-2000));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  child.on('error', ({ message }) => keep(message));
  const exited = new Promise((resolve) => child.on('close', resolve));
  const kill = () => child.kill('SIGKILL');
  process.on('exit', kill);
  return {
    exited,
    lastLine: () => output.trim().split('\n').at(-1) ?? '',
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(kill, 5_000);
      await exited;
      clearTimeout(timer);
      process.off('exit', kill);
    },
  };
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
