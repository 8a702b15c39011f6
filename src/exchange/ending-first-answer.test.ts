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

it.each(['{}', '[]'] as const)('A first answer that says nothing is told as it is: %s', (emptyJson) => {
  const ending = { kind: 'not-this-api', status: 200, answer: { status: 200, emptyJson } } as const;
  expect(adviseOnEnding(endedRun(ending))).toContain(`/models returned 200 and the body ${emptyJson}. Check the host`);
});
