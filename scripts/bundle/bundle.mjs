// Makes bundle/wirecheck.mjs: the whole program in one file that Node runs without an install, and its checksum.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
/** @import { PluginBuild } from 'esbuild' */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = process.argv[2] ?? join(ROOT, 'bundle');
const NAME = 'wirecheck.mjs';
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** What the program reads at run time. */
const EMBEDDED = ['schemas', 'suites', 'profiles', 'templates', 'dist/render/html/assets', 'dist/yaml-snapshot.json'];

const { outputFiles, metafile } = await build({
  entryPoints: [join(ROOT, 'scripts/bundle/entry.mjs')],
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20.19',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  write: false,
  metafile: true,
  outfile: NAME,
  logLevel: 'warning',
  define: { 'import.meta.url': 'FILE_URL' },
  banner: { js: "const FILE_URL=require('node:url').pathToFileURL(__filename).href;" },
  plugins: [{ name: 'wirecheck', setup: plugIn }],
});

const program = outputFiles.map(({ text }) => text).join('');
const head = readFileSync(join(ROOT, 'scripts/bundle/head.mjs'), 'utf8').replace('VERSION', version);
const bundle = `#!/usr/bin/env node\n${head}\n${asComment(licences())}\n//PROGRAM\n${asComment(escapeAll(program.trim()))}\n`;
mkdirSync(FOLDER, { recursive: true });
writeFileSync(join(FOLDER, NAME), bundle, { mode: 0o755 });
const checksum = createHash('sha256').update(bundle).digest('hex');
writeFileSync(join(FOLDER, `${NAME}.sha256`), `${checksum}  ${NAME}\n`);
const size = (bundle.length / 1024 / 1024).toFixed(1);
process.stdout.write(`${join(FOLDER, NAME)}: wirecheck ${version}, ${size} MB, SHA-256 ${checksum}\n`);

/**
 * The head reads one byte per character, which is the fastest. The bundler leaves tagged templates as they are.
 * @param {string} text
 */
function escapeAll(text) {
  return text.replaceAll(
    /[\u0080-\uFFFF]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** @param {string} text */
function asComment(text) {
  return `//${text.replaceAll('\n', '\n//')}`;
}

/** @param {PluginBuild} bundler */
function plugIn(bundler) {
  bundler.onResolve({ filter: /^wirecheck:files$/ }, () => ({ path: 'files', namespace: 'wirecheck' }));
  bundler.onLoad({ filter: /.*/, namespace: 'wirecheck' }, () => ({ contents: embeddedFiles(), loader: 'js' }));
  bundler.onResolve({ filter: /\/package-files\.js$/ }, () => ({
    path: join(ROOT, 'scripts/bundle/package-files.mjs'),
  }));
  // The program loads some packages late, by a `require` of its own. The bundler follows only the plain one.
  bundler.onLoad({ filter: /[\\/]build[\\/].*\.js$/ }, ({ path }) => {
    if (path.includes('node_modules')) return undefined;
    return {
      contents: readFileSync(path, 'utf8').replaceAll('const require = createRequire(import.meta.url);', ''),
      loader: 'js',
    };
  });
}

function embeddedFiles() {
  const files = EMBEDDED.flatMap(listFiles).toSorted();
  const texts = files.map(
    (file) => `${JSON.stringify(file)}:${JSON.stringify(readFileSync(join(ROOT, file), 'utf8'))}`,
  );
  return `export const VERSION=${JSON.stringify(version)};export const FILES={${texts.join(',')}};`;
}

/**
 * @param {string} path of a file or folder of the package
 * @returns {string[]}
 */
function listFiles(path) {
  if (path.endsWith('.json')) return [path];
  return readdirSync(join(ROOT, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}

/** Of wirecheck and of every package in the bundle. */
function licences() {
  const inputs = Object.keys(metafile.inputs);
  const packages = new Set(inputs.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []));
  return ['.', ...[...packages].toSorted().map((name) => `node_modules/${name}`)]
    .map((folder) => {
      const manifest = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
      const file = readdirSync(join(ROOT, folder)).find((name) => /^licen[cs]e/i.test(name));
      if (file === undefined) throw new Error(`${folder} has no licence file, so it cannot be bundled.`);
      const text = readFileSync(join(ROOT, folder, file), 'utf8')
        .replaceAll('©', '(c)')
        .trim();
      return `${manifest.name} ${manifest.version} (${manifest.license})\n\n${text}\n\n`;
    })
    .join('');
}
