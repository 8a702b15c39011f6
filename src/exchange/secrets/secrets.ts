/** Knows what is secret in a run: every credential that may be sent, and every header that the user marked so. */
import type { Keys, Settings } from '../../settings.ts';
import { KEY_USES, EXTRA_KEYS, type KeyUse } from '../../suite/case.ts';
import { credential, KEY_PREFIX, knownPart } from './credentials.ts';
import type { KeyFacts } from '../traffic.ts';

/** A shorter run of characters may well be an ordinary word. */
export const SHORTEST_RUN = 8;

export interface Secret {
  /** Key role, or header name. */
  readonly role: string;
  readonly text: string;
  /** True where any run of eight characters gives the secret away; else only the whole does. */
  readonly inParts: boolean;
}

export interface Secrets {
  readonly secrets: readonly Secret[];
  readonly notices: readonly string[];
  readonly keyFacts: readonly KeyFacts[];
}

const GIVEN_KEYS = ['full', ...EXTRA_KEYS] as const;
const MADE_KEYS = KEY_USES.filter((use): use is KeyUse => !(GIVEN_KEYS as readonly string[]).includes(use));

export function collectSecrets(settings: Settings, keys: Keys): Secrets {
  const secrets: Secret[] = [];
  const notices: string[] = [];
  const keyFacts: KeyFacts[] = [];
  for (const role of GIVEN_KEYS) {
    const key = keys[role];
    if (key === undefined) continue;
    keyFacts.push({ role, hasPrefix: key.startsWith(KEY_PREFIX) });
    const random = key.slice(knownPart(key).length);
    if (random.length >= SHORTEST_RUN) secrets.push({ role, text: random, inParts: true });
    else notices.push(...addShort(secrets, { role, text: key, inParts: false }, `The ${role} key`));
  }
  for (const role of MADE_KEYS) {
    const key = credential(role, keys, settings.seed)?.key;
    const random = key?.slice(knownPart(key).length) ?? '';
    if (key !== keys.full && random.length >= SHORTEST_RUN) secrets.push({ role, text: random, inParts: true });
  }
  for (const header of settings.headers) {
    if (!header.secret) continue;
    // `Basic dXNl…`: the scheme is no secret, and what follows it is one on its own.
    const text = header.value.trim().replace(/^[A-Za-z][\w-]* +(?=\S{8,}$)/, '');
    notices.push(
      ...addShort(secrets, { role: header.name, text, inParts: false }, `The secret header ${header.name}`, true),
    );
  }
  const proxyPassword = settings.proxy === undefined ? '' : decode(new URL(settings.proxy).password);
  if (proxyPassword !== '') {
    const secret = { role: 'proxy', text: proxyPassword, inParts: false };
    notices.push(...addShort(secrets, secret, 'The password of the proxy', true));
  }
  return { secrets, notices, keyFacts };
}

/** Adds a secret that counts only as a whole; below eight characters it cannot be looked for in answers at all. */
function addShort(secrets: Secret[], secret: Secret, name: string, isUsual = false): readonly string[] {
  if (secret.text.length < SHORTEST_RUN) {
    return [
      `${name} has fewer than ${SHORTEST_RUN} characters and cannot be told from ordinary words: it is hidden in requests, but not in answers that repeat it.`,
    ];
  }
  secrets.push(secret);
  if (isUsual) return [];
  return [
    `${name} has fewer than ${SHORTEST_RUN} random characters: it is hidden only where it stands as a whole, not in part.`,
  ];
}

/** A stray percent sign stands for itself. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
