// Installs one gateway, starts it with the scripted upstream behind it, and lets wirecheck judge it.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { formatRelayConfig } from '../../build/commands/relay-configs.js';
import { CLIENT_KEY, FOLDER } from './gateways.mjs';
import { findFreePort, runStep, startGateway } from './processes.mjs';
/** @import { Report } from '../../build/index.js' */
/** @import { RealGateway } from './gateways.mjs' */

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** @typedef {{ version: string | undefined, report: Report }} Judged */

/**
 * A problem if it cannot run here.
 * @param {string} name
 * @param {RealGateway} gateway
 * @returns {Promise<Judged | { problem: string }>}
 */
export async function measureGateway(name, gateway) {
  mkdirSync(FOLDER, { recursive: true });
  const problem = install(gateway);
  if (problem !== undefined) return { problem };
  const [front, upstream] = [await findFreePort(), await findFreePort()];
  const config = FOLDER + gateway.config;
  writeFileSync(config, formatRelayConfig(name, '127.0.0.1', upstream, front));
  const running = startGateway(gateway.program, gateway.args(config, front), FOLDER);
  try {
    const out = `${FOLDER}report-${name}`;
    rmSync(out, { recursive: true, force: true });
    const judged = judge({ front, upstream }, gateway.flags ?? [], out);
    const first = await Promise.race([judged.exited, running.exited.then(() => /** @type {const} */ ('gateway'))]);
    judged.stop();
    if (first === 'gateway') return { problem: `it ended early: ${running.lastLine()}` };
    if (!existsSync(`${out}/report.json`)) return { problem: `wirecheck relay ended with ${first}` };
    return {
      version: gateway.version(gateway.program),
      report: JSON.parse(readFileSync(`${out}/report.json`, 'utf8')),
    };
  } finally {
    await running.stop();
  }
}

/** @param {RealGateway} gateway */
function install({ program, made = program, install: steps }) {
  if (existsSync(made)) return undefined;
  for (const [command, ...args] of steps) {
    console.log(`  ${[command, ...args].join(' ')}`);
    const { error, status, stderr } = runStep(command, args, { cwd: FOLDER });
    if (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      return `${command} cannot be started (${code})`;
    }
    if (status !== 0) return `${command} failed: ${stderr.trim().split('\n').at(-1)}`;
  }
  return existsSync(made) ? undefined : `${made} is missing`;
}

/**
 * @param {{ front: number, upstream: number }} ports
 * @param {readonly string[]} flags
 * @param {string} out
 */
function judge({ front, upstream }, flags, out) {
  const address = [`http://127.0.0.1:${front}/v1`, '--upstream-port', String(upstream)];
  const child = spawn(process.execPath, [CLI, 'relay', ...address, ...flags, '--wait-for', '2m', '--out', out], {
    env: { ...process.env, WIRECHECK_API_KEY: CLIENT_KEY },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return { exited: new Promise((resolve) => child.on('close', resolve)), stop: () => child.kill() };
}
