/** The environment that a client gets: the user's own, without proxies and keys. */

type Variables = Readonly<Record<string, string | undefined>>;

export interface ClientEnvironment {
  readonly variables: Readonly<Record<string, string>>;
  /** Secrets that were left out, so that they can be redacted if they turn up anyway. */
  readonly secrets: readonly { readonly name: string; readonly value: string }[];
}

/** A proxy would change what the client sends and gets. */
const PROXY = /proxy/i;
/** They would send the client elsewhere, or its traffic to a third party. */
const OTHER_SETTINGS = /^(?:WIRECHECK|OPENAI|AZURE_OPENAI|LANGCHAIN|LANGSMITH)_/i;
const SECRET = /token|secret|passw|credential|apikey|(?:^|_)(?:keys?|auth|pass)(?:_|$)/i;
/** A shorter value may well be an ordinary word. */
const MIN_SECRET_LENGTH = 8;

export function clientEnvironment(own: Variables): ClientEnvironment {
  const all = Object.entries(own).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
  const secrets = all.filter(({ name, value }) => SECRET.test(name) && value.length >= MIN_SECRET_LENGTH);
  const isKept = ({ name, value }: { readonly name: string; readonly value: string }): boolean =>
    !PROXY.test(name) &&
    !OTHER_SETTINGS.test(name) &&
    !SECRET.test(name) &&
    !secrets.some((secret) => value.includes(secret.value));
  return {
    variables: Object.fromEntries(all.filter(isKept).map(({ name, value }) => [name, value])),
    secrets,
  };
}
