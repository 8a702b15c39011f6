// Compiles src/ to dist/. A stale dist/ would keep modules that no longer exist, so it is removed first.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
rmSync(`${root}dist`, { recursive: true, force: true });

const tsc = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
const { status } = spawnSync(process.execPath, [tsc, '--project', `${root}tsconfig.build.json`], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);

chmodSync(`${root}dist/cli.js`, 0o755);

// Not TypeScript, so the compiler leaves them behind.
const ASSETS = 'render/html/assets';
cpSync(`${root}src/${ASSETS}`, `${root}dist/${ASSETS}`, { recursive: true });

// The built-in YAML files are parsed here: at run time that would take longer than the first request.
const { writeYamlSnapshot } = await import('../dist/contract/yaml/write-yaml-snapshot.js');
writeYamlSnapshot();
