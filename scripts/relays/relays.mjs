// Runs `wirecheck relay` and `wirecheck load` on real gateways and writes the tables in docs/relay.md and docs/load.md.
// Gateways that cannot run here are skipped with the reason. `node scripts/relays/relays.mjs NAME…` measures these alone and writes nothing.
import { readFileSync, writeFileSync } from 'node:fs';
import { GATEWAYS } from './gateways.mjs';
import { measureGateway } from './measure.mjs';
import { formatLoadTable } from './load-table.mjs';
import { formatTable } from './table.mjs';
/** @import { MeasuredGateway } from './table.mjs' */

const TABLE = /(<!-- relays -->\n)[^]*?(<!-- \/relays -->)/;
const FORMATS = /** @type {const} */ ({ 'relay.md': formatTable, 'load.md': formatLoadTable });

const names = process.argv.slice(2);
const unknown = names.find((name) => !(name in GATEWAYS));
if (unknown !== undefined) throw new Error(`No gateway ${unknown}: use ${Object.keys(GATEWAYS).join(', ')}.`);
const chosen = Object.entries(GATEWAYS).filter(([name]) => names.length === 0 || names.includes(name));

/** @type {MeasuredGateway[]} */
const measured = [];
for (const [name, gateway] of chosen) {
  const { title } = gateway;
  console.log(`${title}:`);
  const result = await measureGateway(name, gateway);
  if ('problem' in result) console.log(`${title} is skipped: ${result.problem}.`);
  else measured.push({ name, title, ...result });
}
if (measured.length === 0) throw new Error('No gateway could be measured.');

const date = new Date().toISOString().slice(0, 10);
// A measurement of some gateways would take away what is known of the others.
const isWhole = names.length === 0 && measured.length === chosen.length;
for (const [page, format] of Object.entries(FORMATS)) {
  const file = new URL(`../../docs/${page}`, import.meta.url);
  const table = format(measured, date);
  if (isWhole) writeFileSync(file, withTable(readFileSync(file, 'utf8'), table));
  else console.log(table);
}
if (!isWhole && names.length === 0) console.log('The pages are left as they are: not every gateway was measured.');

/**
 * @param {string} document
 * @param {string} table
 */
function withTable(document, table) {
  return document.replace(TABLE, (_, begin, end) => `${begin}${table}\n${end}`);
}
