/** The settings that each command takes. */
import { SETTING_NAMES, type SettingName, settingOf } from '../../settings/setting-names.ts';

/** The demo has a target, a model and keys of its own. */
export const DEMO_SETTINGS: readonly SettingName[] = SETTING_NAMES.filter(
  (name) => name !== 'model' && !['Keys', 'Reaching the target'].includes(settingOf(name).group),
);

export const RENDER_SETTINGS: readonly SettingName[] = ['reporter', 'verbose', 'quiet'];

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
