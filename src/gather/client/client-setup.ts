/**
 * How clients are judged unless the user says otherwise, and what all clients of a command share: a key, and an environment
 * without proxies and keys.
 */
import { randomBytes } from 'node:crypto';
import type { ClientSettings } from '../../exchange/traffic.ts';
import { createScanner, type Scanner } from '../../exchange/secrets/scanner.ts';
import { DEFAULT_SCENARIO_TIMEOUT, DEFAULT_SETTINGS } from '../../settings.ts';

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
export function createClientSetup(env: Variables): ClientSetup {
  const key = `sk-service-${randomBytes(18).toString('base64url').replaceAll(/[-_]/g, 'x')}`;
  const { variables, secrets } = clientEnvironment(env);
  const headers = secrets.map((secret) => ({ ...secret, secret: true }));
  const scanner = createScanner({ ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1', headers }, { full: key });
  return { key, variables, scanner };
}

type Variables = Readonly<Record<string, string | undefined>>;

/** A proxy would change what the client sends and gets. */
const PROXY = /proxy/i;
/** They would send the client elsewhere, or its traffic to a third party. */
const OTHER_SETTINGS = /^(?:WIRECHECK|OPENAI|AZURE_OPENAI|LANGCHAIN|LANGSMITH)_/i;
const SECRET = /token|secret|passw|credential|apikey|(?:^|_)(?:keys?|auth|pass)(?:_|$)/i;
/** A shorter value may well be an ordinary word. */
const MIN_SECRET_LENGTH = 8;

/** The user's own environment, without proxies and keys. What was left out is known, to be redacted if it turns up anyway. */
export function clientEnvironment(own: Variables) {
  const all = Object.entries(own).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
  const secrets = all.filter(({ name, value }) => SECRET.test(name) && value.length >= MIN_SECRET_LENGTH);
  const isLeftOut = ({ name, value }: (typeof all)[number]): boolean =>
    [PROXY, OTHER_SETTINGS, SECRET].some((pattern) => pattern.test(name)) ||
    secrets.some((secret) => value.includes(secret.value));
  const kept = all.filter((each) => !isLeftOut(each));
  return { variables: Object.fromEntries(kept.map(({ name, value }) => [name, value])), secrets };
}
