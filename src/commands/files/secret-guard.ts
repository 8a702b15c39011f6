/** The last guard against secrets in files and on the screen. */
import { rmSync, statSync } from 'node:fs';
import { readBytes } from '../../recording/read-lines.ts';
import { createScanner, type Scanner } from '../../exchange/secrets/scanner.ts';
import type { Keys, Settings } from '../../settings.ts';
import { usageError } from '../../usage-error.ts';

/** Removes files that contain a secret, and returns their paths. Compressed files are decompressed for the search. */
async function removeLeaks(paths: readonly string[], scanner: Scanner): Promise<readonly string[]> {
  const leaking: string[] = [];
  for (const path of paths) {
    if (!isFile(path) || !(await scanner.findsInParts(readBytes(path, () => {})))) continue;
    rmSync(path, { force: true });
    leaking.push(path);
  }
  return leaking;
}

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
  const shown: readonly (readonly [text: string, remedy: string])[] = [
    [
      new URL(baseUrl).pathname,
      'The path of the base URL contains a key, and every report would show it. Use another address.',
    ],
    [userAgent, 'The User-Agent contains a key, and every report would show it. Choose another with --user-agent.'],
    ...headers
      .filter(({ secret }) => !secret)
      .map(
        ({ name, value }) =>
          [value, `The header ${name} contains a key. Pass it with --header-env ${name}=VARIABLE.`] as const,
      ),
  ];
  const [, remedy] = shown.find(([text]) => scanner.findsIn(text)) ?? [];
  if (remedy !== undefined) throw usageError.KEY_EXPOSED(remedy);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** A leak is a bug in wirecheck. The message names the files that were removed, and what was withheld. */
export async function refuseLeaks(
  paths: readonly string[],
  scanner: Scanner,
  withheld: readonly string[] = [],
): Promise<void> {
  const places = [...(await removeLeaks(paths, scanner)), ...withheld];
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
