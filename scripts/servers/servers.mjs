// Runs wirecheck on real servers, keeps the recordings, and writes docs/servers.md and the evidence from them. Servers
// that cannot run here are skipped with the reason, and keep their recording. `npm run servers -- NAME…` asks these
// alone; `npm run servers -- --judge-only` asks none.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../root.mjs';
import { makePages } from './make-pages.mjs';
import { recordingOf, REPORTS } from './measured.mjs';
import { RECIPES } from './recipes.mjs';
import { recordServer } from './record.mjs';

const args = process.argv.slice(2);
const names = args.filter((arg) => arg !== '--judge-only');
const unknown = names.find((name) => !(name in RECIPES));
if (unknown !== undefined) throw new Error(`No server ${unknown}: use ${Object.keys(RECIPES).join(', ')}.`);

mkdirSync(join(ROOT, REPORTS), { recursive: true });
if (!args.includes('--judge-only')) {
  for (const [name, recipe] of Object.entries(RECIPES)) {
    if (names.length > 0 && !names.includes(name)) continue;
    console.log(`${recipe.title}:`);
    const problem = await recordServer(name, recipe, join(ROOT, recordingOf(name)));
    if (problem !== undefined) console.log(`${recipe.title} is skipped: ${problem}.`);
  }
}
for (const [file, text] of Object.entries((await makePages()).pages)) writeFileSync(join(ROOT, file), text);
