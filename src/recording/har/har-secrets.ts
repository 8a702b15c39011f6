/** Every credential in a HAR is a secret from first sight: the whole file is looked through before anything is handed on. */
import { KEY_PREFIX, knownPart } from '../../exchange/secrets/credentials.ts';
import type { Header } from '../../exchange/exchange.ts';
import { SHORTEST_RUN, type Secret } from '../../exchange/secrets/secrets.ts';
import type { KeyFacts } from '../../exchange/traffic.ts';
import { UsageError } from '../../usage-error.ts';
import type { Credentials } from './har-reading.ts';

const KEY_HEADERS = new Set(['authorization', 'x-api-key', 'api-key']);
const CREDENTIAL_HEADERS = new Set([...KEY_HEADERS, 'proxy-authorization', 'cookie', 'set-cookie']);
const CREDENTIAL_QUERY = /^(?:api[-_]?key|key|token|access[-_]?token|auth)$/i;
/** Looking for more would take longer than anybody waits. */
const MOST_SECRETS = 2_000;

export class HarSecrets {
  readonly #secrets = new Map<string, Secret>();
  #accepted: boolean | undefined;

  /** Whatever the entry is of. */
  see({ headers, answerHeaders, path }: Credentials): void {
    for (const text of [...credentialsIn([...headers, ...answerHeaders], CREDENTIAL_HEADERS), ...queryOf(path)]) {
      this.#add(text);
    }
  }

  /** Roles of the secrets by which a request was let in: an answer that repeats one of these gives it away. */
  sentWith({ headers, path }: Credentials): ReadonlySet<string> {
    const all = [...credentialsIn(headers, KEY_HEADERS), ...queryOf(path)];
    const texts = all.filter((text) => !isPlaceholder(text));
    return new Set(texts.flatMap((text) => this.#secrets.get(secretPart(text))?.role ?? []));
  }

  /** Of an exchange that is judged: what becomes of its key. */
  seeKey({ headers, status }: Credentials): void {
    const key = bearerOf(headers);
    if (key === undefined) return;
    if (status >= 200 && status < 300) this.#accepted = (this.#accepted ?? true) && key.startsWith(KEY_PREFIX);
  }

  get secrets(): readonly Secret[] {
    return [...this.#secrets.values()];
  }

  /** Browsers leave credentials out of the files that they write, so that there may be none that was accepted. */
  get keys(): readonly KeyFacts[] {
    return this.#accepted === undefined ? [] : [{ role: 'full', hasPrefix: this.#accepted }];
  }

  #add(value: string): void {
    const text = secretPart(value);
    if (text.length < SHORTEST_RUN || this.#secrets.has(text)) return;
    this.#secrets.set(text, { role: `credential ${this.#secrets.size + 1}`, text, run: SHORTEST_RUN });
    if (this.#secrets.size > MOST_SECRETS) {
      throw new UsageError(
        `The HAR holds more than ${MOST_SECRETS.toLocaleString('en')} different credentials: split it.`,
      );
    }
  }
}

/** None where something else stands in place of the key. */
export function bearerOf(headers: readonly Header[]): string | undefined {
  const value = headers.find(([name]) => name === 'authorization')?.[1] ?? '';
  const key = /^bearer +(\S.*)$/i.exec(value)?.[1]?.trim();
  return key === undefined || isPlaceholder(key) ? undefined : key;
}

/** What people and tools write over a key before they hand a file on. */
const PLACEHOLDERS = [
  /^(.)\1*$/u,
  /\*{3}|…|\.{3}/,
  /^(?:\[.*\]|<.*>|\$?\{.*\})$/,
  /^(?:sk-)?[\W_]*(?:redacted|filtered|hidden|removed|masked)[\W_]*$/i,
];

/** One that still shows how the key began says enough of it. */
function isPlaceholder(key: string): boolean {
  return !key.startsWith(KEY_PREFIX) && PLACEHOLDERS.some((pattern) => pattern.test(key));
}

/** The value of a header that holds a credential, as it may be shown: its scheme, and what every key begins with. */
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

/** Without what every key begins with. */
function secretPart(value: string): string {
  return value.slice(knownPart(value).length);
}

/** A key behind its scheme; user and password of Basic; each value of a cookie. */
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
