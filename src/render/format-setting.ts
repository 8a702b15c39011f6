/** A setting as people know it: by its flag, and with its value as they would type it. */
import type { DescribedHeader, DescribedSetting, DescribedSettings } from '../settings/described-settings.ts';
import { defaultOf, flagOf, nameAt, type SettingName, settingOf } from '../settings/setting-names.ts';

/** Flags of an exploration, which are not settings of every run. */
const EXPLORE_NAMES: Readonly<Record<string, SettingName | undefined>> = {
  'explore.requests': 'requests',
  'explore.shrinkCompletions': 'shrink-completions',
};
const EXPLORE_PATH = 'explore.path';

/** Those that somebody has set: some settings of an exploration follow from others. */
export function listGivenSettings(settings: DescribedSettings): readonly (readonly [string, DescribedSetting])[] {
  // A scripted upstream charges nothing.
  const isFree = 'explore.upstreamUrl' in settings;
  return Object.entries(settings).filter(([path, value]) => {
    if (!path.startsWith('explore.') || path === EXPLORE_PATH) return true;
    const name = EXPLORE_NAMES[path];
    return name !== undefined && value !== defaultOf(name) && !(isFree && name === 'shrink-completions');
  });
}

function labelOf(path: string): string {
  const name = nameAt(path) ?? EXPLORE_NAMES[path];
  if (name !== undefined) return flagOf(name);
  return path === EXPLORE_PATH ? '--path' : path;
}

export function formatSetting(path: string, value: DescribedSetting): readonly [label: string, values: string[]] {
  const name = nameAt(path);
  const show = (item: string | number | boolean) =>
    name === undefined ? String(item) : settingOf(name).type.show(item);
  if (typeof value !== 'object') return [labelOf(path), [show(value)]];
  const values = 'withheld' in value ? [formatWithheld(value)] : value.map((item) => formatItem(item, show));
  return [labelOf(path), values];
}

function formatItem(item: string | DescribedHeader, show: (text: string) => string): string {
  if (typeof item === 'string') return show(item);
  if ('value' in item) return `${item.name}: ${item.value}`;
  return `${item.name}: (secret${item.variable === undefined ? '' : ` from ${item.variable}`})`;
}

function formatWithheld(value: Extract<DescribedSetting, { withheld: string }>): string {
  if (value.withheld === 'login') return `${value.shown} (login not shown)`;
  return value.withheld === 'PEM text' ? '(PEM text, not shown)' : '(address not shown)';
}
