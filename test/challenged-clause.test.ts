import { expect, it } from 'vitest';
import { type Challenge, loadChallenges } from '../src/contract/challenges.ts';
import { digestContents, loadEditionContents } from '../src/contract/editions.ts';
import { formatNotice } from '../src/exchange/notice.ts';
import { runGateway } from './kit/real-run.ts';

it('A challenged clause is recorded and breaks nothing, every report says so, and the edition stays', async () => {
  const few = { only: ['errors/*'] };
  const challenges = loadChallenges() as Challenge[];
  expect(challenges).toEqual([]);
  const digestNow = () => digestContents(loadEditionContents()).digest;
  const before = digestNow();
  // The file is read once for a process.
  challenges.push({ clause: 'errors.code', since: '2026-12-01' });
  const report = await runGateway({ fault: 'error-code-integer' }, few);
  expect(report.outcome.name).toBe('conforms-in-part');
  expect(report.clauses.find(({ id }) => id === 'errors.code')).toMatchObject({
    level: 'observe',
    verdict: 'observed',
  });
  expect(report.notices.map(formatNotice)).toEqual([
    'errors.code is excluded: it has been challenged since 2026-12-01. It is recorded, and breaks nothing.',
  ]);
  expect([digestNow(), report.editionDigest]).toEqual([before, before]);
});
