import { describe, expect, it } from 'vitest';
import type { ProfileReport } from '../report/profile-report.ts';
import { formatLevelSource, listChanges } from './profile-text.ts';

const CHANGED: ProfileReport = {
  basedOn: 'v1',
  digest: 'd'.repeat(64),
  safetyChanges: 0,
  changes: [{ change: { kind: 'level', clause: 'errors.code', level: 'should' }, levelWas: 'must' }],
};

describe('the source of a changed level', () => {
  it('is a line of a file', () => {
    const profile = { ...CHANGED, levelPlaces: { 'errors.code': { file: 'targets.yaml', line: 10 } } };
    expect(listChanges(profile)).toEqual([
      { what: 'errors.code is should (v1: must)', why: 'Set in targets.yaml:10.' },
    ]);
    expect(formatLevelSource({ profile }, 'errors.code')).toBe('targets.yaml:10');
  });

  it('is the setting, where no file is known', () => {
    expect(listChanges(CHANGED)[0]?.why).toBe('Set by the setting levels.');
    expect(formatLevelSource({ profile: CHANGED }, 'errors.code')).toBe('the setting levels');
  });

  it('is the profile that has a name', () => {
    expect(formatLevelSource({ profile: { ...CHANGED, name: 'acme' } }, 'errors.code')).toBe('the profile acme');
  });
});
