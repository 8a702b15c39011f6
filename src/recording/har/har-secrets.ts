/** Collects every credential in a HAR file as a secret, before any of its entries is used. */

import { findHeader, type Header } from '../../exchange/exchange.ts';
import { KEY_PREFIX, knownPart, MIN_RUN_LENGTH, type Secret } from '../../exchange/secrets/secrets.ts';
import type { KeyFacts } from '../../exchange/traffic.ts';
import { UsageError } from '../../usage-error.ts';
import type { Credentials } from './har-reading.ts';

const KEY_HEADERS = new Set(['authorization', 'x-api-key', 'api-key']);
const CREDENTIAL_HEADERS = new Set([...KEY_HEADERS, 'proxy-authorization', 'cookie', 'set-cookie']);
const CREDENTIAL_QUERY = /^(?:api[-_]?key|key|token|access[-_]?token|auth)$/i;
/** Searching for more would take too long. */
const MAX_SECRETS = 2_000;

export class HarSecrets {
  readonly #secrets = new Map<string, Secret>();
  #accepted: boolean | undefined;
  #showsKeys = false;

  /** For an entry of any API. */
  add({ headers, answerHeaders, path }: Credentials): void {
    this.#showsKeys ||= headers.some(([name]) => KEY_HEADERS.has(name));
    for (const text of [...credentialsIn([...headers, ...answerHeaders], CREDENTIAL_HEADERS), ...queryOf(path)]) {
      this.#add(text);
    }
  }

  /** Roles of the secrets that a request was sent with: an answer that repeats one of them leaks it. */
  sentWith({ headers, path }: Credentials): ReadonlySet<string> {
    const all = [...credentialsIn(headers, KEY_HEADERS), ...queryOf(path)];
    const texts = all.filter((text) => !isPlaceholder(text));
    return new Set(texts.flatMap((text) => this.#secrets.get(secretPart(text))?.role ?? []));
  }

  /** For an exchange that is judged: whether its key was accepted. */
  addKey({ headers, status }: Credentials): void {
    const key = bearerOf(headers);
    if (key === undefined) return;
    if (status >= 200 && status < 300) this.#accepted = (this.#accepted ?? true) && key.startsWith(KEY_PREFIX);
  }

  get secrets(): readonly Secret[] {
    return [...this.#secrets.values()];
  }

  /** False if no request has the header of a key: browsers leave it out unless told otherwise. */
  get showsKeys(): boolean {
    return this.#showsKeys;
  }

  /** Browsers leave credentials out, so there may be no accepted key. */
  get keys(): readonly KeyFacts[] {
    return this.#accepted === undefined ? [] : [{ role: 'full', hasPrefix: this.#accepted }];
  }

  #add(value: string): void {
    const text = secretPart(value);
    if (text.length < MIN_RUN_LENGTH || this.#secrets.has(text)) return;
    this.#secrets.set(text, { role: `credential ${this.#secrets.size + 1}`, text, run: MIN_RUN_LENGTH });
    if (this.#secrets.size > MAX_SECRETS) {
      throw new UsageError(
        `The HAR file has more than ${MAX_SECRETS.toLocaleString('en')} different credentials. Split it.`,
        { code: 'FILE_INVALID' },
      );
    }
  }
}

/** Undefined for a placeholder. */
export function bearerOf(headers: readonly Header[]): string | undefined {
  const key = writtenKey(headers);
  return key === undefined || isPlaceholder(key) ? undefined : key;
}

export function hasMaskedKey(headers: readonly Header[]): boolean {
  const key = writtenKey(headers) ?? findHeader(headers, 'authorization');
  return key !== undefined && isPlaceholder(key);
}

function writtenKey(headers: readonly Header[]): string | undefined {
  const value = findHeader(headers, 'authorization') ?? '';
  return /^bearer +(\S.*)$/i.exec(value)?.[1]?.trim();
}

/** What people and tools replace a key with before they share a file. */
const PLACEHOLDERS = [
  /^(.)\1*$/u,
  /\*{3}|…|\.{3}/,
  /^(?:\[.*\]|<.*>|\$?\{.*\})$/,
  /^(?:sk-)?[\W_]*(?:redacted|filtered|hidden|removed|masked)[\W_]*$/i,
];

/** A placeholder that keeps the prefix of the key still tells enough about it. */
function isPlaceholder(key: string): boolean {
  return !key.startsWith(KEY_PREFIX) && PLACEHOLDERS.some((pattern) => pattern.test(key));
}

/** Blanks a credential in a header, except for its scheme and the common prefix of keys. */
export function hideCredential([name, value]: Header): Header {
  if (!CREDENTIAL_HEADERS.has(name)) return [name, value];
  const scheme = name.endsWith('authorization') ? (/^[A-Za-z][\w-]* +(?=\S)/.exec(value)?.[0] ?? '') : '';
  const known = knownPart(value.slice(scheme.length));
  return [name, scheme + known + '*'.repeat(value.length - scheme.length - known.length)];
}

function credentialsIn(headers: readonly Header[], names: ReadonlySet<string>): readonly string[] {
  return headers.flatMap(([name, value]) => (names.has(name) ? partsOf(name, value) : []));
}

function queryOf(path: string): readonly string[] {
  const query = [...new URL(path, 'http://har').searchParams];
  return query.flatMap(([name, value]) => (CREDENTIAL_QUERY.test(name) ? [value] : []));
}

/** Without the common prefix of keys. */
function secretPart(value: string): string {
  return value.slice(knownPart(value).length);
}

/** The key after its scheme; user and password of Basic; each value of a cookie. */
function partsOf(name: string, value: string): readonly string[] {
  if (name === 'cookie' || name === 'set-cookie') {
    const pairs = name === 'cookie' ? value.split(';') : value.split(';', 1);
    return pairs.map((pair) => pair.slice(pair.indexOf('=') + 1).trim());
  }
  const credential = value.replace(/^[A-Za-z][\w-]* +(?=\S)/, '').trim();
  if (!/^basic /i.test(value)) return [credential];
  const decoded = Buffer.from(credential, 'base64').toString('utf8');
  return [credential, ...decoded.split(':')];
}
