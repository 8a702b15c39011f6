/** The careful client as a warm driver. */
import { createInterface } from 'node:readline';
import { call } from './careful-client.mjs';

const answer = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

createInterface({ input: process.stdin }).on('line', (line) => {
  const task = JSON.parse(line);
  call(task).then(
    (text) => answer({ scenario: task.scenario, ok: true, text }),
    (error) => answer({ scenario: task.scenario, ok: false, error: String(error) }),
  );
});
