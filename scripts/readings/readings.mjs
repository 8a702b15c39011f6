// Writes the page of readings, and the lists of tests in the page of the contract.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../root.mjs';
import { withTests } from './contract-tests.mjs';
import { readingsPage } from './readings-page.mjs';

const CONTRACT_PAGE = join(ROOT, 'docs/contract.md');

writeFileSync(join(ROOT, 'docs/readings.md'), readingsPage());
writeFileSync(CONTRACT_PAGE, withTests(readFileSync(CONTRACT_PAGE, 'utf8')));
