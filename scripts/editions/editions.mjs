// `npm run edition:cut -- DATE`: a step of `npm run release`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestNow, EDITIONS_FILE, findEditionProblem, loadEditions } from '../../build/src/contract/editions.js';
import { ROOT } from '../root.mjs';
import { cutEdition } from './cut-edition.mjs';

const [date = new Date().toISOString().slice(0, 10)] = process.argv.slice(2);
const problem = findEditionProblem(loadEditions(), digestNow());
if (problem === undefined) {
  const file = join(ROOT, EDITIONS_FILE);
  writeFileSync(file, cutEdition(readFileSync(file, 'utf8'), digestNow(), date));
} else {
  console.error(problem);
  process.exitCode = 1;
}
