/** Whether there is an address and keys to run with, and why a text cannot be a key. */
import type { Keys, Settings } from '../settings.ts';
import { usageError } from '../usage-error.ts';
import { checkAddress, checkTransport } from './check-address.ts';

/** Callers of the library may leave out either if they have no types. The command has said more by then. */
export function checkGiven(settings: Partial<Settings>, keys: Keys = {}): void {
  const { baseUrl, allowHttp = false } = settings;
  if (typeof baseUrl !== 'string')
    throw usageError.BASE_URL_MISSING('No base URL: set baseUrl in the settings, such as https://gateway.example/v1.');
  checkTransport(checkAddress({ text: baseUrl, name: 'The base URL' }), allowHttp, 'allowHttp: true');
  if (typeof keys.full !== 'string' || keys.full.trim() === '')
    throw usageError.KEY_MISSING('No API key: pass { full: KEY }, such as that of process.env.WIRECHECK_API_KEY.');
  for (const [role, key] of Object.entries(keys) as [string, unknown][]) if (key !== undefined) checkOne(role, key);
}

/** No message quotes the key. */
function checkOne(role: string, key: unknown): void {
  const name = `The key ${role}`;
  if (typeof key !== 'string') throw usageError.KEY_INVALID(`${name} is not a string: give the key.`);
  if (key.trim() === '') throw usageError.KEY_MISSING(`${name} is empty: give the key, or leave it out.`);
  const wrong = faultOfKey(key);
  if (wrong !== undefined) throw usageError.KEY_INVALID(`${name} ${wrong}`);
}

/** Servers refuse longer headers, whatever key is in them. */
const MAX_KEY_LENGTH = 4096;

/** Mistakes in a key, each with its remedy. No message quotes the key. The first match counts. */
const FAULTS: readonly (readonly [pattern: RegExp, message: (key: string) => string])[] = [
  [/[\r\n\u2028\u2029]/, () => 'contains a line break: give one key, on one line.'],
  [/^bearer\s/i, () => 'starts with Bearer: remove that word, which every request adds.'],
  [/\s/, () => 'contains white space: copy only the key.'],
  [/\p{Cc}/u, () => 'contains control characters: copy it again.'],
  [/^(["'`]).*\1$/, () => 'is in quotes: remove them.'],
  [/^[A-Z_][A-Z0-9_]*=[^=]/, () => 'looks like NAME=VALUE: give the value alone, or name an env file with --env-file.'],
  // A header is bytes; other characters would be sent as something else.
  [/[^\x21-\x7e]/, () => 'contains non-ASCII characters, which a header cannot carry: copy it again.'],
  [
    new RegExp(`^.{${MAX_KEY_LENGTH + 1},}$`),
    ({ length }) =>
      `has ${length.toLocaleString('en')} characters, which servers refuse (the limit is ${MAX_KEY_LENGTH.toLocaleString('en')}): check that it is a key.`,
  ],
];

/** The rest of a sentence that begins with the key's place; undefined for a key that can be sent. */
export function faultOfKey(key: string): string | undefined {
  return FAULTS.find(([pattern]) => pattern.test(key))?.[1](key);
}
