// A warm driver: one process for all calls of a client.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
/** @import { ClientCall } from '../../build/src/contract/stock-clients.js' */
/** @import { StockClient } from './stock.mjs' */

/**
 * A call that a driver is asked to make.
 * @typedef {{ baseUrl: string, apiKey: string, model: string, mode: ClientCall, prompt: string }} Task
 *
 * What it says came of it.
 * @typedef {object} DriverResult
 * @property {true} [unsupported]
 * @property {boolean} [ok]
 * @property {string | number | boolean | null | string[]} [text] whatever the client takes for the text
 * @property {string} [error]
 *
 * @typedef {{ ask(task: Task, limitMs: number): Promise<DriverResult | undefined>, stop(): void }} Driver
 */

/**
 * @param {StockClient} client
 * @returns {Driver}
 */

export function startDriver({ command: [program = '', ...options], folder }) {
  const child = spawn(program, options, { cwd: folder, env: cleanEnvironment(), stdio: ['pipe', 'pipe', 'ignore'] });
  /** @type {Map<string, (result: DriverResult) => void>} */
  const waiting = new Map();
  let calls = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    /** @type {DriverResult & { scenario: string }} */
    const { scenario, ...result } = JSON.parse(line);
    waiting.get(scenario)?.(result);
    waiting.delete(scenario);
  });
  return {
    /** Undefined if there is no result within the limit. */
    ask(task, limitMs) {
      const scenario = String((calls += 1));
      return new Promise((resolve) => {
        const timer = setTimeout(() => resolve(undefined), limitMs);
        waiting.set(scenario, (result) => {
          clearTimeout(timer);
          resolve(result);
        });
        child.stdin.write(`${JSON.stringify({ scenario, ...task, timeoutMs: limitMs })}\n`);
      });
    },
    stop: () => child.kill(),
  };
}

/** Without keys, proxies and settings of the user, which would change what an SDK does. */
export function cleanEnvironment() {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'SystemRoot', 'USERPROFILE'];
  return Object.fromEntries(
    kept.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
