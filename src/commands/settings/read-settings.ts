/** Everything that a command was told, merged and checked: the settings of a run, its keys, and where its output goes. */
import { randomInt } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import { DEFAULT_SETTINGS, type Keys, type Settings } from '../../settings.ts';
import { UsageError } from '../../usage-error.ts';
import { type ConfigFile, levelsOf, loadConfig } from './config-file.ts';
import { withEnvFile } from './env-file.ts';
import { type Flags, type Merged, mergeSettings, unknownVariables } from './merge-settings.ts';
import { readHeaders } from './read-headers.ts';
import type { SettingName } from './settings-table.ts';
import type { Surroundings } from '../surroundings.ts';

/** Seeds of our own making stay short enough to be typed again. */
const MOST_SEED = 1_000_000;

export interface Told {
  readonly merged: Merged;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly config: ConfigFile | undefined;
  readonly cwd: string;
  /** Things to say on stderr. */
  readonly notices: readonly string[];
}

export function readTold(names: readonly SettingName[], flags: Flags, { env: own, cwd }: Surroundings): Told {
  const first = mergeSettings(['env-file'], { flags, env: own, config: undefined });
  const env = withEnvFile(first.get('env-file'), cwd, own);
  const second = mergeSettings(['config'], { flags, env, config: undefined });
  const config = loadConfig(second.get('config'), cwd, env);
  const merged = mergeSettings(names, { flags, env, config });
  if (merged.get('verbose') && merged.get('quiet')) {
    throw new UsageError('--verbose and --quiet contradict each other: give one of them.');
  }
  return { merged, env, config, cwd, notices: unknownVariables(env) };
}

/** Where a value was not given, the default of `DEFAULT_SETTINGS` stands in the row already. */
export function toSettings({ merged, config, env, cwd }: Told, baseUrl: string): Settings {
  const { get } = merged;
  const d = DEFAULT_SETTINGS;
  return {
    ...d,
    baseUrl,
    ...given('model', get('model')),
    ...given('forbiddenModel', get('forbidden-model')),
    replyTokens: get('reply-tokens') ?? d.replyTokens,
    streamTokens: get('stream-tokens') ?? d.streamTokens,
    modelsSample: get('models-sample') ?? d.modelsSample,
    strict: get('strict') ?? d.strict,
    levels: levelsOf(config),
    only: get('only') ?? d.only,
    skip: get('skip') ?? d.skip,
    suites: get('suite') ?? d.suites,
    bail: get('bail') ?? d.bail,
    headers: readHeaders(merged, env),
    userAgent: get('user-agent') ?? d.userAgent,
    tls: readTls(merged, cwd),
    ...given('proxy', get('proxy')),
    ...given('waitFor', get('wait-for')),
    timeouts: {
      attempt: get('timeout') ?? d.timeouts.attempt,
      connect: get('connect-timeout') ?? d.timeouts.connect,
      firstByte: get('first-byte-timeout') ?? d.timeouts.firstByte,
      idle: get('idle-timeout') ?? d.timeouts.idle,
      run: get('max-time') ?? d.timeouts.run,
    },
    allowHttp: get('allow-http') ?? d.allowHttp,
    retries: get('retries') ?? d.retries,
    maxRetryWait: get('max-retry-wait') ?? d.maxRetryWait,
    ...given('maxRequests', get('max-requests')),
    ...given('maxCompletions', get('max-completions')),
    concurrency: get('concurrency') ?? d.concurrency,
    ...given('ratePerSecond', get('rate')),
    limits: {
      ...d.limits,
      body: get('max-body') ?? d.limits.body,
      stream: get('max-stream') ?? d.limits.stream,
      total: get('max-total') ?? d.limits.total,
      line: get('max-line') ?? d.limits.line,
      headers: get('max-headers') ?? d.limits.headers,
      events: get('max-events') ?? d.limits.events,
      depth: get('max-depth') ?? d.limits.depth,
    },
    ...given('openapi', openapiOf(merged, cwd)),
    seed: get('seed') ?? randomInt(MOST_SEED),
  };
}

/** An optional member that is absent rather than undefined. */
function given<Name extends string, Value>(name: Name, value: Value | undefined): { [Key in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [Key in Name]: Value });
}

function readTls(merged: Merged, cwd: string): Settings['tls'] {
  const ca = readable('ca', merged, cwd);
  const clientCert = readable('client-cert', merged, cwd);
  const clientKey = readable('client-key', merged, cwd);
  if ((clientCert === undefined) !== (clientKey === undefined)) {
    throw new UsageError('--client-cert and --client-key go together: give both or none.');
  }
  return {
    insecure: merged.get('insecure') ?? false,
    ...given('ca', ca),
    ...given('clientCert', clientCert),
    ...given('clientKey', clientKey),
  };
}

function openapiOf(merged: Merged, cwd: string): string | undefined {
  const named = merged.get('openapi');
  return named === undefined || /^https?:\/\//i.test(named) ? named : readable('openapi', merged, cwd);
}

/** The whole path of a file that can be read, so that a slip shows before anything is sent. */
function readable(
  name: 'ca' | 'client-cert' | 'client-key' | 'openapi',
  merged: Merged,
  cwd: string,
): string | undefined {
  const file = merged.get(name);
  if (file === undefined) return undefined;
  try {
    accessSync(resolve(cwd, file), constants.R_OK);
  } catch (error) {
    const { label = `--${name}`, at } = merged.origin(name) ?? {};
    throw new UsageError(
      `${label} names ${file}, which cannot be read (${(error as NodeJS.ErrnoException).code}).`,
      at,
    );
  }
  return resolve(cwd, file);
}

/** Which keys are there beyond the full one. */
export function extraKeys(keys: Keys): readonly ('restricted' | 'exhausted' | 'limited')[] {
  return (['restricted', 'exhausted', 'limited'] as const).filter((role) => keys[role] !== undefined);
}
