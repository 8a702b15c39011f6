// Installs the stock clients, measures them, and writes reports/clients.md, docs/clients.svg and schemas/clients.json.
// `node scripts/clients/clients.mjs NAME…` measures these faults, variants or scenarios alone, prints the results and
// writes nothing.
import { writeFileSync } from 'node:fs';
import { installAll } from './install.mjs';
import { formatMatrix } from './matrix.mjs';
import { listTrials, measure } from './measure.mjs';
import { drawMatrix } from './picture.mjs';
import { STOCK } from './stock.mjs';
import { formatScenarios, playScenarios } from './scenarios.mjs';
import { formatClientsFile, summarize } from './summarize.mjs';

const names = process.argv.slice(2);
const skipped = installAll();
for (const [language, reason] of Object.entries(skipped)) console.log(`clients/${language} is skipped: ${reason}.`);
const clients = STOCK.filter(({ language }) => !(language in skipped));
if (clients.length === 0) throw new Error('No client could be installed.');

const trials = await listTrials(names);
console.log(`${trials.length} gateways, ${clients.length} clients`);
const results = await measure(clients, trials, ({ name }, calls) => console.log(`${name}: ${calls} calls`));
const scenarios = names.filter((name) => name.startsWith('client/'));
const reports =
  names.length > 0 && scenarios.length === 0
    ? []
    : await playScenarios(clients, scenarios, ({ name }, { cases }) =>
        console.log(`${name}: ${cases.length} scenarios`),
      );

if (names.length > 0) {
  for (const { trial, call, client, effect = 'exact text', error = '' } of results) {
    console.log(`${trial} ${call} ${client}: ${effect} ${error}`.trimEnd());
  }
  if (reports.length > 0) console.log(formatScenarios(reports).join('\n'));
} else {
  const measured = new Date().toISOString().slice(0, 10);
  /**
   * @param {string} file
   * @param {string} text
   */
  const write = (file, text) => writeFileSync(new URL(`../../${file}`, import.meta.url), text);
  const played = formatScenarios(reports);
  write('docs/clients.svg', drawMatrix(reports));
  write('reports/clients.md', formatMatrix({ measured, clients, skipped, trials, results, played }));
  // A measurement of some clients would take away what is known of the others.
  if (clients.length === STOCK.length) {
    write('schemas/clients.json', formatClientsFile(measured, clients, summarize(trials, results)));
  } else console.log('schemas/clients.json is left as it is: not every client was measured.');
}
