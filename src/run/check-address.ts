/** Whether there is an address and keys to run with. All is checked before anything is sent. */
import { inert } from '../text/layout.ts';
import { type UsageCode, UsageError, usageError } from '../usage-error.ts';
import type { Keys, Settings } from '../settings.ts';

export interface GivenAddress {
  readonly text: string;
  /** How the sentence about it starts. */
  readonly name: string;
  readonly at?: { readonly file: string; readonly line: number };
}

/** Returns the address without trailing slashes. The sentence never repeats a possible secret. */
export function checkAddress({ text, name, at }: GivenAddress): string {
  const wrong = (what: string, code?: UsageCode) => new UsageError(`${name} ${what}`, { ...at, ...(code && { code }) });
  const given = text.trim();
  if (given === '') throw wrong('is empty: give one such as https://gateway.example/v1.');
  if (/[\s\p{Cc}]/u.test(given)) throw wrong('contains white space or control characters: remove them.');
  if (!/^https?:\/\//i.test(given) || !URL.canParse(given)) {
    const whole = `https://${given}`;
    if (/^(?:localhost|[\w-]+(?:\.[\w-]+)+|[\w-]+(?=:\d))(?::\d+)?(?:\/\S*)?$/.test(given) && URL.canParse(whole))
      throw wrong(`does not start with http:// or https://: write ${inert(whole, 100)}, or http:// if it has no TLS.`);
    const shown = given.includes('@') ? '' : ` (${inert(given, 100)})`;
    throw wrong(`is not an http or https address${shown}: give one such as https://gateway.example/v1.`);
  }
  const url = new URL(given);
  if (url.username !== '' || url.password !== '')
    throw wrong('holds a user name or a password: remove it, and set WIRECHECK_API_KEY to the key.', 'KEY_EXPOSED');
  if (given.includes('?')) throw wrong('has a query: remove everything from the question mark on.');
  if (given.includes('#')) throw wrong('has a fragment: remove everything from the # on.');
  return url.href.replace(/\/+$/, '');
}

/** A key over plain http can be read by everyone on the way, unless it does not leave this machine. */
export function checkTransport(baseUrl: string, allowHttp: boolean, permission = '--allow-http'): void {
  if (allowHttp || !needsPermission(baseUrl)) return;
  throw usageError.KEY_EXPOSED(
    `The key would go to ${new URL(baseUrl).hostname} over plain http, where anyone on the network can read it: use https, or allow it with ${permission}.`,
  );
}

/** Whether a key goes there only with `--allow-http`. */
export function needsPermission(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol !== 'https:' && !isLoopback(hostname);
}

/** URL has already brought every way to write an address into one form. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

// Whether there is an address and keys to run with, and why a text cannot be a key.

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
