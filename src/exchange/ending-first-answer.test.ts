import { expect, it } from 'vitest';
import { endedRun } from '../../test/kit/endings.ts';
import { adviseOnEnding } from './ending.ts';

it.each([
  [{}, 'WIRECHECK_API_KEY holds'],
  [{ apiKeyEnv: 'STAGING_KEY' }, 'STAGING_KEY holds'],
  [{ apiKeyFile: '/run/key' }, 'the file /run/key holds'],
])('Advice on a refused key names where it came from: %j', (settings, place) => {
  const advice = adviseOnEnding(endedRun({ kind: 'key-refused', status: 401 }, undefined, settings));
  expect(advice).toContain(`Check that ${place} a valid key for this deployment.`);
  expect(advice?.includes('WIRECHECK_API_KEY')).toBe(Object.keys(settings).length === 0);
});
