// Explores every gateway and every relay with a hidden trigger with five seeds, and every variant and legal relay with one,
// and writes the tables of reports/explore.md. Exits with 1 if fewer than 90 % are found on average, or if one is blamed in vain.
// --seeds N: fewer seeds; --only gateways, relays, variants or legal: that part alone, and nothing is written.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { VARIANTS } from '../../build/src/gateway/index.js';
import { HIDDEN_FAULTS } from '../../build/selftest/explore/hidden-faults.js';
import { HIDDEN_RELAYS } from '../../build/selftest/explore/hidden-relays.js';
import { blamedOf, EXPLORED_RELAYS, tryHidden } from '../../build/selftest/explore/try-explore.js';
import { ROOT } from '../root.mjs';

/** @typedef {import('../../build/selftest/explore/try-explore.js').ExploreTrial} ExploreTrial */

const { values } = parseArgs({ options: { seeds: { type: 'string' }, only: { type: 'string' } } });
const SEEDS = [1, 2, 3, 4, 5].slice(0, Number(values.seeds ?? 5));
const PAGE = join(ROOT, 'reports/explore.md');
/** @param {string} part */
const isAsked = (part) => values.only === undefined || values.only === part;

/** @param {number} part @param {number} all */
const share = (part, all) => `${Math.round((1000 * part) / all) / 10} %`;

/**
 * @param {Readonly<Record<string, { readonly title: string }>>} rows
 * @param {(id: string, seed: number) => Promise<ExploreTrial>} tryOut
 */
async function measure(rows, tryOut) {
  let [found, shrunk, tried] = [0, 0, 0];
  const lines = [];
  for (const [id, { title }] of Object.entries(rows)) {
    const trials = [];
    for (const seed of SEEDS) trials.push(await tryOut(id, seed));
    tried += trials.length;
    found += trials.filter(({ problems }) => problems.length === 0).length;
    shrunk += trials.filter(({ needless }) => needless.length === 0).length;
    const cells = trials.map(({ problems, needed }) =>
      problems.length === 0 ? `${needed}` : needed ? `(${needed})` : '–',
    );
    for (const { problems } of trials) for (const problem of problems) process.stdout.write(`${id}: ${problem}\n`);
    for (const { needless } of trials) for (const part of needless) process.stdout.write(`${id}: ${part}\n`);
    process.stdout.write(`${id}: ${cells.join(' ')}\n`);
    lines.push(`| ${title} | ${cells.join(' | ')} |`);
  }
  const summary = `${share(found, tried)} of ${tried} trials found exactly the broken clauses, ${share(shrunk, tried)} were shrunk to requests from which nothing can be left out.`;
  process.stdout.write(`${summary}\n`);
  const table = [
    summary,
    '',
    `| trigger | ${SEEDS.map((seed) => `seed ${seed}`).join(' | ')} |`,
    `|---|${SEEDS.map(() => '--:').join('|')}|`,
    ...lines,
  ].join('\n');
  return { table, isGood: found / tried >= 0.9 && shrunk / tried >= 0.95 };
}

/** @param {readonly string[]} ids @param {(id: string) => Promise<readonly string[]>} blame */
async function listBlamed(ids, blame) {
  const blamed = [];
  for (const id of ids) {
    const clauses = await blame(id);
    if (clauses.length > 0) blamed.push(`${id}: ${clauses.join(', ')}`);
  }
  process.stdout.write(blamed.map((line) => `blamed ${line}\n`).join(''));
  process.stdout.write(`${ids.length - blamed.length} of ${ids.length} were left alone.\n`);
  return blamed;
}

/** @param {string} name @param {string} table */
function write(name, table) {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const page = readFileSync(PAGE, 'utf8');
  writeFileSync(
    PAGE,
    page.replace(new RegExp(`${begin}[^]*${end}`), () => `${begin}\n${table}\n${end}`),
  );
}

const variants = /** @type {(keyof typeof VARIANTS)[]} */ (Object.keys(VARIANTS));
const gateways = isAsked('gateways') ? await measure(HIDDEN_FAULTS, tryHidden) : undefined;
const relays = isAsked('relays') ? await measure(HIDDEN_RELAYS, tryHidden) : undefined;
const blamed = [
  ...(isAsked('variants') ? await listBlamed(variants, (id) => blamedOf(id, 1, 200)) : []),
  ...(isAsked('legal') ? await listBlamed(EXPLORED_RELAYS, (id) => blamedOf(id, 1, 100)) : []),
];
if (values.only === undefined) {
  if (gateways) write('triggers', gateways.table);
  if (relays) write('relay-triggers', relays.table);
}
process.exitCode = (gateways?.isGood ?? true) && (relays?.isGood ?? true) && blamed.length === 0 ? 0 : 1;
