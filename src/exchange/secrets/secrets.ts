/** Lists the secrets of a run: every credential that may be sent, secret headers, and the password of the proxy. */
import type { Keys, Settings } from '../../settings.ts';
import { KEY_USES, EXTRA_KEYS, type KeyUse } from '../../suite/case.ts';
import { credential, KEY_PREFIX, knownPart } from './credentials.ts';
import type { Notice, NoticeOf } from '../notice.ts';
import type { KeyFacts } from '../traffic.ts';

/** Characters. A shorter run may well be an ordinary word. */
export const MIN_RUN_LENGTH = 8;

export interface Secret {
  /** Key role, or header name. */
  readonly role: string;
  /** Without the public prefix of a key. */
  readonly text: string;
  /** Any run of this many characters counts; `whole`: only the whole text. */
  readonly run: number | 'whole';
  /** The common prefix of keys, if this one has it. */
  readonly prefix?: string;
}

export interface Secrets {
  readonly secrets: readonly Secret[];
  readonly notices: readonly Notice[];
  readonly keyFacts: readonly KeyFacts[];
}

const GIVEN_KEYS = ['full', ...EXTRA_KEYS] as const;
const MADE_KEYS = KEY_USES.filter((use): use is KeyUse => !(GIVEN_KEYS as readonly string[]).includes(use));

export function collectSecrets(settings: Settings, keys: Keys): Secrets {
  const secrets: Secret[] = [];
  const notices: Notice[] = [];
  const keyFacts: KeyFacts[] = [];
  for (const role of GIVEN_KEYS) {
    const key = keys[role];
    if (key === undefined) continue;
    keyFacts.push({ role, hasPrefix: key.startsWith(KEY_PREFIX) });
    const secret = keySecret(role, key);
    if (secret) secrets.push(secret);
    else notices.push(...addWhole(secrets, role, key, 'key'));
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
    notices.push(...addWhole(secrets, header.name, text, 'header'));
  }
  const password = settings.proxy === undefined ? '' : decode(new URL(settings.proxy).password);
  if (password !== '') notices.push(...addWhole(secrets, 'proxy', password, 'proxy'));
  return { secrets, notices, keyFacts };
}

/** Those that a user gave, without the keys that are made of them. */
export function givenSecrets(settings: Settings, keys: Keys): readonly Secret[] {
  return collectSecrets(settings, keys).secrets.filter(({ role }) => !(MADE_KEYS as readonly string[]).includes(role));
}

/** Undefined if the random part is so short that it looks like an ordinary word. */
function keySecret(role: string, key: string): Secret | undefined {
  const prefix = knownPart(key);
  const text = key.slice(prefix.length);
  return text.length < MIN_RUN_LENGTH ? undefined : { role, text, run: MIN_RUN_LENGTH, prefix };
}

/** Adds a secret that counts only as a whole, unless it is so short that it would be found everywhere. */
function addWhole(
  secrets: Secret[],
  role: string,
  text: string,
  of: NoticeOf<'short-secret'>['of'],
): readonly Notice[] {
  if (text.length < MIN_RUN_LENGTH) return [{ kind: 'short-secret', of, name: role, least: MIN_RUN_LENGTH }];
  secrets.push({ role, text, run: 'whole' });
  // Keys are expected to be longer.
  return of === 'key' ? [{ kind: 'short-key', role, least: MIN_RUN_LENGTH }] : [];
}

/** A stray percent sign is kept as is. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
