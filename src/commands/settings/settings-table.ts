/**
 * Every setting, once. Flags, `WIRECHECK_*` variables, keys of the configuration file, parsing, help and the README's table
 * all come from these rows: a row `reply-tokens` is `--reply-tokens`,
 * `WIRECHECK_REPLY_TOKENS` and `replyTokens:`.
 */
import { FORMAT_NAMES } from '../../render/index.ts';
import { DEFAULT_SETTINGS } from '../../settings.ts';
import { file, httpUrl, integer, rate, size, text, time, toggle, type ValueType } from './value-types.ts';

export const GROUPS = [
  'Keys',
  'Model and tokens',
  'What counts',
  'Which cases',
  'Reaching the target',
  'Output',
  'Time',
  'Cost',
  'Size',
  'Configuration',
] as const;
export type Group = (typeof GROUPS)[number];

export interface InFile {
  readonly key: string;
  /** A map there, whose entries are joined by this to what the flag takes. */
  readonly joinedBy?: string;
  /** True there means false here. */
  readonly inverse?: boolean;
}

export interface Setting<Value = unknown> {
  readonly group: Group;
  readonly type: ValueType<Value>;
  readonly summary: string;
  readonly default?: Value;
  /** What happens without it, where that is not a value. */
  readonly otherwise?: string;
  /** Repeatable: how several are written in one value. */
  readonly several?: 'comma' | 'line';
  /** Says something about a target of the user's own, so `wirecheck demo` does not take it. */
  readonly ownTarget?: boolean;
  /** How the configuration file has it, where that is not plainly the name in camel case; `false` where it has it not. */
  readonly inFile?: InFile | false;
  /** The value may hold a secret: messages do not repeat it. */
  readonly discreet?: boolean;
}

/** Keeps the very type of the value and of what is added, so that each setting comes out as what it is. */
function setting<Value, const More extends Partial<Setting<Value>> = object>(
  group: Group,
  type: ValueType<Value>,
  summary: string,
  more?: More,
): Setting<Value> & More {
  return { group, type, summary, ...more } as Setting<Value> & More;
}

const d = DEFAULT_SETTINGS;
export const FORMAT_LIST = FORMAT_NAMES.join(', ');
export const DEFAULT_FILES = 'report.json, report.html, junit.xml and report.md';
/** Somebody pays for each of them: more is a slip of the finger. */
const MOST_TOKENS = 100_000;
const MOST_REQUESTS = 1_000_000;

export const SETTINGS = {
  'api-key-env': setting('Keys', text('NAME', 'the name of a variable'), 'variable that holds the key', {
    otherwise: 'WIRECHECK_API_KEY',
    ownTarget: true,
  }),
  'api-key-file': setting('Keys', file, 'file that holds the key', { ownTarget: true }),
  'forbidden-model': setting('Keys', text('ID'), 'a model that the key in WIRECHECK_RESTRICTED_KEY may not call', {
    ownTarget: true,
  }),

  model: setting('Model and tokens', text('ID'), 'model to call', {
    otherwise: 'the first listed one that answers',
    ownTarget: true,
  }),
  'reply-tokens': setting('Model and tokens', integer(1, MOST_TOKENS), 'max_tokens of the control request', {
    default: d.replyTokens,
  }),
  'stream-tokens': setting('Model and tokens', integer(1, MOST_TOKENS), 'max_tokens of the long stream', {
    default: d.streamTokens,
  }),
  'models-sample': setting('Model and tokens', integer(0, 100), 'listed models to call with one token each', {
    default: d.modelsSample,
  }),
  seed: setting(
    'Model and tokens',
    integer(0, 4_294_967_295),
    'feeds every generated key and word, so that a run can be repeated',
    { otherwise: 'a new one, said in the report' },
  ),

  strict: setting('What counts', toggle, 'a should that does not hold fails the run'),
  waivers: setting(
    'What counts',
    file,
    'known failures that do not fail the run for a time; `wirecheck waive` adds one',
  ),
  'fail-on-unused-waivers': setting('What counts', toggle, 'a waiver whose cases all passed fails the run'),
  baseline: setting('What counts', file, 'report.json of an older run: only what it had not yet fails the run'),

  only: setting('Which cases', text('GLOB'), 'only cases whose id matches, such as auth/*', { several: 'comma' }),
  skip: setting('Which cases', text('GLOB'), 'leave out cases whose id matches', { several: 'comma' }),
  suite: setting('Which cases', text('NAME|FILE'), 'a built-in suite or a suite file of your own', {
    otherwise: 'every built-in suite',
    several: 'comma',
    inFile: { key: 'suites' },
  }),
  'rerun-failed': setting('Which cases', file, 'only the cases that failed or were inconclusive in this report.json', {
    inFile: false,
  }),
  bail: setting('Which cases', toggle, 'stop after the stage in which a must has failed'),

  header: setting(
    'Reaching the target',
    text("'NAME: VALUE'", 'a header written as Name: value'),
    'header to add to every request',
    { several: 'line', ownTarget: true, discreet: true, inFile: { key: 'headers', joinedBy: ': ' } },
  ),
  'header-env': setting(
    'Reaching the target',
    text('NAME=VAR', 'a header name and a variable, written as Name=VAR'),
    'secret header to add, its value taken from a variable',
    { several: 'comma', ownTarget: true, inFile: { key: 'headersFromEnv', joinedBy: '=' } },
  ),
  ca: setting('Reaching the target', file, 'certificate authority to trust (PEM)', { ownTarget: true }),
  insecure: setting('Reaching the target', toggle, 'do not check the certificate (said in the report)', {
    ownTarget: true,
  }),
  'client-cert': setting('Reaching the target', file, 'client certificate (PEM), with --client-key', {
    ownTarget: true,
  }),
  'client-key': setting('Reaching the target', file, 'key of the client certificate (PEM)', { ownTarget: true }),
  proxy: setting('Reaching the target', httpUrl, 'proxy to go through; HTTP_PROXY and the like are ignored', {
    ownTarget: true,
    discreet: true,
  }),
  'user-agent': setting('Reaching the target', text('TEXT'), 'User-Agent to send', {
    default: d.userAgent,
    ownTarget: true,
  }),
  'wait-for': setting('Reaching the target', time, 'wait until /models answers below 500, at most this long', {
    ownTarget: true,
  }),
  'allow-http': setting(
    'Reaching the target',
    toggle,
    'send the key over plain http to a host that is not this machine',
    { ownTarget: true },
  ),
  openapi: setting(
    'Reaching the target',
    text('URL|FILE', 'an address or the name of a file'),
    'published OpenAPI description to check as well',
    { ownTarget: true },
  ),

  reporter: setting(
    'Output',
    text('NAME[=FILE]', `one of ${FORMAT_LIST}, with =FILE or without`),
    `format to write (${FORMAT_LIST}), in place of the default files unless --out is given too; without a file it goes to stdout and all else to stderr`,
    { several: 'comma', inFile: { key: 'reporters' } },
  ),
  out: setting(
    'Output',
    text('DIR|none', 'a folder, or none'),
    `folder for the default files (${DEFAULT_FILES}), or none`,
    {
      default: 'wirecheck-report',
    },
  ),
  'no-bodies': setting('Output', toggle, 'leave the bodies of requests and answers out of the report', {
    inFile: { key: 'bodies', inverse: true },
  }),
  record: setting(
    'Output',
    file,
    'keep everything that was exchanged in this file, for `wirecheck judge` and `compare`',
    {
      inFile: false,
    },
  ),
  force: setting(
    'Output',
    toggle,
    'replace the recording of a run, or a report that was judged before, where one is there',
    { inFile: false },
  ),
  verbose: setting('Output', toggle, 'show every case and every exchange'),
  quiet: setting('Output', toggle, 'show only the verdict'),

  timeout: setting('Time', time, 'for one attempt', { default: d.timeouts.attempt }),
  'connect-timeout': setting('Time', time, 'until connected', { default: d.timeouts.connect }),
  'first-byte-timeout': setting('Time', time, 'until the first byte of the answer', { default: d.timeouts.firstByte }),
  'idle-timeout': setting('Time', time, 'without a byte in mid-answer', { default: d.timeouts.idle }),
  'max-time': setting('Time', time, 'for the run as a whole', { default: d.timeouts.run }),
  retries: setting('Time', integer(0, 10), 'further attempts of a request', { default: d.retries }),
  'max-retry-wait': setting('Time', time, 'longest Retry-After that is waited for', { default: d.maxRetryWait }),

  'max-requests': setting('Cost', integer(1, MOST_REQUESTS), 'end the run after so many requests', {
    otherwise: 'no limit',
  }),
  'max-completions': setting('Cost', integer(0, MOST_REQUESTS), 'end the run after so many charged completions', {
    otherwise: 'no limit',
  }),
  concurrency: setting('Cost', integer(1, 64), 'requests at a time', { default: d.concurrency }),
  rate: setting('Cost', rate, 'requests per second at most', { otherwise: 'no limit' }),

  'max-body': setting('Size', size, 'of a plain answer', { default: d.limits.body }),
  'max-stream': setting('Size', size, 'of a streamed answer', { default: d.limits.stream }),
  'max-total': setting('Size', size, 'of all answers of a run together', { default: d.limits.total }),
  'max-line': setting('Size', size, 'of one line of a stream', { default: d.limits.line }),
  'max-headers': setting('Size', size, 'of the headers of an answer', { default: d.limits.headers }),
  'max-events': setting('Size', integer(1, 10_000_000), 'events of a stream', { default: d.limits.events }),
  'max-depth': setting('Size', integer(1, 1000), 'nesting of a JSON answer', { default: d.limits.depth }),

  config: setting('Configuration', file, 'configuration file', {
    otherwise: 'wirecheck.config.yaml, if there is one',
    inFile: false,
  }),
  'env-file': setting('Configuration', file, 'file of variables; the environment goes first', { inFile: false }),
} satisfies Record<string, Setting<string> | Setting<number> | Setting<boolean>>;

export type SettingName = keyof typeof SETTINGS;

type ValueOf<Row> = Row extends { readonly type: ValueType<infer Value> } ? Value : never;

/** What a setting comes to: a list where it is repeatable. */
export type SettingValue<Name extends SettingName> = (typeof SETTINGS)[Name] extends { readonly several: string }
  ? readonly ValueOf<(typeof SETTINGS)[Name]>[]
  : ValueOf<(typeof SETTINGS)[Name]>;

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

export function settingOf(name: SettingName): Setting {
  return SETTINGS[name];
}

export function variableOf(name: string): string {
  return `WIRECHECK_${name.toUpperCase().replaceAll('-', '_')}`;
}

export function inFileOf(name: SettingName): InFile | undefined {
  const { inFile } = settingOf(name);
  if (inFile === false) return undefined;
  return inFile ?? { key: name.replaceAll(/-([a-z])/g, (_dash, letter: string) => letter.toUpperCase()) };
}

/** Variables that are no rows: a key must not be a flag's value, where every user of the machine could read it. */
export const KEY_VARIABLES = {
  full: 'WIRECHECK_API_KEY',
  restricted: 'WIRECHECK_RESTRICTED_KEY',
  exhausted: 'WIRECHECK_EXHAUSTED_KEY',
  limited: 'WIRECHECK_LIMITED_KEY',
} as const;
export const BASE_URL = { variable: 'WIRECHECK_BASE_URL', inFile: 'baseUrl' } as const;
/** In the configuration file only: clause ids do not fit a flag. */
export const LEVELS_IN_FILE = 'levels';

export const KNOWN_VARIABLES: readonly string[] = [
  BASE_URL.variable,
  ...Object.values(KEY_VARIABLES),
  ...SETTING_NAMES.map(variableOf),
];

export const FILE_KEYS: readonly string[] = [
  BASE_URL.inFile,
  LEVELS_IN_FILE,
  ...SETTING_NAMES.flatMap((name) => inFileOf(name)?.key ?? []),
];
