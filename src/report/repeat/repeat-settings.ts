/** The settings of a run, typed again: as flags of `wirecheck run`, and as options of curl. Nothing secret is in them. */
import type { Report } from '../report.ts';
import { argument } from './shell-text.ts';

type Described = Report['provenance']['settings'];

/** The run that is to be repeated in part. */
export interface Repeated {
  readonly baseUrl: string;
  readonly settings: Described;
  readonly seed: number;
}

/**
 * What a single case depends on. Left out are choices of cases, budgets and pace, which a single case does not need, and
 * levels, for which there is no flag: they are read from the configuration file again.
 */
const FLAGS: Readonly<Record<string, string>> = {
  suites: '--suite',
  model: '--model',
  forbiddenModel: '--forbidden-model',
  replyTokens: '--reply-tokens',
  streamTokens: '--stream-tokens',
  modelsSample: '--models-sample',
  strict: '--strict',
  userAgent: '--user-agent',
  'tls.ca': '--ca',
  'tls.insecure': '--insecure',
  'tls.clientCert': '--client-cert',
  'tls.clientKey': '--client-key',
  allowHttp: '--allow-http',
  openapi: '--openapi',
  'timeouts.attempt': '--timeout',
  'timeouts.connect': '--connect-timeout',
  'timeouts.firstByte': '--first-byte-timeout',
  'timeouts.idle': '--idle-timeout',
  retries: '--retries',
  maxRetryWait: '--max-retry-wait',
  'limits.body': '--max-body',
  'limits.stream': '--max-stream',
  'limits.total': '--max-total',
  'limits.line': '--max-line',
  'limits.headers': '--max-headers',
  'limits.events': '--max-events',
  'limits.depth': '--max-depth',
};

export function runFlags({ settings, seed }: Repeated): readonly string[] {
  const plain = Object.entries(FLAGS).flatMap(([name, flag]) => {
    const value = settings[name];
    if (value === undefined || value === false) return [];
    if (value === true) return [flag];
    return (typeof value === 'object' ? value : [value]).map((one) => `${flag} ${argument(String(one))}`);
  });
  const headers = headersIn(settings).map(({ name, value, variable }) =>
    variable === undefined
      ? `--header ${argument(`${name}: ${value}`)}`
      : `--header-env ${argument(`${name}=${variable}`)}`,
  );
  const proxy = proxyIn(settings);
  return [...plain, ...headers, ...(proxy === undefined ? [] : [`--proxy ${proxy}`]), `--seed ${seed}`];
}

const CURL: Readonly<Record<string, string>> = {
  'tls.ca': '--cacert',
  'tls.insecure': '--insecure',
  'tls.clientCert': '--cert',
  'tls.clientKey': '--key',
};

export function curlOptions({ settings }: Repeated): readonly string[] {
  const plain = Object.entries(CURL).flatMap(([name, option]) => {
    const value = settings[name];
    if (value === undefined || value === false) return [];
    return [value === true ? option : `${option} ${argument(String(value))}`];
  });
  const proxy = proxyIn(settings);
  return [...plain, ...(proxy === undefined ? [] : [`--proxy ${proxy}`])];
}

interface DescribedHeader {
  readonly name: string;
  readonly value: string;
  /** The variable that holds the value of a secret one. */
  readonly variable?: string;
}

/** By which variable a secret header was given, by its name in lower case. */
export function secretHeaders({ settings }: Repeated): ReadonlyMap<string, string> {
  return new Map(
    headersIn(settings).flatMap(({ name, variable }) =>
      variable === undefined ? [] : [[name.toLowerCase(), variable] as const],
    ),
  );
}

function headersIn({ headers = [] }: Described): readonly DescribedHeader[] {
  return (typeof headers === 'object' ? headers : []).map((text) => {
    const [, name = '', value = ''] = /^([^:]*): (.*)$/s.exec(text) ?? [];
    const [secret, variable = name.toUpperCase().replaceAll(/\W/g, '_')] =
      /^\(secret(?: in (\w+))?\)$/.exec(value) ?? [];
    return { name, value, ...(secret !== undefined && { variable }) };
  });
}

/** One with a login is not shown, but has a variable of its own. */
function proxyIn({ proxy }: Described): string | undefined {
  if (proxy === undefined) return undefined;
  return /\((?:login|given)\)/.test(String(proxy)) ? '"$WIRECHECK_PROXY"' : argument(String(proxy));
}
