/** A setting as people know it: by its flag, and with its value as they would type it. */
import type { DescribedHeader, DescribedSetting } from '../report/report.ts';
import { flagOf, nameAt, settingOf } from '../settings/setting-names.ts';

export function formatSetting(path: string, value: DescribedSetting): readonly [label: string, values: string[]] {
  const name = nameAt(path);
  const show = (one: string | number | boolean) => (name === undefined ? String(one) : settingOf(name).type.show(one));
  if (typeof value !== 'object') return [name === undefined ? path : flagOf(name), [show(value)]];
  const values = 'withheld' in value ? [formatWithheld(value)] : value.map((one) => formatItem(one, show));
  return [name === undefined ? path : flagOf(name), values];
}

function formatItem(one: string | DescribedHeader, show: (text: string) => string): string {
  if (typeof one === 'string') return show(one);
  if ('value' in one) return `${one.name}: ${one.value}`;
  return `${one.name}: (secret${one.variable === undefined ? '' : ` from ${one.variable}`})`;
}

function formatWithheld(value: Extract<DescribedSetting, { withheld: string }>): string {
  if (value.withheld === 'login') return `${value.shown} (login not shown)`;
  return value.withheld === 'PEM text' ? '(PEM text, not shown)' : '(address not shown)';
}
