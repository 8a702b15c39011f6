/** Everything a command was given, merged and checked: the settings of a run, and where each came from. */
import { randomInt } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import { DEFAULT_SETTINGS, type ExtraHeader, type Keys, type Settings } from '../../settings.ts';
import { flagOf, SETTING_NAMES, type SettingName, settingOf } from '../../settings/setting-names.ts';
import { inert } from '../../text/layout.ts';
import { UNCHANGED, type ChosenContract, contractOf } from '../../contract/profile/apply-profile.ts';
import { Mistakes } from '../../mistakes.ts';
import { loadRunSuites } from '../../suite/read-suites.ts';
import { requireSuite } from '../../suite/suite-names.ts';
import { cannotRead, UsageError, usageError } from '../../usage-error.ts';
import type { CommandIo } from '../command-row.ts';
import { findLastReport, formatWritten } from '../files/outputs.ts';
import { readTextFile } from '../files/user-files.ts';
import { checkLevelsOf, type ConfigFile, type Environment, loadConfig, withEnvFile, levelsOf } from './config-file.ts';
import {
  type Flags,
  type Merged,
  mergeSettings,
  type Origin,
  type Sources,
  unknownVariables,
} from './merge-settings.ts';
import { checkAddress, faultOfKey } from '../../run/check-address.ts';
import { COMMAND, packageVersion } from '../../contract/package-files.ts';
import { toBytes } from '../../plan/request-word.ts';
import { BASE_URL, CHANGED_LEVELS, KEY_VARIABLES } from '../../settings/settings-without-flag.ts';
import type { Profile } from '../../contract/profile/profile.ts';
import { loadProfile } from '../../contract/profile/read-profile.ts';
import { checkGlobs, type Globs } from '../../subjects/check-settings.ts';

/** The limit of every command but `load`. */
const MAX_CONCURRENCY = 64;
/** Files that are read once everything else is known. If one is missing, it is said with all other mistakes. */
const READ_LATER = ['waivers', 'baseline'] as const;
export interface Inputs {
  readonly merged: Merged;
  readonly env: Environment;
  readonly config: ConfigFile | undefined;
  readonly io: CommandIo;
  /** What stderr is told. */
  readonly notices: readonly string[];
}

/** `target`: what one of several targets has for itself. */
export function readInputs(names: readonly SettingName[], flags: Flags, io: CommandIo, target?: ConfigFile): Inputs {
  const { env: own, cwd } = io;
  const env = withEnvFile(mergeSettings(['env-file'], { flags, env: own }).get('env-file'), cwd, own);
  const config = loadConfig(mergeSettings(['config'], { flags, env }).get('config'), cwd, env);
  const { merged, notices = [] } = withLastFailed(names, { flags, env, config, target }, cwd);
  const concurrency = merged.get('concurrency') ?? 0;
  if (concurrency > MAX_CONCURRENCY && !names.includes('stages')) {
    const { label, at } = merged.origin('concurrency') ?? { label: '--concurrency' };
    throw new UsageError(
      `${label} is "${concurrency}": it must be a whole number from 1 to ${MAX_CONCURRENCY}. Only load takes more.`,
      at,
    );
  }
  if (merged.get('verbose') && merged.get('quiet'))
    throw usageError.CONFLICT('--verbose and --quiet cannot be used together: give one of them.');
  const inputs = { merged, env, config, io, notices: [...unknownVariables(env), ...oldSettings(merged), ...notices] };
  refuseWrongConfig(inputs, names);
  return inputs;
}

/** The seed that was given, or one that all who have this version share, so that their runs can be compared. */
export function sharedSeed({ seed }: Settings, { merged }: Inputs): number {
  return merged.origin('seed') === undefined ? toBytes(0, packageVersion()).readUInt16BE(0) : seed;
}

function oldSettings(merged: Merged): readonly string[] {
  return SETTING_NAMES.flatMap((name) => {
    const { goneFor } = settingOf(name);
    const origin = merged.origin(name);
    return goneFor === undefined || !origin ? [] : [`${origin.label} works until 1.0: use \`${goneFor}\`.`];
  });
}

/** Tells every mistake in the file: also those that would show later, when its settings are used. */
function refuseWrongConfig(inputs: Inputs, names: readonly SettingName[]): void {
  const { config, merged } = inputs;
  if (!config || config.mistakes.isEmpty) return;
  // Commands that take suites judge gateways.
  if (names.includes('suite')) config.mistakes.attempt(() => checkBuiltInGlobs(merged));
  config.mistakes.attempt(() => findBaseUrl(undefined, { config }));
  config.mistakes.attempt(() => toSettings(inputs, ''));
  config.mistakes.throwAny();
}

/** `--last-failed` is `--rerun-failed` with the report of the last run. */
function withLastFailed(names: readonly SettingName[], sources: Sources, cwd: string) {
  const merged = mergeSettings(names, sources);
  // Several targets have several reports, and the flag is refused.
  if (!merged.get('last-failed') || merged.get('targets') !== undefined) return { merged };
  if (merged.get('rerun-failed') !== undefined)
    throw usageError.CONFLICT('--last-failed and --rerun-failed cannot be used together: give one of them.');
  const found = findLastReport(mergeSettings(['out'], { ...sources, flags: {} }), cwd);
  const flags = { ...sources.flags, 'rerun-failed': found.file };
  const notice = `The last report is ${inert(found.file, 300)}, written at ${formatWritten(found)}.`;
  return { merged: mergeSettings(names, { ...sources, flags }), notices: [notice] };
}

export function toSettings(inputs: Inputs, baseUrl: string): Settings {
  const { merged, config, io } = inputs;
  const { cwd } = io;
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
  const headers = readHeaders(inputs, mistakes);
  mistakes.attempt(() => checkLevelsOf(config));
  const chosen = mistakes.attempt(() => chooseContract(inputs)) ?? UNCHANGED;
  const keySource = mistakes.attempt(() => findKeySource(merged));
  mistakes.throwAny();
  if ((settings.tls.clientCert === undefined) !== (settings.tls.clientKey === undefined))
    throw usageError.CONFLICT('--client-cert and --client-key go together: give both or none.');
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

export function findBaseUrl(argument: string | undefined, { env = {}, config }: Partial<Inputs>) {
  const variable = env[BASE_URL.variable];
  const inFile = config?.values[BASE_URL.inFile];
  if (argument !== undefined) return checkAddress({ text: argument, name: 'The base URL' });
  // An empty variable counts as unset, as with every setting.
  if (variable !== undefined && variable.trim() !== '')
    return checkAddress({ text: variable, name: `The base URL in ${BASE_URL.variable}` });
  if (config === undefined || inFile === undefined) return undefined;
  return checkAddress({ text: inFile as string, name: BASE_URL.inFile, at: config.placeOf(BASE_URL.inFile) });
}

/** `command`: the one that needs it. */
export function requireBaseUrl(command: string, argument: string | undefined, inputs: Partial<Inputs>): string {
  const found = findBaseUrl(argument, inputs);
  if (found !== undefined) return found;
  throw usageError.BASE_URL_MISSING(
    `No base URL: give one, as in \`${COMMAND} ${command} https://gateway.example/v1\`, or set ${BASE_URL.variable}, or ${BASE_URL.inFile} in wirecheck.config.yaml.`,
  );
}

export function chooseContract({ merged, config, io }: Inputs): ChosenContract {
  const levels = levelsOf(config);
  const profile = chooseProfile(merged, io.cwd);
  if (!profile) return { levels };
  if (Object.keys(levels).length > 0) {
    throw usageError.CONFLICT(
      `${CHANGED_LEVELS.inFile} cannot be used with a profile. Make them changes of the profile.`,
      config?.placeOf(CHANGED_LEVELS.inFile),
    );
  }
  return { levels, profile };
}

/** Every request asks for as many tokens as the profile wants at least. */
function fitTokens(chosen: ChosenContract, { replyTokens, streamTokens }: typeof DEFAULT_SETTINGS): Partial<Settings> {
  if (!chosen.profile) return {};
  const { minimum = 1 } = contractOf(chosen).rules.limits['max_tokens'] ?? {};
  return { replyTokens: Math.max(replyTokens, minimum), streamTokens: Math.max(streamTokens, minimum) };
}

/** The profile of `--profile`; undefined without it. */
export function chooseProfile(merged: Merged, cwd: string): Profile | undefined {
  const name = merged.get('profile');
  const pinned = merged.get('profile-digest');
  if (name === undefined) {
    if (pinned === undefined) return undefined;
    throw usageError.CONFLICT(
      '--profile-digest pins a profile: name it with --profile.',
      merged.origin('profile-digest')?.at,
    );
  }
  const profile = loadProfile(name, cwd, merged.origin('profile')?.at);
  if (pinned === undefined || pinned === profile.digest) return profile;
  throw usageError.CONFLICT(
    `The profile ${inert(name, 100)} has the digest ${profile.digest}, not the one of --profile-digest. Review its changes, then pin the new digest.`,
  );
}

export function globsOf(merged: Merged): Globs {
  return {
    only: merged.get('only') ?? [],
    skip: merged.get('skip') ?? [],
    originOf: (name, index) => merged.origin(name, index) ?? { label: `--${name}` },
    skipLabel: '--skip',
  };
}

/** Refuses names of cases that do not exist, as far as that is known without suites and a profile of one's own. */
export function checkBuiltInGlobs(merged: Merged): void {
  const isOwn = merged.get('profile') !== undefined || (merged.get('suite') ?? []).length > 0;
  const globs = globsOf(merged);
  if (isOwn || globs.only.length + globs.skip.length === 0) return;
  const cases = loadRunSuites([], contractOf(UNCHANGED)).flatMap((suite) => suite.cases);
  checkGlobs(globs, cases, 'gateway');
}

/**
 * Suite files are read from the folder of the command, like every other file that it names. The process mostly runs in
 * the same folder, and then the name stays as it was typed, since reports show it.
 */
export function locateSuites(names: readonly string[], cwd: string): readonly string[] {
  if (resolve(cwd) === process.cwd()) return names;
  return names.map((name) => (/\.ya?ml$/.test(name) ? resolve(cwd, name) : name));
}

/** Random seeds stay short enough to be typed again. */
const MAX_RANDOM_SEED = 1_000_000;

/** `--seed random` is for the curious. A path leads to a draw of one seed. */
export function withSeed(flags: Flags, path: string | undefined): Flags {
  const { seed } = flags;
  if (seed !== 'random') {
    const { type } = settingOf('seed');
    if (typeof seed === 'string' && type.parse(seed.trim()) === undefined)
      throw new UsageError(`--seed is "${inert(seed, 80)}": it must be ${type.allowed}, or random.`);
    return flags;
  }
  if (path !== undefined)
    throw new UsageError('--path leads to a draw of one seed, and --seed random has others: copy both from a report.');
  return { ...flags, seed: String(randomInt(MAX_RANDOM_SEED)) };
}

// The keys of a run, from the environment or from a file, never from the command line; and the headers.

const { full: _full, ...EXTRA_KEYS } = KEY_VARIABLES;

export function findExtraKeys(env: Environment): Omit<Keys, 'full'> {
  const extra = Object.entries(EXTRA_KEYS).flatMap(([role, variable]) => {
    const text = env[variable];
    return text === undefined || text.trim() === '' ? [] : [[role, checkKey(text, variable)]];
  });
  return Object.fromEntries(extra) as Omit<Keys, 'full'>;
}

/** The inputs that keys come from. */
type KeyInputs = Pick<Inputs, 'merged' | 'env'> & { readonly io: Pick<CommandIo, 'cwd'> };

export function requireKeys(inputs: KeyInputs): Keys {
  const { env } = inputs;
  const full = findFullKey(inputs);
  const extra = findExtraKeys(env);
  if (full !== undefined) return { full, ...extra };
  const empty = env[KEY_VARIABLES.full] === undefined ? '' : ` (${KEY_VARIABLES.full} is set, but empty)`;
  throw usageError.KEY_MISSING(
    `No API key${empty}: set ${KEY_VARIABLES.full}, or use --api-key-env NAME or --api-key-file FILE.`,
  );
}

/**
 * Where the full key comes from: empty for its usual variable. Whatever names a variable or a file overrides that one: a flag
 * or a target, then a setting's variable, then the config file.
 */
function findKeySource(merged: Merged): Pick<Settings, 'apiKeyEnv' | 'apiKeyFile'> {
  const apiKeyEnv = merged.get('api-key-env');
  const apiKeyFile = merged.get('api-key-file');
  if (apiKeyEnv === undefined) return apiKeyFile === undefined ? {} : { apiKeyFile };
  if (apiKeyFile === undefined) return { apiKeyEnv };
  const [variable, file] = [merged.origin('api-key-env'), merged.origin('api-key-file')];
  const [ofVariable, ofFile] = [rankOf(variable), rankOf(file)];
  if (ofVariable !== ofFile) return ofVariable < ofFile ? { apiKeyEnv } : { apiKeyFile };
  // As the user wrote them, at the line of the latter.
  const labels = `${variable?.label ?? '--api-key-env'} and ${file?.label ?? '--api-key-file'}`;
  const [at] = [variable?.at, file?.at].filter((each) => each !== undefined).toSorted((a, b) => b.line - a.line);
  throw usageError.CONFLICT(`${labels} cannot be used together: give one of them.`, at);
}

const RANKS = ['target', 'flag', 'variable', 'file'] as const satisfies readonly Origin['kind'][];

function rankOf(origin: Origin | undefined): number {
  return origin === undefined ? RANKS.length : RANKS.indexOf(origin.kind);
}

function findFullKey({ merged, env, io: { cwd } }: KeyInputs): string | undefined {
  const { apiKeyEnv, apiKeyFile } = findKeySource(merged);
  if (apiKeyFile !== undefined)
    return checkKey(readTextFile('the key file', apiKeyFile, cwd), `the key file ${apiKeyFile}`);
  const text = env[apiKeyEnv ?? KEY_VARIABLES.full];
  if (text !== undefined && text.trim() !== '') return checkKey(text, apiKeyEnv ?? KEY_VARIABLES.full);
  if (apiKeyEnv === undefined) return undefined;
  const { label = '--api-key-env', at } = merged.origin('api-key-env') ?? {};
  const named = isVariable(apiKeyEnv) ? `${apiKeyEnv}, named by ${label},` : `named by ${label}`;
  const state = text === undefined ? 'not set' : 'empty';
  throw usageError.KEY_MISSING(`The variable ${named} is ${state}: set it to the key, or name another variable.`, at);
}

/** Only a name in the usual spelling is quoted: anything else may be the key, given in the place of its variable. */
export function isVariable(name: string): boolean {
  return /^[A-Z_][A-Z0-9_]{0,60}$/.test(name);
}

/** White space around a key comes from copying, and a line break from its file. */
function checkKey(text: string, place: string): string {
  const key = text.trim();
  if (key === '') throw usageError.KEY_MISSING(`The key in ${place} is empty: put the key there.`);
  const wrong = faultOfKey(key);
  if (wrong !== undefined) throw usageError.KEY_INVALID(`The key in ${place} ${wrong}`);
  return key;
}

/** RFC 9110, 5.6.2: a token. */
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** RFC 9110, 5.5: visible characters, spaces and tabs. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Headers that cannot be set, and why. */
const RESERVED: Readonly<Record<string, string>> = {
  authorization: 'set WIRECHECK_API_KEY instead, so that cases can also send other keys, or none',
  'user-agent': 'use --user-agent',
  'content-type': 'cases set it, and test what happens without it',
  'content-length': 'it follows from the body',
  'transfer-encoding': 'it follows from the body',
  connection: 'it belongs to the connection',
  'keep-alive': 'it belongs to the connection',
  upgrade: 'it belongs to the connection',
  expect: 'it belongs to the connection',
};

function readHeaders({ merged, env }: Inputs, mistakes: Mistakes): readonly ExtraHeader[] {
  const from = (name: 'header' | 'header-env', index: number) => merged.origin(name, index) ?? { label: flagOf(name) };
  const readers = [
    ...(merged.get('header') ?? []).map((text, index) => () => plainHeader(text, from('header', index))),
    ...(merged.get('header-env') ?? []).map((text, index) => () => secretHeader(text, env, from('header-env', index))),
  ];
  return readers.flatMap((read) => mistakes.attempt(read) ?? []);
}

type From = Pick<Origin, 'label' | 'at'>;

function plainHeader(text: string, from: From): ExtraHeader {
  const [, name = '', value = ''] = /^([^:]*):(.*)$/.exec(text) ?? [];
  return checkHeader({ name: name.trim(), value: value.trim(), secret: false }, from, 'Name: value');
}

function secretHeader(text: string, env: Environment, from: From): ExtraHeader {
  const [, name = '', variable = ''] = /^([^=]*)=(.*)$/.exec(text) ?? [];
  const value = env[variable.trim()]?.trim();
  const given = { name: name.trim(), value: value ?? '', secret: true, variable: variable.trim() };
  const header = checkHeader(given, from, 'Name=VAR');
  if (value === undefined || value === '') {
    throw usageError.VALUE_MISSING(
      `${from.label}: the variable ${variable.trim()} for ${header.name} is ${value === '' ? 'empty' : 'not set'}: set it.`,
      from.at,
    );
  }
  return header;
}

/** No message quotes a value, which may be secret. */
function checkHeader(header: ExtraHeader, { label, at }: From, form: string): ExtraHeader {
  if (!NAME.test(header.name)) throw new UsageError(`${label} must be ${form} with a valid header name.`, at);
  const reason = RESERVED[header.name.toLowerCase()];
  if (reason !== undefined) throw new UsageError(`${label} cannot set ${header.name}: ${reason}.`, at);
  if (!VALUE.test(header.value)) {
    throw new UsageError(
      `${label} ${header.name} has control characters or characters beyond Latin-1: remove them.`,
      at,
    );
  }
  return header;
}
