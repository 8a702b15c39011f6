// Runs `wirecheck client` on real clients before and after they fixed a bug, and writes docs/bugs.md. A client that
// cannot run here is skipped with the reason. `npm run bugs -- NAME…` plays these alone and writes nothing.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../root.mjs';
import { BUGS } from './known-bugs.mjs';
import { bugsPage, failures } from './page.mjs';
import { playVersion } from './play.mjs';
/** @import { PlayedBug } from './page.mjs' */

const names = process.argv.slice(2);
const unknown = names.find((name) => !BUGS.some((bug) => bug.name === name));
if (unknown !== undefined) throw new Error(`No bug ${unknown}: use ${BUGS.map(({ name }) => name).join(', ')}.`);
const chosen = BUGS.filter(({ name }) => names.length === 0 || names.includes(name));

/** @type {PlayedBug[]} */
const played = [];
for (const bug of chosen) {
  console.log(`${bug.title} ${bug.before} and ${bug.after}:`);
  const [before, after] = [await playVersion(bug, bug.before), await playVersion(bug, bug.after)];
  if ('problem' in before || 'problem' in after) {
    console.log(
      `${bug.title} is skipped: ${[before, after].flatMap((each) => ('problem' in each ? each.problem : [])).join('; ')}.`,
    );
    continue;
  }
  const [found, left] = [failures(bug.scenarios, before.results), failures(bug.scenarios, after.results)];
  console.log(`  before: ${found.join(', ') || 'nothing'}; after: ${left.join(', ') || 'nothing'}`);
  if (found.length === 0 || left.length > 0) throw new Error(`${bug.title}: the fix is not seen.`);
  played.push({ bug, before: before.results, after: after.results });
}

if (played.length === BUGS.length) {
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(join(ROOT, 'docs/bugs.md'), bugsPage(played, date));
} else if (names.length === 0) console.log('docs/bugs.md is left as it is: not every client was run.');
