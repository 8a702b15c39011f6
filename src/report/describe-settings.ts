/** The settings for the report: those that differ from their defaults, without secrets. */
import { DEFAULT_SETTINGS, type ExtraHeader, type Settings } from '../settings.ts';
import { nameAt, settingOf } from '../settings/setting-names.ts';
import type { DescribedHeader, DescribedSetting, DescribedSettings } from '../settings/setting-flags.ts';

/** `defaults`: of the command, where they are others. */
export function describeSettings(settings: Settings, defaults = DEFAULT_SETTINGS): DescribedSettings {
  const { headers, profile, seed: _seed, baseUrl: _baseUrl, ...rest } = settings;
  return {
    ...flatten(rest, defaults, ''),
    ...describeProfileFile(profile),
    ...(headers.length > 0 && { headers: headers.map(describeHeader) }),
  };
}

/** The changes themselves are in the report. */
export function describeProfileFile(profile: Settings['profile']): DescribedSettings {
  return profile?.file === undefined ? {} : { 'profile.file': profile.file };
}

function describeHeader({ name, value, secret, variable }: ExtraHeader): DescribedHeader {
  if (!secret) return { name, value };
  return { name, withheld: 'value', ...(variable !== undefined && { variable }) };
}

function flatten(values: object, defaults: unknown, prefix: string): DescribedSettings {
  const described: Record<string, DescribedSetting> = {};
  for (const [name, value] of Object.entries(values) as [string, unknown][]) {
    const usual = (defaults as Record<string, unknown> | undefined)?.[name];
    const path = prefix + name;
    if (value === undefined || JSON.stringify(value) === JSON.stringify(usual)) continue;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      Object.assign(described, flatten(value, usual, `${path}.`));
    } else {
      described[path] = Array.isArray(value) ? value.map(String) : describeValue(path, value);
    }
  }
  return described;
}

function describeValue(path: string, value: unknown): DescribedSetting {
  const name = nameAt(path);
  const mayHold = name && settingOf(name).mayHold;
  if (mayHold === 'login') return describeAddress(String(value));
  // Library callers may pass certificates and keys as text instead of a file name.
  if (mayHold === 'PEM text' && String(value).includes('-----BEGIN')) return { withheld: 'PEM text' };
  return value as string | number | boolean;
}

function describeAddress(address: string): DescribedSetting {
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return { withheld: 'address' };
  const { protocol, host, username, password } = new URL(address);
  const shown = `${protocol}//${host}`;
  return username === '' && password === '' ? shown : { withheld: 'login', shown };
}
