// Writes vectors/. Takes about a minute, since every fault is checked once.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../root.mjs';
import { findShowing } from './find-showing.mjs';
import { makeVectors } from './make-vectors.mjs';

const files = makeVectors(await findShowing());
for (const [name, text] of Object.entries(files)) writeFileSync(join(ROOT, 'vectors', name), text);
