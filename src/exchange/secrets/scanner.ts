/** Searches the output of a run for secrets: the safety net behind redaction. */
import type { Keys, Settings } from '../../settings.ts';
import { patternsOf, PatternTable } from './pattern-table.ts';
import { createRedactor, type Redactor, searchBytes } from './redaction.ts';
import { collectSecrets, type Secret } from './secrets.ts';

export type Scanner = ReturnType<typeof createScanner>;

/**
 * Characters in a row of a secret that count in our own files, which mix our own words with those of the target. Keys
 * for tests are often made of ordinary words (`sk-service-test-gateway`), but none has so many characters in common with
 * our sentences and names. A shorter secret counts as a whole, together with its prefix, if it is this long then.
 */
const UNMISTAKABLE = 20;

/** Bytes that one escaped character takes at most, as in `&#00000065;`. */
const MAX_ESCAPE_LENGTH = 12;

/** `learned`: secrets that arrived during the run. `shown`: addresses in every report beside the base URL. */
export function createScanner(
  settings: Settings,
  keys: Keys,
  learned: readonly Secret[] = [],
  shown: readonly string[] = [],
) {
  const secrets = [...collectSecrets(settings, keys).secrets, ...learned];
  const { baseUrl } = settings;
  // Every report has these addresses.
  const open = [`${baseUrl}/chat/completions`, `${baseUrl}/models`, new URL(baseUrl).origin, ...shown];
  const hidden = secrets.flatMap((secret) => withoutShown(secret, open));
  const table = new PatternTable(hidden.flatMap(unmistakable).flatMap(patternsOf));
  const overlap = table.longest * MAX_ESCAPE_LENGTH;
  const finds = (bytes: Buffer): boolean => {
    let found = false;
    if (table.longest > 0) searchBytes(table, bytes, true, { see: () => (found = true), mark: () => {} });
    return found;
  };
  // Made when it is needed: few runs end with an error, and all of them would begin later.
  let redactor: Redactor | undefined;
  return {
    /** Whether the text contains a secret. */
    findsIn: (text: string) => finds(Buffer.from(text)),
    /** The same for content that comes in parts. */
    async findsInParts(parts: AsyncIterable<Buffer>): Promise<boolean> {
      let tail = Buffer.alloc(0);
      for await (const part of parts) {
        const bytes = Buffer.concat([tail, part]);
        if (finds(bytes)) return true;
        // A secret may be cut between two parts.
        tail = bytes.subarray(Math.max(0, bytes.length - overlap));
      }
      return false;
    },
    /** The text with every secret redacted. */
    clean: (text: string) => (redactor ??= createRedactor(secrets)).text(text).value,
  };
}

/** What counts in our own files, for a redactor of such texts. */
export function unmistakable({ role, text, prefix = '' }: Secret): Secret[] {
  if (text.length >= UNMISTAKABLE) return [{ role, text, run: UNMISTAKABLE }];
  const whole = prefix + text;
  return whole.length >= UNMISTAKABLE ? [{ role, text: whole, run: 'whole' }] : [];
}

/** A secret header may name the target or the upstream, as in a configuration that is sent along. The parts around it still count. */
function withoutShown(secret: Secret, shown: readonly string[]): Secret[] {
  const text = secret.text.toLowerCase();
  const isShown = new Uint8Array(text.length);
  for (const address of shown) {
    const each = address.toLowerCase();
    const size = Math.min(UNMISTAKABLE, each.length);
    for (let at = 0; at + size <= text.length; at++) {
      if (each.includes(text.slice(at, at + size))) isShown.fill(1, at, at + size);
    }
  }
  if (!isShown.includes(1)) return [secret];
  const parts = Array.from(isShown, (shown, at) => (shown === 1 ? '\0' : (secret.text[at] ?? '')))
    .join('')
    .split('\0');
  return parts.filter((part) => part !== '').map((part) => ({ role: secret.role, text: part, run: secret.run }));
}
