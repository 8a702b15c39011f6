// Writes the schemas of schemas/files that are made from types.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeSchemas } from './make-schemas.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

for (const [name, text] of makeSchemas(ROOT)) writeFileSync(join(ROOT, `schemas/files/${name}.schema.json`), text);
