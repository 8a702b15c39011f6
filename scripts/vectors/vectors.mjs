// Writes vectors/.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../root.mjs';
import { makeVectors } from './make-vectors.mjs';

for (const [name, text] of Object.entries(makeVectors())) writeFileSync(join(ROOT, 'vectors', name), text);
