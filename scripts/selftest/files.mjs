// The committed files that the self-test makes: they are compared with what it found, or written anew.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { judgeRecording, openRecording } from '../../dist/index.js';
import { listVerdicts } from '../../dist/selftest/list-verdicts.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const RECORDINGS = `${ROOT}test/recordings/`;

/**
 * Every verdict on every fault, every variant and every recording of a real server.
 *
 * @param {readonly { readonly verdicts: string }[]} results
 * @returns {Promise<string>}
 */
export async function goldenVerdicts(results) {
  const lines = results.map(({ verdicts }) => verdicts);
  for (const file of readdirSync(RECORDINGS).toSorted()) {
    const report = await judgeRecording(await openRecording(RECORDINGS + file, file));
    lines.push(listVerdicts(`recording ${file.replace('.ndjson.gz', '')}`, report));
  }
  return `${lines.join('\n')}\n`;
}

/**
 * True if the committed file says the same. With `write`, it does afterwards.
 *
 * @param {string} path from the root
 * @param {string} text
 * @param {boolean} write
 */
export function isCurrent(path, text, write) {
  const file = ROOT + path;
  const isSame = readFileSync(file, 'utf8') === text;
  if (isSame) return true;
  if (write) writeFileSync(file, text);
  else process.stdout.write(`${path} is out of date. Look at what changed with: npm run selftest -- --write\n`);
  return write;
}
