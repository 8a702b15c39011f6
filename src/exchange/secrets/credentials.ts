/** Makes the credential of a request from the part that its key plays. */
import type { Keys } from '../../settings.ts';
import type { KeyUse } from '../../suite/case.ts';
import type { Header } from '../exchange.ts';
import { seededWord } from '../seeded.ts';

/** Part 5.2 of the contract. It says nothing about any one key, so it is never hidden. */
export const KEY_PREFIX = 'sk-service-';
const UNKNOWN_KEY_PREFIX = `${KEY_PREFIX}unknown-`;
const RANDOM_LENGTH = 40;

export interface Credential {
  readonly header?: Header;
  /** What to put behind the question mark. */
  readonly query?: string;
  /** The key inside, as it was before any scheme or encoding. */
  readonly key?: string;
}

/** `undefined` where the key that it takes was not given. */
export function credential(use: KeyUse, keys: Keys, seed: number): Credential | undefined {
  return MAKERS[use](keys, seed);
}

/** The part of a key that is the same for everybody. */
export function knownPart(key: string): string {
  return [UNKNOWN_KEY_PREFIX, KEY_PREFIX].find((prefix) => key.startsWith(prefix)) ?? '';
}

/** The names that gateways take a key under, all in one request. */
export const QUERY_NAMES = ['api_key', 'api-key', 'apikey', 'key', 'token', 'access_token'];

type Maker = (keys: Keys, seed: number) => Credential | undefined;

const MAKERS: Readonly<Record<KeyUse, Maker>> = {
  full: ({ full }) => bearer(full),
  restricted: ({ restricted }) => bearer(restricted),
  exhausted: ({ exhausted }) => bearer(exhausted),
  limited: ({ limited }) => bearer(limited),
  none: () => ({}),
  empty: () => ({ header: ['Authorization', 'Bearer '] }),
  basic: withFull((key) => ({ header: ['Authorization', `Basic ${Buffer.from(`${key}:`).toString('base64')}`], key })),
  'basic-plain': withFull((key) => ({ header: ['Authorization', `Basic ${key}`], key })),
  token: withFull((key) => ({ header: ['Authorization', `Token ${key}`], key })),
  bare: withFull((key) => ({ header: ['Authorization', key], key })),
  'no-prefix': (_keys, seed) => bearer(seededWord(seed, 'no-prefix', RANDOM_LENGTH)),
  unknown: (_keys, seed) => bearer(UNKNOWN_KEY_PREFIX + seededWord(seed, 'unknown', RANDOM_LENGTH)),
  longer: withFull((key) => bearer(`${key}x`)),
  shorter: withFull((key) => bearer(key.slice(0, -1))),
  'lower-case-scheme': withFull((key) => ({ header: ['Authorization', `bearer ${key}`], key })),
  'x-api-key': withFull((key) => ({ header: ['x-api-key', key], key })),
  query: withFull((key) => ({ query: QUERY_NAMES.map((name) => `${name}=${encodeURIComponent(key)}`).join('&'), key })),
};

function bearer(key: string | undefined): Credential | undefined {
  return key === undefined ? undefined : { header: ['Authorization', `Bearer ${key}`], key };
}

function withFull(make: (key: string) => Credential | undefined): Maker {
  return ({ full }) => (full === undefined ? undefined : make(full));
}
