/** Everything a command was given, merged and checked: the settings of a run, and where each came from. */
import { randomInt } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import { DEFAULT_SETTINGS, type Settings } from '../../settings.ts';
import { SETTING_NAMES, type SettingName, settingOf } from '../../settings/setting-names.ts';
import { inert } from '../../text/inert.ts';
import { UNCHANGED } from '../../contract/profile/apply-profile.ts';
import { Mistakes } from '../../mistakes.ts';
import { requireSuite } from '../../suite/suite-names.ts';
import { cannotRead, UsageError } from '../../usage-error.ts';
import type { CommandIo } from '../command-io.ts';
import { findLastReport, formatWritten } from '../files/last-report.ts';
import { chooseContract, fitTokens } from './choose-contract.ts';
import { findBaseUrl } from './base-url.ts';
import { checkLevelsOf, type ConfigFile, loadConfig, withEnvFile } from './config-file.ts';
import { locateSuites } from './locate-suites.ts';
import {
  type Flags,
  type Merged,
  mergeSettings,
  type Sources,
  unknownVariables,
  type WrittenAt,
} from './merge-settings.ts';
import { checkBuiltInGlobs } from './chosen-globs.ts';
import { readHeaders } from './read-headers.ts';
import { findKeySource } from './read-keys.ts';

/** Of every command but `load`. */
const MAX_CONCURRENCY = 64;
/** Files that are read once everything else is known. If one is missing, it is said with all other mistakes. */
const READ_LATER = ['waivers', 'baseline'] as const;
/** Random seeds stay short enough to be typed again. */
const MAX_RANDOM_SEED = 1_000_000;

export interface Inputs {
  readonly merged: Merged;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly config: ConfigFile | undefined;
  readonly cwd: string;
  /** For stderr. */
  readonly notices: readonly string[];
}

/** `writtenAt`: for flags that a file gives. */
export function readInputs(
  names: readonly SettingName[],
  flags: Flags,
  { env: own, cwd }: CommandIo,
  writtenAt?: WrittenAt,
): Inputs {
  const first = mergeSettings(['env-file'], { flags, env: own, config: undefined });
  const env = withEnvFile(first.get('env-file'), cwd, own);
  const second = mergeSettings(['config'], { flags, env, config: undefined });
  const config = loadConfig(second.get('config'), cwd, env);
  const { merged, notices = [] } = withLastFailed(names, { flags, env, config, writtenAt }, cwd);
  const concurrency = merged.get('concurrency') ?? 0;
  if (concurrency > MAX_CONCURRENCY && !names.includes('stages')) {
    const { label, at } = merged.origin('concurrency') ?? { label: '--concurrency' };
    throw new UsageError(
      `${label} is "${concurrency}": it must be a whole number from 1 to ${MAX_CONCURRENCY}. Only load takes more.`,
      at,
    );
  }
  if (merged.get('verbose') && merged.get('quiet')) {
    throw new UsageError('--verbose and --quiet cannot be used together: give one of them.', { code: 'CONFLICT' });
  }
  const inputs = { merged, env, config, cwd, notices: [...unknownVariables(env), ...notices] };
  refuseWrongConfig(inputs, names);
  return inputs;
}

/** For every mistake in the file: also those that would show later, when its settings are used. */
function refuseWrongConfig(inputs: Inputs, names: readonly SettingName[]): void {
  const { config, merged } = inputs;
  if (!config || config.mistakes.isEmpty) return;
  // Commands that take suites judge gateways.
  if (names.includes('suite')) config.mistakes.attempt(() => checkBuiltInGlobs(merged));
  config.mistakes.attempt(() => findBaseUrl(undefined, {}, config));
  config.mistakes.attempt(() => toSettings(inputs, ''));
  config.mistakes.throwAny();
}

/** `--last-failed` is `--rerun-failed` with the report of the last run. */
function withLastFailed(
  names: readonly SettingName[],
  sources: Sources,
  cwd: string,
): { readonly merged: Merged; readonly notices?: readonly string[] } {
  const merged = mergeSettings(names, sources);
  // Several targets have several reports, and the flag is refused.
  if (!merged.get('last-failed') || merged.get('targets') !== undefined) return { merged };
  if (merged.get('rerun-failed') !== undefined) {
    throw new UsageError('--last-failed and --rerun-failed cannot be used together: give one of them.', {
      code: 'CONFLICT',
    });
  }
  const found = findLastReport(mergeSettings(['out'], { ...sources, flags: {} }), cwd);
  const flags = { ...sources.flags, 'rerun-failed': found.file };
  const notice = `The last report is ${inert(found.file, 300)}, written at ${formatWritten(found)}.`;
  return { merged: mergeSettings(names, { ...sources, flags }), notices: [notice] };
}

export function toSettings({ merged, config, env, cwd }: Inputs, baseUrl: string): Settings {
  const settings = structuredClone(DEFAULT_SETTINGS);
  const mistakes = new Mistakes();
  for (const name of SETTING_NAMES) {
    const { path, isResolved } = settingOf(name);
    const value = merged.get(name);
    if (path === undefined || value === undefined || name === 'profile') continue;
    const parts = path.split('.');
    const holder = parts.slice(0, -1).reduce((part, key) => part[key] as Part, settings as unknown as Part);
    const resolved = isResolved ? mistakes.attempt(() => resolveReadable(name, String(value), merged, cwd)) : value;
    holder[parts.at(-1) ?? path] = resolved;
  }
  const suites = locateSuites(settings.suites, cwd);
  for (const [index, name] of suites.entries()) {
    mistakes.attempt(() => requireSuite(name, merged.origin('suite', index)?.at));
  }
  for (const name of READ_LATER) {
    const file = merged.get(name);
    if (file !== undefined) mistakes.attempt(() => resolveReadable(name, file, merged, cwd));
  }
  const headers = readHeaders(merged, env, mistakes);
  mistakes.attempt(() => checkLevelsOf(config));
  const chosen = mistakes.attempt(() => chooseContract({ merged, config, cwd })) ?? UNCHANGED;
  const keySource = mistakes.attempt(() => findKeySource(merged));
  mistakes.throwAny();
  if ((settings.tls.clientCert === undefined) !== (settings.tls.clientKey === undefined)) {
    throw new UsageError('--client-cert and --client-key go together: give both or none.', { code: 'CONFLICT' });
  }
  const { apiKeyEnv: _variable, apiKeyFile: _file, ...rest } = settings;
  return {
    ...rest,
    ...keySource,
    suites,
    baseUrl,
    ...chosen,
    ...fitTokens(chosen, settings),
    headers,
    seed: merged.get('seed') ?? randomInt(MAX_RANDOM_SEED),
  };
}

type Part = Record<string, unknown>;

/** The absolute path of a file, so that a mistyped name shows before anything is sent; an address as it is. */
function resolveReadable(name: SettingName, file: string, merged: Merged, cwd: string): string {
  if (name === 'openapi' && /^https?:\/\//i.test(file)) return file;
  const path = resolve(cwd, file);
  try {
    accessSync(path, constants.R_OK);
  } catch (error) {
    throw cannotRead(`the ${settingOf(name).reads ?? 'file'}`, file, error, merged.origin(name)?.at);
  }
  return path;
}
