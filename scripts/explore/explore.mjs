// Explores every gateway with a hidden trigger with five seeds, and every variant with one, and writes the table of
// docs/explore.md. Exits with 1 if fewer than 90 % are found on average, or if a variant is blamed. --seeds N: fewer seeds.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { VARIANTS } from '../../build/gateway/index.js';
import { HIDDEN_FAULTS } from '../../build/selftest/explore/hidden-faults.js';
import { blamedOf, tryHidden } from '../../build/selftest/explore/try-explore.js';
import { ROOT } from '../root.mjs';

const { values } = parseArgs({ options: { seeds: { type: 'string' }, 'no-variants': { type: 'boolean' } } });
const SEEDS = [1, 2, 3, 4, 5].slice(0, Number(values.seeds ?? 5));
const PAGE = join(ROOT, 'docs/explore.md');
const [BEGIN, END] = ['<!-- triggers -->', '<!-- /triggers -->'];

let [found, shrunk, tried] = [0, 0, 0];
const rows = [];
for (const [id, { title }] of Object.entries(HIDDEN_FAULTS)) {
  const trials = [];
  for (const seed of SEEDS) trials.push(await tryHidden(id, seed));
  tried += trials.length;
  found += trials.filter(({ problems }) => problems.length === 0).length;
  shrunk += trials.filter(({ isShrunk }) => isShrunk).length;
  const cells = trials.map(({ problems, needed }) =>
    problems.length === 0 ? `${needed}` : needed ? `(${needed})` : '–',
  );
  for (const { problems } of trials) for (const problem of problems) process.stdout.write(`${id}: ${problem}\n`);
  process.stdout.write(`${id}: ${cells.join(' ')}\n`);
  rows.push(`| ${title} | ${cells.join(' | ')} |`);
}

const blamed = [];
const variants = /** @type {(keyof typeof VARIANTS)[]} */ (Object.keys(VARIANTS));
for (const id of values['no-variants'] ? [] : variants) {
  const clauses = await blamedOf(id, 1, 200);
  if (clauses.length > 0) blamed.push(`${id}: ${clauses.join(', ')}`);
}
process.stdout.write(blamed.map((line) => `blamed ${line}\n`).join(''));

const share = (/** @type {number} */ part) => `${Math.round((1000 * part) / tried) / 10} %`;
const summary = `${share(found)} of ${tried} trials found exactly the broken clauses, ${share(shrunk)} were shrunk within the budget.`;
process.stdout.write(`${summary}\n`);
const table = [
  BEGIN,
  summary,
  '',
  `| trigger | ${SEEDS.map((seed) => `seed ${seed}`).join(' | ')} |`,
  `|---|${SEEDS.map(() => '--:').join('|')}|`,
  ...rows,
  END,
].join('\n');
const page = readFileSync(PAGE, 'utf8');
writeFileSync(
  PAGE,
  page.replace(new RegExp(`${BEGIN}[^]*${END}`), () => table),
);
process.exitCode = found / tried >= 0.9 && blamed.length === 0 ? 0 : 1;
