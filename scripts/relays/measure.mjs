// Installs one gateway, starts it with the scripted upstream behind it, and lets wirecheck judge it.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { formatRelayConfig } from '../../build/src/commands/relay-configs.js';
import { CLIENT_KEY, FOLDER } from './gateways.mjs';
import { findFreePort, installProgram, startGateway } from './processes.mjs';
/** @import { Report } from '../../build/src/index.js' */
/** @import { RealGateway } from './gateways.mjs' */

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** `load`: the report of `wirecheck load`. */
/** @typedef {{ version: string | undefined, report: Report, load: Report }} Judged */

/**
 * A problem if it cannot run here.
 * @param {string} name
 * @param {RealGateway} gateway
 * @returns {Promise<Judged | { problem: string }>}
 */
export async function measureGateway(name, gateway) {
  mkdirSync(FOLDER, { recursive: true });
  const { program, made = program, install } = gateway;
  const problem = installProgram({ made, install }, FOLDER);
  if (problem !== undefined) return { problem };
  const [front, upstream] = [await findFreePort(), await findFreePort()];
  const config = FOLDER + gateway.config;
  writeFileSync(config, formatRelayConfig(name, '127.0.0.1', upstream, front));
  const start = () => startGateway(program, gateway.args(config, front), FOLDER);
  const options = { ports: { front, upstream }, flags: gateway.flags ?? [], out: `${FOLDER}report-${name}` };
  // Each has a gateway that has seen nothing yet.
  const report = await judgeGateway('relay', start(), options);
  if (typeof report === 'string') return { problem: report };
  const load = await judgeGateway('load', start(), { ...options, out: `${options.out}-load` });
  if (typeof load === 'string') return { problem: load };
  return { version: gateway.version(program), report, load };
}

/**
 * The report, or why there is none.
 * @param {'relay' | 'load'} command
 * @param {ReturnType<typeof startGateway>} running
 * @param {{ ports: Ports, flags: readonly string[], out: string }} options
 * @returns {Promise<Report | string>}
 */
async function judgeGateway(command, running, { ports, flags, out }) {
  try {
    rmSync(out, { recursive: true, force: true });
    const judged = judge(command, ports, [...flags, '--out', out]);
    const first = await Promise.race([judged.exited, running.exited.then(() => /** @type {const} */ ('gateway'))]);
    judged.stop();
    if (first === 'gateway') return `it ended early: ${running.lastLine()}`;
    if (!existsSync(`${out}/report.json`)) return `wirecheck ${command} ended with ${first}`;
    return JSON.parse(readFileSync(`${out}/report.json`, 'utf8'));
  } finally {
    await running.stop();
  }
}

/** @typedef {{ front: number, upstream: number }} Ports */

/**
 * @param {'relay' | 'load'} command
 * @param {Ports} ports
 * @param {readonly string[]} flags
 */
function judge(command, { front, upstream }, flags) {
  const address = [`http://127.0.0.1:${front}/v1`, '--upstream-port', String(upstream)];
  const child = spawn(process.execPath, [CLI, command, ...address, ...flags, '--wait-for', '2m'], {
    env: { ...process.env, WIRECHECK_API_KEY: CLIENT_KEY },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return { exited: new Promise((resolve) => child.on('close', resolve)), stop: () => child.kill() };
}
