/** The commands that repeat a finding which a case makes of the calls of other cases. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { script } from '../../test/kit/clients.ts';
import { runCommand } from '../../test/kit/command.ts';
import { findFreePort } from '../../test/kit/free-port.ts';
import type { Report } from '../report/report.ts';
import { FAULTY_RELAYS } from '../../selftest/relays/catalogue.ts';
import { RELAY_KEYS, startSmallRelay } from '../../selftest/relays/small-relay.ts';

const cwd = mkdtempSync(join(tmpdir(), 'wirecheck-repeat-'));
afterAll(() => rmSync(cwd, { recursive: true }));

const env = { WIRECHECK_API_KEY: RELAY_KEYS.full };

function caseIn(file: string, id: string) {
  const report = JSON.parse(readFileSync(join(cwd, file), 'utf8')) as Report;
  return report.cases.find((testCase) => testCase.id === id);
}

const fingerprintsIn = (file: string, id: string) =>
  caseIn(file, id)?.expectations.flatMap(({ findings }) => findings.map(({ fingerprint }) => fingerprint));

it.each([
  ['relay-upstream-key-in-errors', 'relay/upstream-key', 'relay/fail-401'],
  ['relay-forwards-key-header', 'relay/client-key', 'relay/upstream-key'],
  ['relay-mixes-after-failures', 'relay/every-reply', 'relay/fail-500'],
])('The finding of %s in %s is shown again', async (fault, id, other) => {
  const port = await findFreePort();
  const upstreamUrl = `http://127.0.0.1:${port}/v1`;
  const relay = await startSmallRelay({ upstreamUrl, modifiers: [FAULTY_RELAYS[fault] ?? {}] });
  const chosen = ['relay/plain', other, id].flatMap((each) => ['--only', each]);
  const line = ['relay', relay.baseUrl, '--upstream-port', String(port), ...chosen, '--reporter', 'json=all.json'];
  await runCommand(line, cwd, env);
  const { repeat = '' } = caseIn('all.json', id) ?? {};
  const again = repeat.replace('npx --no-install wirecheck ', '').split(' ');
  await runCommand([...again, '--reporter', 'json=again.json'], cwd, env);
  await relay.close();
  // Every call shows the key of the client, the controls included.
  const shown = id === 'relay/client-key' ? [id] : [other, id];
  expect(again.filter((_word, index) => again[index - 1] === '--only')).toEqual(shown);
  expect(fingerprintsIn('again.json', id)).not.toEqual([]);
  expect(fingerprintsIn('again.json', id)).toEqual(fingerprintsIn('all.json', id));
});

it('The command for a wrong request of a client has the scenario in which it is sent', async () => {
  const client = script(`console.log(await call(task).catch(() => call({ ...task, model: undefined })))`);
  const chosen = ['client/plain', 'client/plain-401', 'client/request-fields'].flatMap((id) => ['--only', id]);
  await runCommand(['client', ...chosen, '--reporter', 'json=client.json', '--', ...client], cwd, {});
  const { repeat } = caseIn('client.json', 'client/request-fields') ?? {};
  expect(repeat).toContain('wirecheck client --only client/plain-401 --only client/request-fields --out none');
});
