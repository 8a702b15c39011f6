/** How clients are judged unless the user says otherwise, and what all clients of a command share. */
import { randomBytes } from 'node:crypto';
import type { ClientSettings } from '../exchange/traffic.ts';
import { createScanner, type Scanner } from '../exchange/secrets/scanner.ts';
import { DEFAULT_SCENARIO_TIMEOUT, DEFAULT_SETTINGS } from '../settings.ts';
import { clientEnvironment } from './drive/client-environment.ts';

export const DEFAULT_CLIENT_SETTINGS: ClientSettings = {
  only: [],
  skip: [],
  strict: false,
  levels: {},
  concurrency: DEFAULT_SETTINGS.concurrency,
  scenarioTimeout: DEFAULT_SCENARIO_TIMEOUT,
};

/** A key, an environment, and a scanner that knows their secrets. */
export interface ClientSetup {
  /** The key that clients are given. */
  readonly key: string;
  /** Environment of the commands, without secrets and proxies. */
  readonly variables: Readonly<Record<string, string>>;
  readonly scanner: Scanner;
}

/** `env`: the user's own environment. */
export function createClientSetup(env: Readonly<Record<string, string | undefined>>): ClientSetup {
  const key = `sk-service-${randomBytes(18).toString('base64url').replaceAll(/[-_]/g, 'x')}`;
  const { variables, secrets } = clientEnvironment(env);
  const headers = secrets.map((secret) => ({ ...secret, secret: true }));
  const scanner = createScanner({ ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1', headers }, { full: key });
  return { key, variables, scanner };
}
