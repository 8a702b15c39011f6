// Writes reports/samples/ anew: every format, of a gateway that conforms and of one that does not.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeSamples, SAMPLES_FOLDER } from '../dist/samples.test.kit.js';

const samples = await makeSamples();
for (const folder of new Set([...samples.keys()].map(dirname))) {
  rmSync(join(SAMPLES_FOLDER, folder), { recursive: true, force: true });
  mkdirSync(join(SAMPLES_FOLDER, folder), { recursive: true });
}
for (const [path, text] of samples) {
  writeFileSync(join(SAMPLES_FOLDER, path), text);
  console.log(`reports/samples/${path}`);
}
