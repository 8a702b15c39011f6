/** The careful client as a warm driver. */
import { createInterface } from 'node:readline';
import { call } from './careful-client.mjs';
/** @import { Task } from './careful-client.mjs' */

/** @param {{ scenario: string, ok: boolean, text?: string, error?: string }} line */
const answer = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

createInterface({ input: process.stdin }).on('line', (line) => {
  /** @type {Task & { scenario: string }} */
  const task = JSON.parse(line);
  call(task).then(
    (text) => answer({ scenario: task.scenario, ok: true, text }),
    (error) => answer({ scenario: task.scenario, ok: false, error: String(error) }),
  );
});
