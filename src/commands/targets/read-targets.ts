/** Prepares every chosen target of `--targets FILE` before anything is sent. */
import type { Excuses } from '../../report/excuses/apply-excuses.ts';
import { checkAddress, checkTransport } from '../../run/check-address.ts';
import type { Keys, Settings } from '../../settings.ts';
import type { SettingName } from '../../settings/setting-names.ts';
import { Mistakes } from '../../mistakes.ts';
import { UsageError } from '../../usage-error.ts';
import { readSelected } from '../choose-cases.ts';
import type { CommandIo } from '../command-io.ts';
import { RUN_SETTINGS, SETTINGS_WITHOUT_SECRETS } from '../settings/command-settings.ts';
import { fillInEach, soundMembers } from '../settings/config-file.ts';
import type { Flags, WrittenAt } from '../settings/merge-settings.ts';
import { locateSuites } from '../settings/locate-suites.ts';
import { readExcuses } from '../settings/read-excuses.ts';
import { requireKeys } from '../settings/read-keys.ts';
import { type Inputs, readInputs } from '../settings/read-settings.ts';
import type { ListedTarget, TargetsList } from './list-targets.ts';
import { withLevels } from './target-levels.ts';
import type { TargetEntry } from './targets-file.ts';

/** With its settings, which need no key yet. */
export interface SettledTarget {
  readonly name: string;
  readonly folder: string;
  readonly inputs: Inputs;
  readonly settings: Settings;
}

export interface Target extends SettledTarget {
  readonly keys: Keys;
  readonly excuses: Excuses;
}

export function prepareTargets(listed: TargetsList, flags: Flags, io: CommandIo): readonly Target[] {
  return prepareEach(listed, (target) => prepareTarget(target, flags, io));
}

/** For a plan: secrets may be missing on this machine. */
export function settleTargets(listed: TargetsList, flags: Flags, io: CommandIo): readonly SettledTarget[] {
  return prepareEach(listed, (target) => {
    const mistakes = new Mistakes();
    const { inputs, settings } = settleTarget(target, { needsSecrets: false, flags, io, mistakes });
    mistakes.throwAny();
    const { name, folder } = target;
    return inputs && settings && { name, folder, inputs, settings };
  });
}

/** All mistakes at once: a fleet is not set up one variable at a time. */
function prepareEach<Prepared>(
  { targets: listed, mistakes }: TargetsList,
  prepare: (target: ListedTarget) => Prepared | undefined,
): readonly Prepared[] {
  const targets = listed.flatMap((target) => mistakes.attempt(() => prepare(target)) ?? []);
  mistakes.throwAny();
  return targets;
}

/** A mistake without a place of its own is that of the target, or of its key. */
function atItsPlace<Value>(target: ListedTarget, read: () => Value, ...key: readonly string[]): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UsageError) || error.at !== undefined) throw error;
    throw new UsageError(error.message, { ...placeOf(target, ...key), code: error.kind });
  }
}

function prepareTarget(target: ListedTarget, flags: Flags, io: CommandIo): Target | undefined {
  const mistakes = new Mistakes();
  const { inputs, settings } = settleTarget(target, { needsSecrets: true, flags, io, mistakes });
  const excuses = inputs && readTargetExcuses(target, { inputs, settings, mistakes });
  const keys =
    inputs && mistakes.attempt(() => atItsPlace(target, () => requireKeys(inputs.merged, inputs.env, inputs.cwd)));
  mistakes.throwAny();
  if (!inputs || !settings || !excuses || !keys) return undefined;
  const { name, folder } = target;
  // An extra key belongs to one gateway, and must not be sent to the others.
  return { name, folder, inputs, settings, keys: keys.full === undefined ? {} : { full: keys.full }, excuses };
}

/** Also if there are no settings: mistakes in a waiver file are told with those of the target that names it. */
function readTargetExcuses(
  target: ListedTarget,
  { inputs, settings, mistakes }: Settled & { readonly inputs: Inputs; readonly mistakes: Mistakes },
): Excuses | undefined {
  const { merged, cwd } = inputs;
  const suites = settings?.suites ?? locateSuites(merged.get('suite') ?? [], cwd);
  try {
    return readExcuses(inputs, { subject: 'gateway', suites });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const { message, at, kind } = error;
    if (target.entry.waivers !== undefined && at?.startsWith(`${merged.get('waivers') ?? ''}:`)) {
      const place = placeOf(target, 'waivers');
      const whose = target.name === '' ? '' : `target ${target.name}: `;
      for (const line of message.split('\n')) {
        mistakes.note(new UsageError(`${whose}${line}`, { ...place, code: kind }));
      }
    } else if (settings) mistakes.attempt(() => atItsPlace(target, () => rethrow(error)));
    // Without settings, the other mistakes have been found with them.
    return undefined;
  }
}

function rethrow(error: UsageError): never {
  throw error;
}

/** What could be read of a target. */
interface Settled {
  readonly inputs?: Inputs | undefined;
  readonly settings?: Settings | undefined;
}

interface Settling {
  readonly needsSecrets: boolean;
  readonly flags: Flags;
  readonly io: CommandIo;
  readonly mistakes: Mistakes;
}

function settleTarget(target: ListedTarget, settling: Settling): Settled {
  const { needsSecrets, flags, io, mistakes } = settling;
  const names = needsSecrets ? RUN_SETTINGS : SETTINGS_WITHOUT_SECRETS;
  const { index, document, isSound } = target;
  const { env } = readInputs(names, flags, io);
  const sound = soundMembers(target.entry, ['targets', index], isSound);
  const filling = { document, env, mistakes };
  const entry = fillInEach(sound, ['targets', index], filling) as Partial<TargetEntry>;
  const baseUrl = checkedAddress(target, entry, mistakes);
  const given = flagsFor(entry);
  const keyed: WrittenAt = (setting, item) => {
    const key = Object.hasOwn(given, setting) ? KEYS[setting] : undefined;
    if (key === undefined) return undefined;
    const below = item === undefined ? [] : Object.keys(entry[key] ?? {}).slice(item, item + 1);
    return { label: key, at: placeOf(target, key, ...below) };
  };
  if (needsSecrets) mistakes.attempt(() => requireVariable(entry.apiKeyEnv, env, placeOf(target, 'apiKeyEnv')));
  const attempt = <Value>(read: () => Value, ...key: readonly string[]): Value | undefined =>
    mistakes.attempt(() => atItsPlace(target, read, ...key));
  const inputs = attempt(() =>
    withLevels(readInputs(names, { ...flags, ...given }, io, keyed), entry.levels ?? {}, (...path) =>
      placeOf(target, ...path),
    ),
  );
  const settings = inputs && attempt(() => readSelected(inputs, baseUrl));
  if (settings && baseUrl !== '') attempt(() => checkTransport(baseUrl, settings.allowHttp), 'baseUrl');
  return { inputs, settings };
}

/** Empty if it has a mistake. */
function checkedAddress(target: ListedTarget, { baseUrl }: Partial<TargetEntry>, mistakes: Mistakes): string {
  if (baseUrl === undefined) return '';
  const at = placeOf(target, 'baseUrl');
  return mistakes.attempt(() => checkAddress({ text: baseUrl, name: 'baseUrl', at })) ?? '';
}

function placeOf({ document, index }: ListedTarget, ...path: readonly (string | number)[]) {
  return { file: document.file, line: document.lineOf(['targets', index, ...path]) };
}

/** The keys of a target that stand for settings. */
const KEYS: Readonly<Partial<Record<SettingName, keyof TargetEntry>>> = {
  'api-key-env': 'apiKeyEnv',
  'api-key-file': 'apiKeyEnv',
  model: 'model',
  strict: 'strict',
  waivers: 'waivers',
  profile: 'profile',
  header: 'headers',
  'header-env': 'headersFromEnv',
};

/** The most specific source: what a target has for itself overrides everything else. */
function flagsFor({
  apiKeyEnv,
  model,
  strict,
  waivers,
  profile,
  headers,
  headersFromEnv,
}: Partial<TargetEntry>): Flags {
  return {
    ...(apiKeyEnv !== undefined && { 'api-key-env': apiKeyEnv, 'api-key-file': 'none' }),
    ...(model !== undefined && { model }),
    ...(strict !== undefined && { strict: String(strict) }),
    ...(waivers !== undefined && { waivers }),
    ...(profile !== undefined && { profile }),
    ...(headers && { header: joinEntries(headers, ': ') }),
    ...(headersFromEnv && { 'header-env': joinEntries(headersFromEnv, '=') }),
  };
}

function joinEntries(map: Readonly<Record<string, string>>, joint: string): readonly string[] {
  return Object.entries(map).map(([name, value]) => `${name}${joint}${value}`);
}

/** A name in another spelling may be the key, given in the place of its variable. */
const USUAL_NAME = /^[A-Z_][A-Z0-9_]{0,60}$/;

function requireVariable(
  name: string | undefined,
  env: Inputs['env'],
  at: { readonly file: string; readonly line: number },
): void {
  if (name === undefined) return;
  const value = env[name];
  if (value !== undefined && value.trim() !== '') return;
  const shown = USUAL_NAME.test(name) ? `the variable ${name}` : 'the variable that apiKeyEnv names';
  throw new UsageError(`${shown} is ${value === undefined ? 'not set' : 'empty'}: set it to the key.`, {
    ...at,
    code: 'KEY_MISSING',
  });
}
