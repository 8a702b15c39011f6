/** The settings that each command takes, as options of the command line parser. */
import { type Command, Option } from 'commander';
import type { Flags } from './merge-settings.ts';
import { SETTINGS } from '../../settings/settings-table.ts';
import { toggle } from '../../settings/value-types.ts';
import {
  formatNotes,
  SETTING_NAMES,
  type SettingGroup,
  type SettingName,
  settingOf,
  shortBefore,
} from '../../settings/setting-names.ts';

function settingsIn(...groups: readonly SettingGroup[]): readonly SettingName[] {
  return SETTING_NAMES.filter((name) => groups.includes(SETTINGS[name].group));
}

function without(names: readonly SettingName[], ...others: readonly SettingName[]): readonly SettingName[] {
  return names.filter((name) => !others.includes(name));
}

/** Everything but what only `wirecheck relay`, `wirecheck load`, `wirecheck explore` and `wirecheck client` need. */
export const RUN_SETTINGS = without(SETTING_NAMES, ...settingsIn('Relay', 'Load', 'Explore', 'Clients'));

/** A plan does not depend on secret headers: the machine that makes it may not have them. */
export const SETTINGS_WITHOUT_SECRETS = without(RUN_SETTINGS, 'header-env');

/** The demo has a target, a model and keys of its own. */
export const DEMO_SETTINGS = [
  ...without(RUN_SETTINGS, 'model', ...settingsIn('Targets', 'Keys', 'Connection')),
  'openapi',
] as const satisfies readonly SettingName[];

/** A relay is judged by cases of its own, live, with one key and one model. Drawn requests have a number and a seed. */
export const RELAY_SETTINGS = without(
  SETTING_NAMES,
  ...settingsIn('Targets', 'Load', 'Clients'),
  ...without(settingsIn('Model and tokens'), 'seed'),
  'shrink-completions',
  ...(['parallel', 'detect', 'forbidden-model', 'suite', 'bail', 'openapi'] as const),
  ...(['retries', 'max-retry-wait', 'rate'] as const),
);

/** Calls under load are sent once, and the user agent says what they are. */
export const LOAD_SETTINGS = without(
  SETTING_NAMES,
  ...settingsIn('Targets', 'Explore', 'Clients'),
  ...(['reply-tokens', 'stream-tokens', 'models-sample', 'forbidden-model', 'user-agent', 'max-total'] as const),
  ...(['parallel', 'detect', 'suite', 'bail', 'openapi', 'retries', 'rate', 'rerun-failed', 'last-failed'] as const),
  ...(['largest-body', 'context-tokens', 'patient', 'counts', 'price'] as const),
  ...(['fallback-model', 'upstream-timeout'] as const),
);

/** Drawn requests take the place of cases, each sent once and with the one key. */
export const EXPLORE_SETTINGS = without(
  SETTING_NAMES,
  ...settingsIn('Targets', 'Cases', 'Relay', 'Load', 'Clients'),
  ...(['forbidden-model', 'models-sample', 'context-tokens', 'largest-body', 'detect', 'parallel', 'patient'] as const),
  ...(['openapi', 'counts', 'price'] as const),
);

export const RENDER_SETTINGS: readonly SettingName[] = ['reporter', 'title', 'note', 'verbose', 'quiet'];

/** A scenario is sent once, by the client itself. */
export const CLIENT_SETTINGS: readonly SettingName[] = [
  ...without(settingsIn('Verdict', 'Cases', 'Output'), 'detect', 'suite', 'bail'),
  ...settingsIn('Clients'),
  'concurrency',
  ...settingsIn('Configuration'),
];

/** Nothing is sent or recorded, and the config file belongs to runs. */
export const JUDGE_SETTINGS = without(settingsIn('Verdict', 'Output'), 'detect', 'record');

/** What most people need. Help shows the others with `--help all`. */
const USUAL: readonly SettingName[] = [
  ...(['api-key-file', 'model', 'profile', 'strict', 'waivers', 'baseline', 'only', 'last-failed'] as const),
  ...(['header', 'allow-http', 'reporter', 'out', 'record', 'verbose', 'max-completions'] as const),
  // What a subject has for itself.
  ...settingsIn('Relay', 'Load', 'Explore', 'Clients'),
];

/** The settings of a command that its help leaves out; a few more would not be worth another page. */
export function rareSettings(names: readonly SettingName[] = []): readonly SettingName[] {
  const rare = without(names, ...USUAL).filter((name) => settingOf(name).goneFor === undefined);
  return rare.length <= FEW ? [] : rare;
}

const FEW = 5;

/** Gathers the values of a repeatable flag. */
export function addTo(text: string, before?: readonly string[]): readonly string[] {
  return [...(before ?? []), text];
}

export function optionOf(name: SettingName, own?: string): Option {
  const { type, summary, several, group, goneFor } = settingOf(name);
  const notes = formatNotes(name);
  const flags = `${shortBefore(name)}--${name}`;
  const flag = type.placeholder === '' ? flags : `${flags} <${type.placeholder}>`;
  const words = own ?? (notes === undefined ? summary : `${summary} (${notes})`);
  const option = new Option(flag, words).helpGroup(`${group}:`);
  if (goneFor !== undefined) option.hideHelp();
  return several === undefined ? option : option.argParser(addTo);
}

/** Turns off a switch that the config file or a variable turned on: `--no-strict`, `--bodies`. Help has one line on all. */
export function offSwitchOf(name: SettingName): Option | undefined {
  if (settingOf(name).type !== toggle) return undefined;
  return new Option(offFlagOf(name)).hideHelp();
}

function offFlagOf(name: SettingName): string {
  return name.startsWith('no-') ? `--${name.slice(3)}` : `--no-${name}`;
}

/** The flags that were typed, by the name of their row. */
export function flagsOf(command: Command): Flags {
  const flags: Record<string, string | true | readonly string[]> = {};
  for (const option of command.options) {
    const attribute = option.attributeName();
    if (command.getOptionValueSource(attribute) !== 'cli') continue;
    const value: unknown = command.getOptionValue(attribute);
    const name = option.long?.slice(2) ?? option.name();
    const off = SETTING_NAMES.find((each) => settingOf(each).type === toggle && offFlagOf(each) === option.long);
    // Commander keeps a switch and its opposite, `--no-x`, as one value: that of the last one typed.
    if (typeof value !== 'boolean') flags[name] = value as string | readonly string[];
    else if (value === option.negate) continue;
    else if (off === undefined) flags[name] = true;
    else flags[off] = 'false';
  }
  return flags;
}
