/** The keys of a run: from the environment or from a file, never from the command line. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Keys } from '../../settings.ts';
import { UsageError } from '../../usage-error.ts';
import type { Merged } from './merge-settings.ts';
import { KEY_VARIABLES } from './settings-table.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Those that were given; the full one may be missing. */
export function findKeys(merged: Merged, env: Environment, cwd: string): Keys {
  const full = findFullKey(merged, env, cwd);
  const lent = (variable: string) => {
    const text = env[variable];
    return text === undefined || text.trim() === '' ? undefined : checkKey(text, variable);
  };
  const restricted = lent(KEY_VARIABLES.restricted);
  const exhausted = lent(KEY_VARIABLES.exhausted);
  const limited = lent(KEY_VARIABLES.limited);
  return {
    ...(full !== undefined && { full }),
    ...(restricted !== undefined && { restricted }),
    ...(exhausted !== undefined && { exhausted }),
    ...(limited !== undefined && { limited }),
  };
}

export function requireKeys(merged: Merged, env: Environment, cwd: string): Keys {
  const keys = findKeys(merged, env, cwd);
  if (keys.full !== undefined) return keys;
  const empty = env[KEY_VARIABLES.full] === undefined ? '' : ` (${KEY_VARIABLES.full} is set, but empty)`;
  throw new UsageError(
    `There is no key${empty}: set ${KEY_VARIABLES.full}, or name where it is with --api-key-env NAME or --api-key-file FILE.`,
  );
}

/** What a flag names goes before the usual variable, and that before what the file names. */
function findFullKey(merged: Merged, env: Environment, cwd: string): string | undefined {
  const usual = env[KEY_VARIABLES.full];
  const named = merged.origin('api-key-env') ?? merged.origin('api-key-file');
  const byFlag = [merged.origin('api-key-env'), merged.origin('api-key-file')].some(
    (origin) => origin?.kind === 'flag',
  );
  if (usual !== undefined && usual.trim() !== '' && !byFlag) return checkKey(usual, KEY_VARIABLES.full);
  if (named === undefined) return undefined;

  const variable = merged.get('api-key-env');
  const file = merged.get('api-key-file');
  if (variable !== undefined && file !== undefined) {
    throw new UsageError('--api-key-env and --api-key-file both say where the key is: give one of them.');
  }
  if (file !== undefined) return checkKey(readKeyFile(file, cwd), `the key file ${file}`);
  const text = env[variable ?? ''];
  if (text === undefined || text.trim() === '') {
    throw new UsageError(
      `The variable ${variable}, which --api-key-env names, is ${text === undefined ? 'not set' : 'empty'}.`,
      named.at,
    );
  }
  return checkKey(text, variable ?? '');
}

function readKeyFile(file: string, cwd: string): string {
  try {
    return readFileSync(resolve(cwd, file), 'utf8');
  } catch (error) {
    throw new UsageError(`The key file ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** White space around it comes from copying; inside it, the key is not a key, and a header could not carry it. */
function checkKey(text: string, place: string): string {
  const key = text.trim();
  if (key === '') throw new UsageError(`There is no key in ${place}: it is empty.`);
  if (/[\s\p{Cc}]/u.test(key)) {
    throw new UsageError(
      `The key in ${place} holds white space or control characters: check that it was copied whole and alone.`,
    );
  }
  // A header is bytes; other characters would be sent as something else.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError(
      `The key in ${place} holds characters that a header cannot carry: check that it was copied right.`,
    );
  }
  return key;
}
