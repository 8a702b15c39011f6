/**
 * The files that the package ships: schemas, suites, templates, assets. Everything reads them here, by their path from
 * the package's root, so that the one-file bundle can hold them and replace this module.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import type { WorkerOptions } from 'node:worker_threads';
import { once } from '../once-per.ts';
import { packageRoot } from './package-root.ts';

export function readPackageFile(path: string): string {
  return readFileSync(join(packageRoot(), path), 'utf8');
}

/** Undefined if there is none: what the build makes is not there before it. */
export function findPackageFile(path: string): string | undefined {
  try {
    return readPackageFile(path);
  } catch {
    return undefined;
  }
}

/** Sorted paths of all files in a folder and below it. */
export function listPackageFiles(folder: string): readonly string[] {
  return readdirSync(join(packageRoot(), folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(packageRoot().length + 1)
        .replaceAll('\\', '/'),
    )
    .toSorted();
}

export const packageVersion = once((): string => {
  return (JSON.parse(readPackageFile('package.json')) as { readonly version?: string }).version ?? '';
});

/**
 * How users start the program, in a project or globally. It never installs a stranger's package of this name. Commands
 * with the values of a run, which are there to be pasted, start with it; where a sentence names a command, it has the bare
 * name.
 */
export const COMMAND = 'npx --no-install wirecheck';

/**
 * A page of the documentation, or a place in it, by its path from where the user is: `docs/relay.md` in a clone, and
 * `node_modules/@wirecheck/wirecheck/docs/relay.md` in a project that has wirecheck installed.
 */
export function pathOfPage(page: string): string {
  return pathOfFile(`docs/${page}`);
}

/** Any file of the package, or a line of it, likewise. */
export function pathOfFile(file: string): string {
  const path = join(packageRoot(), file);
  const near = relative(process.cwd(), path);
  return (near.startsWith('..') || isAbsolute(near) ? path : near).replaceAll(sep, '/');
}

/** A file of `src` that is no module. The build copies it to `dist`, which a checkout may have from an older build. */
export function readSourceFile(path: string): string {
  return findPackageFile(`src/${path}`) ?? readPackageFile(`dist/${path}`);
}

/** Another program of the package, by its path in `dist/`, for a worker thread: a file, or its text with `eval`. */
export function workerProgram(path: string): { readonly program: string; readonly options: WorkerOptions } {
  return { program: join(packageRoot(), 'dist', path), options: {} };
}
