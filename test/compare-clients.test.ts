import { expect, it } from 'vitest';
import { observeReport } from '../src/run/compare-runs.ts';
import { compareRuns } from '../src/report/comparison/compare.ts';
import { CAREFUL_DRIVER, check, script } from './kit/clients.ts';

it('Two versions of a client are compared by their verdicts, not by the answers that they were sent', async () => {
  const only = ['client/plain', 'client/plain-401', 'client/models', 'client/stream-crlf'];
  const silent =
    script(`const hide = (one) => call(one).catch(() => '').then((text) => answer({ scenario: one.scenario, ok: true, text }));
    await lines((one) => (one.scenario === 'client/plain-401' ? hide(one) : reply(one)));`);
  const [older, newer] = await Promise.all(
    [CAREFUL_DRIVER, silent].map((command) => check(command, { isDriver: true, only, scenarioTimeout: 20_000 })),
  );
  if (!older || !newer) throw new Error('no report');
  const { changes, exit, new: now } = compareRuns(observeReport(older, 'old'), observeReport(newer, 'new'));
  expect(changes.map(({ kind, clause, place }) => [kind, place.case, clause])).toEqual([
    ['breaking', 'client/plain-401', 'client.errors-known'],
  ]);
  expect([exit, now.baseUrl]).toEqual([1, 'test']);
});
