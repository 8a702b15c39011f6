// Makes the program of the bundle and of the executable: one CommonJS text with everything that it reads in it.
import { build } from 'esbuild';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readManifest, ROOT } from '../root.mjs';
/** @import { PluginBuild } from 'esbuild' */

/** What the program reads at run time. */
const EMBEDDED = [
  ...['schemas', 'suites', 'profiles', 'templates'],
  ...['dist/render/html/assets', 'dist/validators', 'dist/yaml-snapshot.json'],
];

/**
 * @typedef {object} Program
 * @property {string} text In ASCII. It exports `start`.
 * @property {readonly string[]} packages The folders of the packages in it, from the root, in order.
 */

/** @returns {Promise<Program>} */
export async function makeProgram() {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(ROOT, 'scripts/bundle/entry.mjs')],
    // The text has the paths of modules. They must not depend on where the clone and its packages are.
    absWorkingDir: ROOT,
    preserveSymlinks: true,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    // An executable has no modules that it could import.
    supported: { 'dynamic-import': false },
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    write: false,
    metafile: true,
    outfile: 'wirecheck.mjs',
    logLevel: 'warning',
    define: { 'import.meta.url': 'FILE_URL' },
    banner: { js: "const FILE_URL=require('node:url').pathToFileURL(__filename).href;" },
    plugins: [{ name: 'wirecheck', setup: plugIn }],
  });
  const text = escapeAll(outputFiles.map((file) => file.text).join('')).trim();
  const names = Object.keys(metafile.inputs).flatMap(
    (path) => /node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? [],
  );
  return { text, packages: [...new Set(names)].toSorted() };
}

/**
 * The head of the bundle reads one byte per character, which is the fastest. The bundler leaves tagged templates as they are.
 * @param {string} text
 */
function escapeAll(text) {
  return text.replaceAll(
    /[\u0080-\uFFFF]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** @param {PluginBuild} bundler */
function plugIn(bundler) {
  bundler.onResolve({ filter: /^virtual:files$/ }, () => ({ path: 'files', namespace: 'wirecheck' }));
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
  const texts = files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]);
  const { name, version } = readManifest();
  const all = { ...Object.fromEntries(texts), 'package.json': JSON.stringify({ name, version }) };
  return `export const FILES=${JSON.stringify(all)};`;
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
