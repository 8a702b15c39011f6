/** The keys of a run: from the environment or from a file, never from the command line. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Keys } from '../../settings.ts';
import { UsageError } from '../../usage-error.ts';
import type { Merged } from './merge-settings.ts';
import { KEY_VARIABLES } from '../../settings/settings-without-flag.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Those that were given; the full one may be missing. */
export function findKeys(merged: Merged, env: Environment, cwd: string): Keys {
  const full = findFullKey(merged, env, cwd);
  const extra = (variable: string) => {
    const text = env[variable];
    return text === undefined || text.trim() === '' ? undefined : checkKey(text, variable);
  };
  const restricted = extra(KEY_VARIABLES.restricted);
  const exhausted = extra(KEY_VARIABLES.exhausted);
  const limited = extra(KEY_VARIABLES.limited);
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

/** Beyond this, servers of every make begin to refuse a header for its length, whatever key is in it. */
const LONGEST_KEY = 4096;

/** What a key cannot look like, and what to do about it. Never with the key in it. The first that fits is said. */
const WRONG: readonly (readonly [looks: RegExp, sentence: (key: string) => string])[] = [
  [/[\r\n\u2028\u2029]/, () => 'holds a line break: it has to be one key, on one line.'],
  [/^bearer\s/i, () => 'starts with Bearer: leave that away, it is added to every request.'],
  [/\s/, () => 'holds white space: check that it was copied whole and alone.'],
  [/\p{Cc}/u, () => 'holds control characters: check that it was copied right.'],
  [/^(["'`]).*\1$/, () => 'stands in quotes: take them away.'],
  [
    /^[A-Z_][A-Z0-9_]*=[^=]/,
    () => 'looks like NAME=VALUE: give the value alone, or name a file of variables with --env-file.',
  ],
  // A header is bytes; other characters would be sent as something else.
  [/[^\x21-\x7e]/, () => 'holds characters that a header cannot carry (beyond ASCII): check that it was copied right.'],
  [
    new RegExp(`^.{${LONGEST_KEY + 1},}$`),
    ({ length }) =>
      `has ${length.toLocaleString('en')} characters, which servers do not take in a header (at most ${LONGEST_KEY.toLocaleString('en')} are sent): check that it is a key.`,
  ],
];

/** White space around it comes from copying, and a line end from the file it was in. */
function checkKey(text: string, place: string): string {
  const key = text.trim();
  if (key === '') throw new UsageError(`There is no key in ${place}: it is empty.`);
  const wrong = WRONG.find(([looks]) => looks.test(key));
  if (wrong) throw new UsageError(`The key in ${place} ${wrong[1](key)}`);
  return key;
}
