// Runs `wirecheck relay` on real gateways and writes the table in docs/relay.md. Gateways that cannot run here are
// skipped with the reason. `node scripts/relays/relays.mjs NAME…` measures these alone and writes nothing.
import { readFileSync, writeFileSync } from 'node:fs';
import { GATEWAYS } from './gateways.mjs';
import { measureGateway } from './measure.mjs';
import { formatTable } from './table.mjs';
/** @import { MeasuredGateway } from './table.mjs' */

const DOCUMENT = new URL('../../docs/relay.md', import.meta.url);
const TABLE = /(<!-- relays -->\n)[^]*?(<!-- \/relays -->)/;

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

const table = formatTable(measured, new Date().toISOString().slice(0, 10));
if (names.length > 0) console.log(table);
else if (measured.length < chosen.length) {
  // A measurement of some gateways would take away what is known of the others.
  console.log(`${table}\ndocs/relay.md is left as it is: not every gateway was measured.`);
} else {
  const document = readFileSync(DOCUMENT, 'utf8');
  writeFileSync(
    DOCUMENT,
    document.replace(TABLE, (_, begin, end) => `${begin}${table}\n${end}`),
  );
}
