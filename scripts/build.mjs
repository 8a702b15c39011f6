// Compiles src/ and selftest/ to build/, which tests and scripts use, and bundles src/ into dist/, which is what we ship: chunks, since loading some 400 modules one by one would take most of the time before the first request.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.mjs';

const { build } = await import('esbuild').catch(() => {
  console.error('The packages that the build needs are missing: run `npm ci` first.');
  process.exit(1);
});

const BUILT = join(ROOT, 'build');
const MODULES = join(BUILT, 'src');
const SHIPPED = join(ROOT, 'dist');

/** What others import or start. */
const PROGRAMS = ['cli', 'index', 'contract/yaml/foreign-yaml-worker'];

// Modules that no longer exist would stay.
for (const folder of [BUILT, SHIPPED]) rmSync(folder, { recursive: true, force: true });

const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
const { status } = spawnSync(process.execPath, [tsc, '--project', join(ROOT, 'tsconfig.build.json')], {
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);

await build({
  entryPoints: PROGRAMS.map((program) => join(MODULES, `${program}.js`)),
  outbase: MODULES,
  // The chunks name modules by their path from here.
  absWorkingDir: ROOT,
  outdir: SHIPPED,
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  logLevel: 'warning',
});
chmodSync(join(SHIPPED, 'cli.js'), 0o755);

cpSync(MODULES, SHIPPED, {
  recursive: true,
  filter: (path) => path.endsWith('.d.ts') || statSync(path).isDirectory(),
});
// Not TypeScript, so the compiler leaves them behind.
const ASSETS = 'render/html/assets';
cpSync(join(ROOT, 'src', ASSETS), join(SHIPPED, ASSETS), { recursive: true });

// The built-in YAML files are parsed here: at run time that would take longer than the first request.
const { writeYamlSnapshot } = await import('../build/src/contract/write-built-files.js');
writeYamlSnapshot();

const { BUILT: VALIDATORS, validatorCode } = await import('../build/src/contract/write-built-files.js');
const { builtValidatorFile } = await import('../build/src/contract/file-schema.js');
for (const name of VALIDATORS) {
  const { head, code } = validatorCode(name);
  await build({
    stdin: { contents: code, resolveDir: ROOT },
    outfile: join(ROOT, builtValidatorFile(name)),
    banner: { js: head.trimEnd() },
    bundle: true,
    minify: true,
    format: 'iife',
    globalName: 'validator',
    target: 'node20.19',
    logLevel: 'warning',
  });
}
