/** Which settings a command takes, and what its help says of them. */
import { SETTING_NAMES, type SettingName, settingOf } from './settings-table.ts';

/** What `wirecheck demo` takes: everything that does not speak of a target of the user's own. */
export const DEMO_SETTINGS: readonly SettingName[] = SETTING_NAMES.filter((name) => !settingOf(name).ownTarget);
/** What `wirecheck render` takes. */
export const RENDER_SETTINGS: readonly SettingName[] = ['reporter', 'verbose', 'quiet'];

/** What `wirecheck judge` takes. */
export const JUDGE_SETTINGS: readonly SettingName[] = [
  'waivers',
  'fail-on-unused-waivers',
  'baseline',
  'reporter',
  'out',
  'no-bodies',
  'force',
  'verbose',
  'quiet',
];

/** What there is to know of a value besides its meaning, such as `1 to 64; default: 4`; undefined where that is nothing. */
export function notesOf(name: SettingName): string | undefined {
  const { type, several } = settingOf(name);
  const fallback = defaultInWords(name);
  const notes = [
    ...(several === undefined ? [] : ['repeatable']),
    ...(type.range ? [type.range.join(' to ')] : []),
    ...(fallback === undefined ? [] : [`default: ${fallback}`]),
  ];
  return notes.length === 0 ? undefined : notes.join('; ');
}

/** What stands for the default in help and in the README. */
export function defaultInWords(name: SettingName): string | undefined {
  const { default: value, otherwise, type } = settingOf(name);
  return value === undefined ? otherwise : type.show(value);
}
