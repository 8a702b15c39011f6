import { resolve } from 'node:path';

/**
 * Suite files are read from the folder of the command, like every other file that it names. The process mostly runs in
 * the same folder, and then the name stays as it was typed, since reports show it.
 */
export function locateSuites(names: readonly string[], cwd: string): readonly string[] {
  if (resolve(cwd) === process.cwd()) return names;
  return names.map((name) => (/\.ya?ml$/.test(name) ? resolve(cwd, name) : name));
}
