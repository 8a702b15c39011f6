// The committed files that the self-test makes: they are compared with what it found, or written anew.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { judgeRecording, openRecording } from '../../build/src/index.js';
import { listVerdicts } from '../../build/selftest/compare.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Changed lines that are printed. */
const SHOWN = 10;
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
  const committed = readFileSync(file, 'utf8');
  if (committed === text) return true;
  const before = new Set(committed.split('\n'));
  const changed = text.split('\n').filter((line) => !before.has(line));
  if (write) writeFileSync(file, text);
  process.stdout.write(`${path} ${write ? 'was written' : 'is out of date: npm run selftest -- --write'}\n`);
  for (const line of changed.slice(0, SHOWN)) process.stdout.write(`  ${line}\n`);
  return write;
}
