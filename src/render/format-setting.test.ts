import { expect, it } from 'vitest';
import { formatSetting, listGivenSettings } from './run-text.ts';

it('A setting is shown by its flag and with its unit', () => {
  expect(formatSetting('timeouts.attempt', 500)).toEqual(['--timeout', ['500ms']]);
  expect(formatSetting('limits.body', 65_536)).toEqual(['--max-body', ['64KiB']]);
  expect(formatSetting('suites', ['auth', 'own.yaml'])).toEqual(['--suite', ['auth', 'own.yaml']]);
  expect(formatSetting('strict', true)).toEqual(['--strict', ['true']]);
  expect(formatSetting('noBodies', true)).toEqual(['--no-bodies', ['true']]);
});

it('A setting without a flag is shown by its path', () => {
  expect(formatSetting('levels.errors.code', 'should')).toEqual(['levels.errors.code', ['should']]);
  expect(formatSetting('retryPauses', ['1', '2'])).toEqual(['retryPauses', ['1', '2']]);
});

it('A withheld value is described instead of shown', () => {
  const proxy = { withheld: 'login', shown: 'http://proxy.example:8080' } as const;
  expect(formatSetting('proxy', proxy)).toEqual(['--proxy', ['http://proxy.example:8080 (login not shown)']]);
  expect(formatSetting('tls.clientKey', { withheld: 'PEM text' })).toEqual(['--client-key', ['(PEM text, not shown)']]);
  const headers = [
    { name: 'x-team', value: 'blue' },
    { name: 'x-gate', withheld: 'value', variable: 'GATE' },
    { name: 'x-key', withheld: 'value' },
  ] as const;
  expect(formatSetting('headers', headers)).toEqual([
    'headers',
    ['x-team: blue', 'x-gate: (secret from GATE)', 'x-key: (secret)'],
  ]);
});

it('An exploration shows the flags that were given, and not what follows from them', () => {
  expect(formatSetting('explore.requests', 80)).toEqual(['--requests', ['80']]);
  expect(formatSetting('explore.path', '1:2')).toEqual(['--path', ['1:2']]);
  const given = { strict: true, 'explore.requests': 80, 'explore.completions': 295, 'explore.shrinkCompletions': 7 };
  const shown = (settings: Parameters<typeof listGivenSettings>[0]) =>
    listGivenSettings(settings).map(([path]) => path);
  expect(shown(given)).toEqual(['strict', 'explore.requests', 'explore.shrinkCompletions']);
  expect(shown({ ...given, 'explore.upstreamUrl': 'http://127.0.0.1/v1' })).toEqual(['strict', 'explore.requests']);
  expect(shown({ 'explore.requests': 300, 'explore.shrinkCompletions': 40 })).toEqual([]);
});
