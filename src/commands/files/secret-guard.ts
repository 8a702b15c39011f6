/** The last guard against secrets in files and on the screen. */
import { rmSync, statSync } from 'node:fs';
import { readBytes } from '../../recording/read-lines.ts';
import { createScanner, type Scanner } from '../../exchange/secrets/scanner.ts';
import type { Keys, Settings } from '../../settings.ts';
import { usageError } from '../../usage-error.ts';

/** Work with keys: settings that would show one are refused first. */
export function guardKeys<Result>(
  settings: Settings,
  keys: Keys,
  work: (scanner: Scanner) => Promise<Result>,
): Promise<Result> {
  const scanner = createScanner(settings, keys);
  return guardSecrets(scanner, () => {
    refuseOpenSecrets(scanner, settings);
    return work(scanner);
  });
}

/** Refuses settings that would show a key in every report, before anything is sent. */
export function refuseOpenSecrets(scanner: Scanner, { baseUrl, headers, userAgent }: Settings): void {
  const refuse = (text: string, message: string): void => {
    if (scanner.findsIn(text)) throw usageError.KEY_EXPOSED(message);
  };
  const { pathname } = new URL(baseUrl);
  refuse(pathname, 'The path of the base URL contains a key, and every report would show it. Use another address.');
  refuse(userAgent, 'The User-Agent contains a key, and every report would show it. Choose another with --user-agent.');
  for (const { name, value, secret } of headers)
    if (!secret) refuse(value, `The header ${name} contains a key. Pass it with --header-env ${name}=VARIABLE.`);
}

/**
 * Removes files that contain a secret. Compressed ones are decompressed for the search. A leak is a bug in wirecheck: the
 * message names the files that were removed, and what was withheld.
 */
export async function refuseLeaks(
  paths: readonly string[],
  scanner: Scanner,
  withheld: readonly string[] = [],
): Promise<void> {
  const places: string[] = [];
  for (const path of paths) {
    const isFile = statSync(path, { throwIfNoEntry: false })?.isFile();
    if (!isFile || !(await scanner.findsInParts(readBytes(path, () => {})))) continue;
    rmSync(path, { force: true });
    places.push(path);
  }
  places.push(...withheld);
  if (places.length > 0) throw new Error(`a secret was found in ${places.join(', ')}; it was removed or not shown`);
}

/** An error may quote the text that caused it. */
export async function guardSecrets<Result>(scanner: Scanner, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error) {
      error.message = scanner.clean(error.message);
      if (error.stack !== undefined) error.stack = scanner.clean(error.stack);
    }
    throw error;
  }
}
