/** A row of the settings table: everything there is to know about one setting. */
import { type Settings, DEFAULT_SCENARIO_TIMEOUT } from '../settings.ts';
import {
  type ValueType,
  digest,
  file,
  httpUrl,
  integer,
  modelPair,
  nameWithFile,
  part,
  percent,
  price,
  rate,
  share,
  size,
  sizeUpTo,
  text,
  time,
  toggle,
  variableName,
  words,
} from './value-types.ts';
import { DEFAULT_FILE_LIST, FORMAT_LIST, FORMAT_NAMES } from './format-names.ts';
import { KEY_VARIABLES } from './settings-without-flag.ts';

export interface InFile {
  readonly key: string;
  /** The config file has a map, whose names and values this joins into what the flag takes. */
  readonly joinedBy?: string;
  /** `true` in the config file means `false` here. */
  readonly inverse?: boolean;
}

/** Paths of the members of `Settings` that hold a single value or a list of strings, such as `limits.depth`. */
type PathsOf<Part, Prefix extends string = ''> = {
  [Name in keyof Part & string]: NonNullable<Part[Name]> extends string | number | boolean | readonly string[]
    ? `${Prefix}${Name}`
    : NonNullable<Part[Name]> extends readonly unknown[]
      ? never
      : PathsOf<NonNullable<Part[Name]>, `${Prefix}${Name}.`>;
}[keyof Part & string];

export type SettingPath = PathsOf<Omit<Settings, 'levels' | 'profile'>> | 'profile.file';

export interface Setting<Value = unknown> {
  /** Its heading in help and documents. */
  readonly group: string;
  readonly type: ValueType<Value>;
  readonly summary: string;
  /** The letter of its short form, such as `m`: the same in every command. */
  readonly short?: string;
  /** Its place in `Settings`, which also has its default; absent for what concerns the command rather than the run. */
  readonly path?: SettingPath;
  /** The default of a setting without a path. */
  readonly default?: Value;
  /** What happens without it, where the default is not a value. */
  readonly otherwise?: string;
  /** Repeatable: the separator of several values in one variable. */
  readonly several?: 'comma' | 'line';
  /** How the config file has it, unless plainly by the flag's name in camel case; `false` if it cannot stand there. */
  readonly inFile?: InFile | false;
  /** What the file is to the user, such as `waiver file`, for a setting that names a file to read. */
  readonly reads?: string;
  /** `Settings` has the absolute path of the file, which is checked to be readable before anything is sent. */
  readonly isResolved?: boolean;
  /** The secret that a value may hold. Messages do not quote such a value, and reports leave the secret out. */
  readonly mayHold?: 'token' | 'login' | 'PEM text';
  /** `false`: a single case does not depend on it, so the command that repeats one leaves it out. */
  readonly isRepeated?: false;
  /** What is used in its place: it works until 1.0, but is shown nowhere. */
  readonly goneFor?: string;
  /** The option of curl that does the same. */
  readonly curl?: string;
}

/** Keeps the very type of the value and of what is added, so that each setting is parsed to what it is. */
export function setting<Value, const More extends Partial<Setting<Value>> = object>(
  type: ValueType<Value>,
  summary: string,
  more?: More,
): Omit<Setting<Value>, 'group'> & More {
  return { type, summary, ...more } as Omit<Setting<Value>, 'group'> & More;
}

type Grouped<Name, Rows> = { readonly [Row in keyof Rows]: Rows[Row] & { readonly group: Name } };

export function group<const Name extends string, const Rows extends Readonly<Record<string, object>>>(
  name: Name,
  rows: Rows,
): Grouped<Name, Rows> {
  const grouped = Object.entries(rows).map(([flag, row]) => [flag, { ...row, group: name }]);
  return Object.fromEntries(grouped) as Grouped<Name, Rows>;
}

/** Somebody pays for each of them: a larger number is a typing error. */
const MAX_TOKENS = 100_000;
const MAX_REQUESTS = 1_000_000;

/** A body is held in memory as a whole, and twice while it is sent. */
const MAX_LARGEST_BODY = 256 * 1024 ** 2;

/** A file of a certificate or its key. */
function pemFile(path: `tls.${'ca' | 'clientCert' | 'clientKey'}`, curl: string, reads: string, more: string) {
  return setting(file, `${reads} ${more}`, { path, reads, curl, isResolved: true, mayHold: 'PEM text' });
}

export const SETTINGS = {
  ...group('Targets', {
    targets: setting(file, 'file that lists several gateways to check, instead of a base URL', {
      inFile: false,
      reads: 'targets file',
    }),
    shard: setting(part, 'check only shard I of N; together the shards cover every target', { inFile: false }),
  }),

  ...group('Keys', {
    'api-key-env': setting(variableName, 'environment variable that holds the key', {
      mayHold: 'token',
      path: 'apiKeyEnv',
      otherwise: KEY_VARIABLES.full,
    }),
    'api-key-file': setting(file, 'file that holds the key', { path: 'apiKeyFile', reads: 'key file' }),
    'forbidden-model': setting(text('ID'), `model that the key in ${KEY_VARIABLES.restricted} is not allowed to call`, {
      path: 'forbiddenModel',
    }),
  }),

  ...group('Model and tokens', {
    model: setting(text('ID'), 'model to call', {
      short: 'm',
      path: 'model',
      otherwise: 'the first listed model that answers',
    }),
    'reply-tokens': setting(integer(1, MAX_TOKENS), 'max_tokens of the control request', { path: 'replyTokens' }),
    'stream-tokens': setting(integer(1, MAX_TOKENS), 'max_tokens of the long stream', { path: 'streamTokens' }),
    'models-sample': setting(integer(0, 100), 'number of listed models to call, with one token each', {
      path: 'modelsSample',
    }),
    'context-tokens': setting(
      integer(100, 10_000_000),
      'context in tokens, as you promise it: a longer prompt is sent, plain and streamed (at most 2 completions); if it is answered, the case is not judged, and the report says how many tokens it had',
      { path: 'contextTokens', otherwise: 'no such prompt' },
    ),
    seed: setting(integer(0, 4_294_967_295), 'seed for every generated key and word; the same seed reproduces a run', {
      path: 'seed',
      otherwise: 'random; the report shows it',
      isRepeated: false,
    }),
  }),

  ...group('Verdict', {
    strict: setting(toggle, 'treat broken "should" clauses as failures', { path: 'strict' }),
    profile: setting(
      text('NAME|FILE', 'the name of a profile or of a file'),
      "your contract: a profile file with changes to v1, or a profile of wirecheck's such as common-servers",
      { path: 'profile.file', otherwise: 'v1 as it is', reads: 'profile' },
    ),
    'profile-digest': setting(
      digest,
      'refuse any profile but the one with this digest, so that no pull request can loosen its own contract',
    ),
    detect: setting(share, 'repeat requests until a fault in one of N answers would be seen', { path: 'detect' }),
    waivers: setting(file, 'waiver file: known failures that do not fail the run; `wirecheck waive` adds one', {
      reads: 'waiver file',
    }),
    'fail-on-unused-waivers': setting(toggle, 'fail the run if all cases of a waiver passed'),
    baseline: setting(file, 'report.json of an older run: fail only on findings that are not in it', {
      reads: 'baseline',
    }),
  }),

  ...group('Cases', {
    only: setting(
      text('GLOB|CLAUSE'),
      'run only cases whose id matches, such as auth/*, or that judge a clause, such as errors.code',
      {
        path: 'only',
        several: 'comma',
        isRepeated: false,
      },
    ),
    skip: setting(text('GLOB'), 'skip cases whose id matches', { path: 'skip', several: 'comma', isRepeated: false }),
    suite: setting(text('NAME|FILE'), 'built-in suite, or a suite file of your own', {
      path: 'suites',
      otherwise: 'every built-in suite',
      several: 'comma',
      inFile: { key: 'suites' },
      reads: 'suite file',
    }),
    'rerun-failed': setting(file, 'run only the cases that were broken or could not be judged in this report.json', {
      inFile: false,
      reads: 'report',
    }),
    'last-failed': setting(
      toggle,
      'run only the cases that were broken or could not be judged in the last run, by its report.json in the usual folder',
      { inFile: false },
    ),
    bail: setting(toggle, 'stop after a stage with a broken "must" clause', { path: 'bail', isRepeated: false }),
  }),

  ...group('Connection', {
    header: setting(text("'NAME: VALUE'", 'a header written as Name: value'), 'header to add to every request', {
      several: 'line',
      mayHold: 'token',
      inFile: { key: 'headers', joinedBy: ': ' },
    }),
    'header-env': setting(
      text('NAME=VAR', 'a header name and a variable, written as Name=VAR'),
      'secret header to add to every request, with its value from a variable',
      { several: 'comma', inFile: { key: 'headersFromEnv', joinedBy: '=' } },
    ),
    ca: pemFile('tls.ca', '--cacert', 'certificate authority', 'to trust (PEM)'),
    insecure: setting(toggle, 'do not verify the certificate; the report says so', {
      path: 'tls.insecure',
      curl: '--insecure',
    }),
    'client-cert': pemFile('tls.clientCert', '--cert', 'client certificate', '(PEM); needs --client-key'),
    'client-key': pemFile('tls.clientKey', '--key', 'key of the client certificate', '(PEM)'),
    proxy: setting(httpUrl, 'proxy to use; HTTP_PROXY and similar variables are ignored', {
      path: 'proxy',
      mayHold: 'login',
      curl: '--proxy',
    }),
    'user-agent': setting(text('TEXT'), 'User-Agent to send', { path: 'userAgent' }),
    'wait-for': setting(time, 'before the run, wait up to this long for /models to answer with a status below 500', {
      path: 'waitFor',
      isRepeated: false,
    }),
    'allow-http': setting(toggle, 'allow sending the key over plain http to another machine', { path: 'allowHttp' }),
    openapi: setting(
      text('URL|FILE', 'an address or the name of a file'),
      'published OpenAPI description to check as well',
      { path: 'openapi', reads: 'OpenAPI description', isResolved: true },
    ),
  }),

  ...group('Output', {
    reporter: setting(
      nameWithFile(FORMAT_NAMES),
      `format to write (${FORMAT_LIST}); replaces the default files unless --out is also given, or it is agent on stdout; without =FILE it goes to stdout, and all other text to stderr`,
      { several: 'comma', inFile: { key: 'reporters' } },
    ),
    out: setting(
      text('DIR|none', 'a folder, or none'),
      `folder for the default files (${DEFAULT_FILE_LIST}), or none for no files`,
      { short: 'o', default: 'wirecheck-report' },
    ),
    title: setting(words(200), 'title at the top of the HTML and Markdown reports'),
    note: setting(words(2000), 'note for the reader, below the verdict in the HTML and Markdown reports'),
    product: setting(words(200), 'name of what is tested, for report.json and the HTML and Markdown reports'),
    'product-version': setting(words(100), 'its version'),
    contact: setting(words(200), 'who answers questions about the report'),
    'no-bodies': setting(toggle, "leave the target's text out of the report, except the model id and standard names", {
      inFile: { key: 'bodies', inverse: true },
    }),
    record: setting(file, 'record every exchange in this file, for `wirecheck judge` and `wirecheck compare`', {
      inFile: false,
    }),
    force: setting(toggle, 'overwrite an existing recording or judged report', { inFile: false }),
    verbose: setting(toggle, 'show every case and every exchange', { short: 'v' }),
    quiet: setting(toggle, 'show only the verdict', { short: 'q' }),
  }),

  ...group('Time', {
    timeout: setting(time, 'limit for one attempt', { path: 'timeouts.attempt' }),
    'connect-timeout': setting(time, 'limit for connecting', { path: 'timeouts.connect' }),
    'first-byte-timeout': setting(time, 'limit for the first byte of the answer', { path: 'timeouts.firstByte' }),
    'idle-timeout': setting(time, 'limit between two bytes of an answer', { path: 'timeouts.idle' }),
    'max-time': setting(time, 'limit for the whole run', { path: 'timeouts.run', isRepeated: false }),
    patient: setting(
      toggle,
      'also wait through long pauses: run sends requests after idle pauses of 6, 16 and 61 s (about 65 s, at most 6 completions), relay lets its upstream fall silent for up to 125 s (about 130 s); --max-time does not count the pauses',
      { path: 'patient' },
    ),
    counts: setting(
      toggle,
      'also compare token counts: 9 more completions of one token, which reveal a hidden prompt or a different tokenizer',
      { path: 'counts' },
    ),
    retries: setting(integer(0, 10), 'retries per request', { path: 'retries' }),
    'max-retry-wait': setting(time, 'longest Retry-After to honour', { path: 'maxRetryWait' }),
  }),

  ...group('Cost', {
    'max-requests': setting(integer(1, MAX_REQUESTS), 'end the run after this many requests', {
      path: 'maxRequests',
      otherwise: 'no limit',
      isRepeated: false,
    }),
    'max-completions': setting(integer(0, MAX_REQUESTS), 'leave out requests that might exceed this many completions', {
      path: 'maxCompletions',
      otherwise: 'no limit',
      isRepeated: false,
    }),
    price: setting(price, 'with --plan: show what it costs, at these prices per million prompt and generated tokens', {
      path: 'price',
      isRepeated: false,
    }),
    parallel: setting(
      integer(0, 256),
      'also send N plain and N streamed requests at once to detect mixed-up replies; 0 turns this off',
      { path: 'parallel', goneFor: 'wirecheck load' },
    ),
    concurrency: setting(integer(1, 256), 'concurrent requests; above 64 only for load', {
      path: 'concurrency',
      isRepeated: false,
    }),
    rate: setting(rate, 'maximum requests per second', {
      path: 'ratePerSecond',
      otherwise: 'no limit',
      isRepeated: false,
    }),
  }),

  ...group('Size', {
    'largest-body': setting(
      sizeUpTo(MAX_LARGEST_BODY),
      'also send bodies without model and messages of 4MiB, 8MiB and so on up to this size, until one is refused as too large',
      { path: 'largestBody', otherwise: 'only one of 2MiB' },
    ),
    'max-body': setting(size, 'limit for an answer that is not streamed', { path: 'limits.body' }),
    'max-stream': setting(size, 'limit for a streamed answer', { path: 'limits.stream' }),
    'max-total': setting(size, 'limit for all answers of a run together', { path: 'limits.total' }),
    'max-line': setting(size, 'limit for one line of a stream', { path: 'limits.line' }),
    'max-headers': setting(size, 'limit for the headers of an answer', { path: 'limits.headers' }),
    'max-events': setting(integer(1, 10_000_000), 'maximum number of events in a stream', { path: 'limits.events' }),
    'max-depth': setting(integer(1, 1000), 'maximum nesting depth of a JSON answer', { path: 'limits.depth' }),
  }),

  ...group('Relay', {
    'upstream-port': setting(integer(1, 65_535), 'port of the scripted upstream', {
      path: 'relay.upstreamPort',
      otherwise: 'required',
    }),
    'upstream-host': setting(text('HOST'), 'address that the scripted upstream listens on', {
      path: 'relay.upstreamHost',
    }),
    'upstream-model': setting(
      modelPair,
      'model that the gateway sends to the scripted upstream, with its name there if that differs; with several, mix-ups are found',
      {
        path: 'relay.upstreamModel',
        several: 'comma',
        otherwise: 'the first listed model that reaches it',
      },
    ),
    recovery: setting(time, 'how long to wait for the gateway to answer again after an injected failure', {
      path: 'relay.recovery',
    }),
    'fallback-port': setting(
      integer(1, 65_535),
      'port of a second scripted upstream, which the gateway calls when the first fails',
      { path: 'relay.fallbackPort', otherwise: 'one upstream' },
    ),
    'fallback-model': setting(text('MODEL'), 'model that the gateway asks the second upstream for', {
      path: 'relay.fallbackModel',
      otherwise: 'any',
    }),
    'most-upstream-calls': setting(integer(1, 1_000), 'with a second upstream: most upstream calls per client call', {
      path: 'relay.mostUpstreamCalls',
    }),
    'upstream-timeout': setting(
      time,
      'with a second upstream: time without a first byte after which the gateway calls the other',
      { path: 'relay.upstreamTimeout', otherwise: 'not judged' },
    ),
  }),

  ...group('Explore', {
    requests: setting(integer(1, 10_000), 'requests to draw', { default: 300, isRepeated: false }),
    'shrink-completions': setting(
      integer(0, MAX_REQUESTS),
      'charged completions for asking failed requests again and shrinking them, besides those that failed requests did not use',
      { default: 40, isRepeated: false },
    ),
  }),

  ...group('Load', {
    stages: setting(text('N,N…', 'numbers from 1 to 256 such as 1,4,16'), 'calls in flight in each stage', {
      path: 'load.stages',
      otherwise: 'powers of four up to --concurrency',
      several: 'comma',
    }),
    duration: setting(time, 'time for all stages together', { path: 'load.duration' }),
    mix: setting(
      text('KIND=N', 'a kind and its share such as plain=4'),
      'shares of plain, stream, list and refusal calls',
      {
        path: 'load.mix',
        otherwise: 'plain=4,stream=4,list=1,refusal=1',
        several: 'comma',
      },
    ),
    disconnects: setting(percent, 'share of the calls whose client disconnects', { path: 'load.disconnects' }),
    'slow-readers': setting(
      integer(0, 16),
      'clients that read slowly, in stages of 16 or more in flight; needs --upstream-port',
      {
        path: 'load.slowReaders',
      },
    ),
    budget: setting(
      text('TIME.PNN=LIMIT', 'a budget such as first-text.p50=800ms or end.p99@16=5s'),
      'fail if a quantile of a time is above its limit, such as first-text.p95=2s: of headers, first-text or end; p50, p95 or p99; with @N in one stage',
      { path: 'load.budgets', several: 'comma', inFile: { key: 'budgets' } },
    ),
  }),

  ...group('Clients', {
    'scenario-timeout': setting(time, 'limit for one scenario of a client', { default: DEFAULT_SCENARIO_TIMEOUT }),
  }),

  ...group('Configuration', {
    config: setting(file, 'config file', {
      otherwise: 'wirecheck.config.yaml, if it exists',
      inFile: false,
      reads: 'config file',
    }),
    'env-file': setting(file, 'env file with more variables; the environment overrides it', {
      inFile: false,
      reads: 'env file',
    }),
  }),
} satisfies Record<string, Setting<string> | Setting<number> | Setting<boolean>>;
