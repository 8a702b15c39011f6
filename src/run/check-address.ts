/** Whether an address may be asked at all, and a key be sent there. Checked before anything is sent. */
import { inert } from '../text/layout.ts';
import { type UsageCode, UsageError, usageError } from '../usage-error.ts';

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
