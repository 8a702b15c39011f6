import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS, type Keys, type Settings } from '../../settings.ts';
import { KEY, redactBody, stars } from '../../../test/kit/redaction.ts';
import { collectSecrets } from './secrets.ts';

describe('the secrets of a run', () => {
  const collect = (keys: Keys, changes: Partial<Settings> = {}) =>
    collectSecrets({ ...DEFAULT_SETTINGS, baseUrl: 'http://localhost/v1', ...changes }, keys);

  it('say which keys have the prefix', () => {
    expect(collect({ full: KEY, limited: 'other-key-without' }).keyFacts).toEqual([
      { role: 'full', hasPrefix: true },
      { role: 'limited', hasPrefix: false },
    ]);
  });

  it('come with a notice about a key that is too short to be found in part', () => {
    const { notices } = collect({ full: 'sk-service-short' });
    expect(notices).toEqual([{ kind: 'short-key', role: 'full', least: 8 }]);
    expect(redactBody('sk-service-short, not short', { full: 'sk-service-short' }).text).toBe(
      `${stars(16)}, not short`,
    );
  });

  it('come with a notice about a key or a header that is too short to be found at all', () => {
    const headers = [{ name: 'X-Pin', value: '1234', secret: true }];
    const { notices, secrets } = collect({ full: 'abc' }, { headers });
    expect(notices).toEqual([
      { kind: 'short-secret', of: 'key', name: 'full', least: 8 },
      { kind: 'short-secret', of: 'header', name: 'X-Pin', least: 8 },
    ]);
    expect(secrets.map(({ role }) => role)).not.toContain('full');
    expect(redactBody('abc 1234', { full: 'abc' }, { headers }).text).toBe('abc 1234');
  });

  it('do not include headers that are not secret', () => {
    expect(redactBody('tenant-one', {}, { headers: [{ name: 'X', value: 'tenant-one', secret: false }] }).text).toBe(
      'tenant-one',
    );
  });

  it('include the password of the proxy', () => {
    expect(redactBody('pass%20word', {}, { proxy: 'http://me:pass%20word@localhost:1' }).text).toBe(stars(11));
  });
});
