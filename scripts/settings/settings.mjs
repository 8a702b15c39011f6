// Writes the files that are made from the rows of the settings.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configSchema, settingsPage } from './published-settings.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

writeFileSync(join(ROOT, 'schemas/files/config.schema.json'), `${JSON.stringify(configSchema(), null, 2)}\n`);
writeFileSync(join(ROOT, 'docs/settings.md'), settingsPage());
