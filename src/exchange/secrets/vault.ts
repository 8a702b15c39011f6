/**
 * The secrets of a run in which requests also arrive at a server of ours: its own keys, and the credentials that arrive.
 * Those are learned on arrival, so that an answer that shows one is found, and only redacted forms leave this folder.
 */
import type { Keys, Settings } from '../../settings.ts';
import type { Header, SecretSeen } from '../exchange.ts';
import { createRedactor, type Redactor } from './redaction.ts';
import { createScanner } from './scanner.ts';
import { collectSecrets, MIN_RUN_LENGTH, type Secret } from './secrets.ts';

/** Role of a credential that arrived. */
export const UPSTREAM_KEY = 'upstream';

interface RawRequest {
  readonly path: string;
  readonly headers: readonly Header[];
  readonly body: Uint8Array;
}

export type Vault = ReturnType<typeof createVault>;

const CREDENTIAL_HEADERS = ['authorization', 'proxy-authorization', 'x-api-key', 'api-key', 'cookie'];

/**
 * Characters in a row of a learned credential that count. Made-up keys consist of ordinary words such as `upstream`, so
 * shorter runs would be found in innocent messages; shorter credentials count only as a whole.
 */
const LEARNED_RUN = 16;
const MIN_LENGTH_FOR_RUNS = 32;
/** A gateway has one credential, or one per model. */
const MAX_LEARNED = 16;

/** `ownWords`: texts that every answer may have, such as the name of the model. They are not secrets, even as a key. */
export function createVault(settings: Settings, keys: Keys, ownWords: readonly string[] = []) {
  const { secrets } = collectSecrets(settings, keys);
  const own = createRedactor(secrets);
  const learned: Secret[] = [];
  let both = own;

  const learn = (text: string): void => {
    if (text.length < MIN_RUN_LENGTH || learned.length >= MAX_LEARNED) return;
    if (Object.values(keys).includes(text) || ownWords.includes(text) || learned.some((known) => known.text === text))
      return;
    learned.push({ role: UPSTREAM_KEY, text, run: text.length < MIN_LENGTH_FOR_RUNS ? 'whole' : LEARNED_RUN });
    both = createRedactor([...secrets, ...learned]);
  };

  const redactor: Redactor = { text: (text) => both.text(text), body: (bytes) => both.body(bytes) };
  return {
    /** Finds the keys of the run and everything learned so far, in all that the run receives. */
    redactor,
    /** Whether a credential arrived that is long enough to be found in an answer. */
    get hasLearned() {
      return learned.length > 0;
    },
    receive({ path, headers, body }: RawRequest) {
      const credentials = headers.filter(([name]) => CREDENTIAL_HEADERS.includes(name.toLowerCase()));
      for (const [name, value] of credentials) if (name.toLowerCase() !== 'cookie') learn(withoutScheme(value));
      const seen: SecretSeen[] = [];
      const note = (found: readonly Omit<SecretSeen, 'place'>[], place: SecretSeen['place']): void => {
        for (const secret of found) if (secret.role !== UPSTREAM_KEY) seen.push({ ...secret, place });
      };
      const hide = (text: string): string => {
        const { value, seen: found } = both.text(text);
        note(found, 'header');
        return value;
      };
      const shown = headers.map(([name, value]): Header => {
        const cleaned = hide(value);
        return [hide(name), CREDENTIAL_HEADERS.includes(name.toLowerCase()) ? hideCredential(cleaned) : cleaned];
      });
      const bytes = Buffer.from(body);
      note(both.body(bytes).seen, 'body');
      return {
        path: hide(path),
        headers: shown,
        body: bytes.toString(),
        /** Keys of the run itself that arrived. */
        secretsSeen: seen as readonly SecretSeen[],
        hasCredential: credentials.length > 0,
      };
    },
    /** Makes one for the files that a run writes. `shown`: texts of every report that are not secrets, such as addresses. */
    createScanner: (shown: readonly string[]) => createScanner(settings, keys, learned, shown),
  };
}

function withoutScheme(value: string): string {
  return value.trim().replace(/^[A-Za-z][\w-]* +(?=\S)/, '');
}

/** Keeps the scheme. */
function hideCredential(value: string): string {
  const secret = withoutScheme(value);
  return value.trim().slice(0, value.trim().length - secret.length) + '*'.repeat(secret.length);
}
