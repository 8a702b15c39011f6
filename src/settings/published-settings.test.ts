import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../contract/package-root.ts';
import { DEFAULT_SETTINGS } from '../settings.ts';
import { defaultOf, formatDefault, SETTING_NAMES, settingOf, variableOf } from './setting-names.ts';

// Both are written anew by `npm run settings`.
const { configSchema, settingsPage } = (await import(
  new URL('../../scripts/settings/published-settings.mjs', import.meta.url).href
)) as { readonly configSchema: () => object; readonly settingsPage: () => string };

it('The JSON Schema of the config file is generated from the rows', async () => {
  const text = `${JSON.stringify(configSchema(), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot(join(packageRoot(), 'schemas/files/config.schema.json'));
});

it('docs/settings.md is generated from the rows', async () => {
  await expect(settingsPage()).toMatchFileSnapshot(join(packageRoot(), 'docs/settings.md'));
});

it('Every setting has its own variable', () => {
  expect(new Set(SETTING_NAMES.map(variableOf)).size).toBe(SETTING_NAMES.length);
});

it('Every member of Settings has a row, except library-only and composite ones', () => {
  const paths = (part: object, prefix: string): readonly string[] =>
    Object.entries(part).flatMap(([name, value]) =>
      typeof value === 'object' && !Array.isArray(value) && name !== 'levels'
        ? paths(value as object, `${prefix}${name}.`)
        : [prefix + name],
    );
  const rows = new Set(SETTING_NAMES.flatMap((name) => settingOf(name).path ?? []));
  const others = paths(DEFAULT_SETTINGS, '').filter((path) => !rows.has(path as never));
  expect(others.toSorted()).toEqual(['headers', 'levels', 'limits.interim', 'pauses', 'retryPauses', 'timeouts.edit']);
});

it('Every documented default is a valid value of its setting', () => {
  for (const name of SETTING_NAMES) {
    const value = defaultOf(name);
    if (typeof value === 'string' || typeof value === 'number')
      expect([name, settingOf(name).type.parse(formatDefault(name) ?? '')]).toEqual([name, value]);
  }
});
