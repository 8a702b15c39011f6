/** The names of every setting, and what follows from its row. */
import { DEFAULT_SETTINGS } from '../settings.ts';
import { type InFile, type Setting, SETTINGS } from './settings-table.ts';
import { AGENT, BASE_URL, KEY_VARIABLES } from './settings-without-flag.ts';
import type { ValueType } from './value-types.ts';

export type SettingName = keyof typeof SETTINGS;
export type SettingGroup = (typeof SETTINGS)[SettingName]['group'];

type ValueOf<Row> = Row extends { readonly type: ValueType<infer Value> } ? Value : never;

/** The parsed value: a list if the setting is repeatable. */
export type SettingValue<Name extends SettingName> = (typeof SETTINGS)[Name] extends { readonly several: string }
  ? readonly ValueOf<(typeof SETTINGS)[Name]>[]
  : ValueOf<(typeof SETTINGS)[Name]>;

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

/** Those that help and documents show. */
export const SHOWN_SETTINGS = SETTING_NAMES.filter((name) => settingOf(name).goneFor === undefined);

export function settingOf(name: SettingName): Setting {
  return SETTINGS[name];
}

export function flagOf(name: SettingName): string {
  return `--${name}`;
}

/** The flag with what it takes, such as `--reply-tokens N`. */
export function flagWithValue(name: SettingName): string {
  const { placeholder } = settingOf(name).type;
  return placeholder === '' ? flagOf(name) : `${flagOf(name)} ${placeholder}`;
}

/** The short form before the flag, such as `-m, `; empty if it has none. */
export function shortBefore(name: SettingName): string {
  const { short } = settingOf(name);
  return short === undefined ? '' : `-${short}, `;
}

export function variableOf(name: SettingName): string {
  return `WIRECHECK_${name.toUpperCase().replaceAll('-', '_')}`;
}

export function inFileOf(name: SettingName): InFile | undefined {
  const { inFile } = settingOf(name);
  if (inFile === false) return undefined;
  return inFile ?? { key: name.replaceAll(/-([a-z])/g, (_dash, letter: string) => letter.toUpperCase()) };
}

/** `--no-bodies` in the settings of a report: the run does not depend on it, but its reader does. */
export const NO_BODIES = 'noBodies';

const NAMES_BY_PATH = new Map<string | undefined, SettingName>([
  ...SETTING_NAMES.map((name) => [settingOf(name).path, name] as const),
  [NO_BODIES, 'no-bodies'],
]);

/** The setting at a path of `Settings`, such as `limits.depth`. */
export function nameAt(path: string): SettingName | undefined {
  return NAMES_BY_PATH.get(path);
}

/** Its default; undefined where its row says what happens otherwise. */
export function defaultOf(name: SettingName): unknown {
  const { path, default: own, otherwise } = settingOf(name);
  if (path === undefined || otherwise !== undefined) return own;
  return path.split('.').reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], DEFAULT_SETTINGS);
}

/** The default as help and documents show it. Switches are off and lists are empty by default, which goes without saying. */
export function formatDefault(name: SettingName): string | undefined {
  const { otherwise, type } = settingOf(name);
  const value = defaultOf(name);
  return typeof value === 'string' || typeof value === 'number' ? type.show(value) : otherwise;
}

/** What there is to know of a value besides its meaning, such as `1 to 64; default: 4`; undefined if there is nothing. */
export function formatNotes(name: SettingName): string | undefined {
  const { type, several } = settingOf(name);
  const fallback = formatDefault(name);
  const usual = fallback && `default: ${fallback}`;
  const notes = [several && 'repeatable', type.range?.join(' to '), usual].filter((note) => note !== undefined);
  return notes.length === 0 ? undefined : notes.join('; ');
}

export const KNOWN_VARIABLES: readonly string[] = [
  BASE_URL.variable,
  AGENT.variable,
  ...Object.values(KEY_VARIABLES),
  ...SETTING_NAMES.map(variableOf),
];
