/** Files and names that belong to another side of the wire. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from '../../test/kit/command.ts';
import { findFreePort } from '../../test/kit/free-port.ts';
import { RELAY_KEYS, startSmallRelay } from '../../selftest/relays/small-relay.ts';

const cwd = mkdtempSync(join(tmpdir(), 'wirecheck-sides-'));
afterAll(() => rmSync(cwd, { recursive: true }));

const SIDES = ['gateway', 'client', 'relay'];
const recordingOf = (side: string) =>
  fileURLToPath(new URL(`../../test/compatibility/${side}-2.ndjson.gz`, import.meta.url));
const env = { WIRECHECK_API_KEY: RELAY_KEYS.full };

beforeAll(async () => {
  for (const side of SIDES) await runCommand(['judge', recordingOf(side), '--reporter', `json=${side}.json`], cwd);
});

const RUN = ['run', 'http://127.0.0.1:1/v1'];
const RELAY = ['relay', 'http://127.0.0.1:1/v1', '--upstream-port', '5055'];
const CLIENT = ['client'];

it.each([
  [RUN, 'gateway', '--baseline', 'client'],
  [RUN, 'gateway', '--rerun-failed', 'relay'],
  [RELAY, 'relay', '--baseline', 'client'],
  [RELAY, 'relay', '--rerun-failed', 'gateway'],
  [CLIENT, 'client', '--baseline', 'relay'],
  [CLIENT, 'client', '--rerun-failed', 'gateway'],
])('%s on a %s refuses a %s of a %s', async (command, own, flag, other) => {
  const line = [...command, flag, `${other}.json`, '--out', 'none', ...(own === 'client' ? ['--', 'true'] : [])];
  const { exit, stderr } = await runCommand(line, cwd, env);
  const sentence = `${flag} ${other}.json is about a ${other}, and this run is about a ${own}: give a report on a ${own}.`;
  expect([exit, stderr]).toEqual([2, expect.stringContaining(sentence)]);
});

it.each(SIDES)('A recording of a %s is judged only with a baseline of its side', async (side) => {
  for (const other of SIDES) {
    const { exit, stderr } = await runCommand(['judge', recordingOf(side), '--baseline', `${other}.json`], cwd);
    expect(exit === 2 && stderr.includes(`is about a ${other}, and this run is about a ${side}`)).toBe(side !== other);
  }
});

it.each([
  [RUN, 'relay/fail-401', "matches no case. It is a relay's case: `wirecheck relay` has it."],
  [RELAY, 'client/plain', "matches no case. It is a client's scenario: `wirecheck client` has it."],
  [RELAY, 'auth/*', "matches no case. It is a gateway's case: `wirecheck run` has it."],
  [RUN, 'realy/nothing', 'matches no case. `npx --no-install wirecheck list cases` lists the ids.'],
])('%s --only %s says whose case it is', async (command, id, sentence) => {
  const { exit, stderr } = await runCommand([...command, '--only', id], cwd, env);
  expect([exit, stderr]).toEqual([2, expect.stringContaining(sentence)]);
});

it('A relay without an address is told how to give one', async () => {
  const { exit, stderr } = await runCommand(['relay', '--upstream-port', '5055'], cwd, env);
  expect([exit, stderr]).toEqual([
    2,
    expect.stringContaining('`npx --no-install wirecheck relay https://gateway.example/v1`'),
  ]);
});

it.each([
  ['client/xyzzyxyzzy', 'scenarios'],
  ['relay/xyzzyxyzzy', 'relay-cases'],
  ['xyzzy/xyzzyxyzzy', 'cases'],
])('An unknown id such as %s is to be looked up in the list %s', async (id, list) => {
  const terms = ['--reason', 'known', '--until', '2099-01-01'];
  const { stderr } = await runCommand(['waive', id, ...terms], cwd);
  expect(stderr).toContain(
    `\`npx --no-install wirecheck list clauses\` and \`npx --no-install wirecheck list ${list}\` list the ids.`,
  );
  writeFileSync(join(cwd, 'unknown.yaml'), `waivers:\n  - { case: ${id}, reason: known, until: 2099-01-01 }\n`);
  const ended = await runCommand(['judge', recordingOf('gateway'), '--waivers', 'unknown.yaml'], cwd);
  expect(ended.stderr).toContain(
    `there is no case "${id}". \`npx --no-install wirecheck list ${list}\` lists the ids.`,
  );
});

it('A waiver for a clause of gateways and relays is unused where the relay keeps it', async () => {
  writeFileSync(join(cwd, 'w.yaml'), 'waivers:\n  - { clause: errors.code, reason: known, until: 2099-01-01 }\n');
  const port = await findFreePort();
  const relay = await startSmallRelay({ upstreamUrl: `http://127.0.0.1:${port}/v1` });
  const line = ['relay', relay.baseUrl, '--upstream-port', String(port), '--out', 'none', '--only', 'relay/fail-429'];
  const strict = ['--waivers', 'w.yaml', '--fail-on-unused-waivers'];
  const judged = await runCommand([...line, '--only', 'relay/front-errors', ...strict], cwd, env);
  const notAsked = await runCommand([...line, ...strict], cwd, env);
  await relay.close();
  expect([judged.exit, judged.stdout]).toEqual([1, expect.stringContaining('w.yaml:2')]);
  expect(notAsked.exit).toBe(0);
});
