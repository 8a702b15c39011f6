// The least that any client could need: the requests of a run, in its waves, by bare undici. Prints milliseconds.
// node floor.mjs ORIGIN REQUESTS CONCURRENCY
import { readFileSync } from 'node:fs';
import { Pool } from 'undici';
import { SERIAL_WAVES } from '../../build/src/plan/known-steps.js';
/** @import { SentByRun } from './traffic.mjs' */

const [origin = '', file = '', width] = process.argv.slice(2);
/** @type {readonly SentByRun[]} */
const requests = JSON.parse(readFileSync(file, 'utf8'));
const pool = new Pool(origin, { connections: Number(width) });

/** @param {SentByRun} request */
async function send({ method, path, headers, body }) {
  const answer = await pool.request({ method, path, headers, body });
  await answer.body.arrayBuffer();
}

const began = performance.now();
for (const wave of new Set(requests.map((request) => request.wave))) {
  const waiting = requests.filter((request) => request.wave === wave);
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await send(next);
  };
  // A run also sends these one at a time.
  const isSerial = SERIAL_WAVES.has(wave);
  await Promise.all(Array.from({ length: isSerial ? 1 : Number(width) }, work));
}
const took = performance.now() - began;
await pool.close();
process.stdout.write(String(took));
