/** A setting as people know it: by its flag, and with its value as they would type it. */
import type { DescribedHeader, DescribedSetting } from '../report/report.ts';
import { flagOf, nameAt, settingOf } from '../settings/setting-names.ts';

/** Flags of an exploration, which are not settings of every run. */
const EXPLORE_FLAGS: Readonly<Record<string, string>> = { 'explore.requests': '--requests', 'explore.path': '--path' };

/** Whether somebody may have set it. The other settings of an exploration follow from these. */
export function isGivenSetting(path: string): boolean {
  return !path.startsWith('explore.') || path in EXPLORE_FLAGS;
}

function labelOf(path: string): string {
  const name = nameAt(path);
  return name === undefined ? (EXPLORE_FLAGS[path] ?? path) : flagOf(name);
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
