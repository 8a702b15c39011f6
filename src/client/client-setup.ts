/** What every client of a command shares: a key, an environment, and a scanner that knows their secrets. */
import { createScanner, type Scanner } from '../exchange/secrets/scanner.ts';
import { DEFAULT_SETTINGS } from '../settings.ts';
import { clientEnvironment } from './drive/client-environment.ts';
import { makeKey } from './play.ts';

export interface ClientSetup {
  /** The key that clients are given. */
  readonly key: string;
  /** Environment of the commands, without secrets and proxies. */
  readonly variables: Readonly<Record<string, string>>;
  readonly scanner: Scanner;
}

/** `env`: the user's own environment. */
export function createClientSetup(env: Readonly<Record<string, string | undefined>>): ClientSetup {
  const key = makeKey();
  const { variables, secrets } = clientEnvironment(env);
  const headers = secrets.map((secret) => ({ ...secret, secret: true }));
  const scanner = createScanner({ ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1', headers }, { full: key });
  return { key, variables, scanner };
}
