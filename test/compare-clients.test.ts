import { expect, it } from 'vitest';
import { observeReport } from '../src/report/comparison/observed-run.ts';
import { compareRuns } from '../src/report/comparison/compare.ts';
import type { Task } from '../src/gather/client/drive/drivers.ts';
import { check } from './kit/clients.ts';
import { call } from './kit/clients/careful-client.mjs';
import type { ClientBody } from './kit/in-process-client.ts';

it('Two versions of a client are compared by their verdicts, not by the answers that they were sent', async () => {
  const only = ['client/plain', 'client/plain-401', 'client/models', 'client/stream-crlf'];
  const careful: ClientBody = ({ lines, reply }) => lines(reply);
  const silent: ClientBody = ({ lines, reply, answer }) => {
    const hide = async (task: Task) =>
      answer({ scenario: task.scenario, ok: true, text: await call(task).catch(() => '') });
    return lines((task) => (task.scenario === 'client/plain-401' ? hide(task) : reply(task)));
  };
  const [older, newer] = await Promise.all([careful, silent].map((client) => check(client, { isDriver: true, only })));
  if (!older || !newer) throw new Error('no report');
  const { changes, exit, new: now } = compareRuns(observeReport(older, 'old'), observeReport(newer, 'new'));
  expect(changes.map(({ kind, clause, place }) => [kind, place.case, clause])).toEqual([
    ['breaking', 'client/plain-401', 'client.errors-known'],
  ]);
  expect([exit, now.baseUrl]).toEqual([1, 'test']);
});
