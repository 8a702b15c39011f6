// The clone that a script belongs to.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** @returns {{ name: string, version: string, description: string, license: string, dependencies: object }} */
export function readManifest() {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
}
