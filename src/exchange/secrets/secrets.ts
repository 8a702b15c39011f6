/** The secrets of a run: every credential that may be sent, made from the role of a key, secret headers, and the proxy's password. */
import { randomNumbers } from '../../random.ts';
import type { Keys, Settings } from '../../settings.ts';
import { EXTRA_KEYS, KEY_USES, type KeyUse } from '../../suite/case.ts';
import type { Header } from '../exchange.ts';
import type { Notice, NoticeOf } from '../notice.ts';
import type { KeyFacts } from '../traffic.ts';

/** Characters. A shorter run may well be an ordinary word. */
export const MIN_RUN_LENGTH = 8;

export interface Secret {
  /** Key role, or header name. */
  readonly role: string;
  /** The secret itself, without the public prefix of a key. */
  readonly text: string;
  /** Any run of this many characters counts; `whole`: only the whole text. */
  readonly run: number | 'whole';
  /** The common prefix of keys, if this one has it. */
  readonly prefix?: string;
}

const GIVEN_KEYS = ['full', ...EXTRA_KEYS] as const;
type GivenKey = (typeof GIVEN_KEYS)[number];
const isGiven = (use: string): use is GivenKey => (GIVEN_KEYS as readonly string[]).includes(use);
const MADE_KEYS = KEY_USES.filter((use) => !isGiven(use));

export function collectSecrets(settings: Settings, keys: Keys) {
  const secrets: Secret[] = [];
  const notices: Notice[] = [];
  const keyFacts: KeyFacts[] = [];
  /** It counts only as a whole, unless it is so short that it would be found everywhere. */
  const addWhole = (role: string, text: string, of: NoticeOf<'short-secret'>['of']): void => {
    if (text.length < MIN_RUN_LENGTH) {
      notices.push({ kind: 'short-secret', of, name: role, least: MIN_RUN_LENGTH });
      return;
    }
    secrets.push({ role, text, run: 'whole' });
    // Keys are expected to be longer.
    if (of === 'key') notices.push({ kind: 'short-key', role, least: MIN_RUN_LENGTH });
  };
  for (const role of GIVEN_KEYS) {
    const key = keys[role];
    if (key === undefined) continue;
    keyFacts.push({ role, hasPrefix: key.startsWith(KEY_PREFIX) });
    const secret = keySecret(role, key);
    if (secret) secrets.push(secret);
    else addWhole(role, key, 'key');
  }
  for (const role of MADE_KEYS) {
    const key = credential(role, keys, settings.seed)?.key;
    const secret = key === undefined || key === keys.full ? undefined : keySecret(role, key);
    if (secret) secrets.push(secret);
  }
  for (const header of settings.headers) {
    if (!header.secret) continue;
    // The scheme in front, as in `Basic dXNl…`, is not a secret.
    const text = header.value.trim().replace(/^[A-Za-z][\w-]* +(?=\S{8,}$)/, '');
    addWhole(header.name, text, 'header');
  }
  const password = settings.proxy === undefined ? '' : decode(new URL(settings.proxy).password);
  if (password !== '') addWhole('proxy', password, 'proxy');
  return { secrets, notices, keyFacts };
}

/** The secrets that a user gave, without the keys that are made of them. */
export function givenSecrets(settings: Settings, keys: Keys): readonly Secret[] {
  return collectSecrets(settings, keys).secrets.filter(({ role }) => !(MADE_KEYS as readonly string[]).includes(role));
}

/** Undefined if the random part is so short that it looks like an ordinary word. */
function keySecret(role: string, key: string): Secret | undefined {
  const prefix = knownPart(key);
  const text = key.slice(prefix.length);
  return text.length < MIN_RUN_LENGTH ? undefined : { role, text, run: MIN_RUN_LENGTH, prefix };
}

/** A stray percent sign is kept as is. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Public prefix of every key (part 5.2 of the contract), so it is never hidden. */
export const KEY_PREFIX = 'sk-service-';
const UNKNOWN_KEY_PREFIX = `${KEY_PREFIX}unknown-`;
const RANDOM_LENGTH = 40;

export interface Credential {
  readonly header?: Header;
  /** Query string. */
  readonly query?: string;
  /** The key itself, without scheme or encoding. */
  readonly key?: string;
}

/** Undefined if the run does not have the key. */
export function credential(use: KeyUse, keys: Keys, seed: number): Credential | undefined {
  return isGiven(use) ? bearer(keys[use]) : MAKERS[use](keys, seed);
}

/** The public prefix of a key; empty if it has none. */
export function knownPart(key: string): string {
  return [UNKNOWN_KEY_PREFIX, KEY_PREFIX].find((prefix) => key.startsWith(prefix)) ?? '';
}

/** Query parameters that gateways accept keys in; one request uses all of them. */
export const QUERY_NAMES = ['api_key', 'api-key', 'apikey', 'key', 'token', 'access_token'];

type Maker = (keys: Keys, seed: number) => Credential | undefined;

const MAKERS: Readonly<Record<Exclude<KeyUse, GivenKey>, Maker>> = {
  none: () => ({}),
  empty: () => ({ header: ['Authorization', 'Bearer '] }),
  basic: withFull(basic),
  'basic-plain': withFull((key) => ({ header: ['Authorization', `Basic ${key}`], key })),
  'basic-unknown': (_keys, seed) => basic(unknownKey(seed)),
  token: withFull((key) => ({ header: ['Authorization', `Token ${key}`], key })),
  bare: withFull((key) => ({ header: ['Authorization', key], key })),
  'no-prefix': (_keys, seed) => bearer(seededWord(seed, 'no-prefix')),
  unknown: (_keys, seed) => bearer(unknownKey(seed)),
  longer: withFull((key) => bearer(`${key}x`)),
  dashed: withFull((key) => bearer(`${key}-zzz`)),
  shorter: withFull((key) => bearer(key.slice(0, -1))),
  'other-case': withFull((key) => bearer(withOtherCase(key))),
  'other-end': withFull((key) => bearer(withOtherEnd(key))),
  'prefix-alone': () => ({ header: ['Authorization', `Bearer ${KEY_PREFIX}`] }),
  'word-after': withFull((key) => ({ header: ['Authorization', `Bearer ${key} x`], key })),
  'word-before': withFull((key) => ({ header: ['Authorization', `x Bearer ${key}`], key })),
  'word-between': withFull((key) => ({ header: ['Authorization', `Bearer x ${key}`], key })),
  'lower-case-scheme': withFull((key) => ({ header: ['Authorization', `bearer ${key}`], key })),
  'x-api-key': withFull((key) => ({ header: ['x-api-key', key], key })),
  query: withFull((key) => ({ query: QUERY_NAMES.map((name) => `${name}=${encodeURIComponent(key)}`).join('&'), key })),
};

function bearer(key: string | undefined): Credential | undefined {
  return key === undefined ? undefined : { header: ['Authorization', `Bearer ${key}`], key };
}

/** The key is both the user and the password, since some targets look for it in one of them. */
function basic(key: string): Credential {
  return { header: ['Authorization', `Basic ${Buffer.from(`${key}:${key}`).toString('base64')}`], key };
}

function unknownKey(seed: number): string {
  return UNKNOWN_KEY_PREFIX + seededWord(seed, 'unknown');
}

/** The prefix stays, since it may be all that a target looks at. A key without letters gets another end. */
function withOtherCase(key: string): string {
  const prefix = knownPart(key);
  const swapped = key
    .slice(prefix.length)
    .replaceAll(/[a-z]/gi, (letter) => (/[a-z]/.test(letter) ? letter.toUpperCase() : letter.toLowerCase()));
  return prefix + swapped === key ? withOtherEnd(key) : prefix + swapped;
}

function withOtherEnd(key: string): string {
  return key.slice(0, -1) + (key.endsWith('x') ? 'y' : 'x');
}

function withFull(make: (key: string) => Credential | undefined): Maker {
  return ({ full }) => (full === undefined ? undefined : make(full));
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** The same seed and purpose give the same word, so that a run can be repeated. */
function seededWord(seed: number, purpose: string): string {
  let mixed = seed | 0;
  for (const letter of purpose) mixed = (Math.imul(mixed, 31) + (letter.codePointAt(0) ?? 0)) | 0;
  const random = randomNumbers(mixed);
  return Array.from({ length: RANDOM_LENGTH }, () => LETTERS[Math.floor(random() * LETTERS.length)]).join('');
}
