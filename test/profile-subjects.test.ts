/** A profile for every subject: what is sent to gateways, and what clients and relays are judged by. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contractOf } from '../src/contract/profile/apply-profile.ts';
import { loadProfile } from '../src/contract/profile/read-profile.ts';
import { isObject } from '../src/json.ts';
import { runRelay, startRelayUpstream } from '../src/gather/relay/run-relay.ts';
import type { Report } from '../src/report/report.ts';
import { plan } from '../src/run/run.ts';
import type { RelayModifier } from '../selftest/relays/relay-modifier.ts';
import { jsonAnswer, RELAY_KEYS, startSmallRelay } from '../selftest/relays/small-relay.ts';
import { DEFAULT_SETTINGS, type Settings } from '../src/settings.ts';
import { EXTRA_KEYS } from '../src/suite/case.ts';
import { runCommand } from './kit/command.ts';

const FOLDER = fileURLToPath(new URL('profiles/', import.meta.url));
const CLIENT = fileURLToPath(new URL('kit/clients/careful-driver.mjs', import.meta.url));

let cwd: string;
beforeAll(() => void (cwd = mkdtempSync(join(tmpdir(), 'wirecheck-'))));
afterAll(() => rmSync(cwd, { recursive: true }));

const failed = ({ clauses }: Report) => clauses.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);

const settingsBy = (file: string): Settings => ({
  ...DEFAULT_SETTINGS,
  baseUrl: 'http://127.0.0.1:9/v1',
  profile: loadProfile(file, FOLDER),
});

/** Asks without max_tokens if the control is refused with it, and with null where that is left open. */
const OPEN = ['chat-bare', 'parameters/null-together'];

it.each(['acme.yaml', 'narrow.yaml'])('Every request that has to be answered is right by %s', (file) => {
  const settings = { ...settingsBy(file), forbiddenModel: 'x', patient: true, parallel: 4 };
  const contract = contractOf(settings);
  const asked = plan(settings, EXTRA_KEYS).steps.filter(({ id, seeks }) => seeks === 'answer' && !OPEN.includes(id));
  let judged = 0;
  for (const { id, template } of asked) {
    const { body } = template;
    if (body?.kind !== 'json' || !isObject(body.value)) continue;
    judged += 1;
    const numbers = Object.entries(body.value).map(([name, value]) => [name, numberOf(name, value)]);
    expect(contract.validate('v1/chat-completion-request', Object.fromEntries(numbers)), id).toEqual([]);
    for (const pointer of Object.keys(contract.rules.added)) expect(body.value, id).toHaveProperty(pointer.slice(1));
  }
  expect(judged).toBeGreaterThan(40);
});

/** Placeholders are filled in later: with settings, or with the number as it is written. */
function numberOf(name: string, value: unknown): unknown {
  if (name === 'max_tokens' && typeof value === 'string') return DEFAULT_SETTINGS.replyTokens;
  const [, text] = /^\$\{rawNumber:(.*)\}$/.exec(String(value)) ?? [];
  return text === undefined ? value : Number(text);
}

it('Clients are judged by the profile, and get its answers', async () => {
  const only = ['client/request-fields', 'client/plain-401'].flatMap((name) => ['--only', name]);
  const outputs = ['--out', 'none', '--reporter', 'json', '--record', 'client.ndjson'];
  const command = [process.execPath, CLIENT];
  const args = ['client', '--profile', join(FOLDER, 'acme.yaml'), ...only, ...outputs, '--driver', '--', ...command];
  const { exit, stdout } = await runCommand(args, cwd);
  const report: Report = JSON.parse(stdout);
  expect([exit, failed(report)]).toEqual([1, ['client.request-fields']]);
  const clause = report.clauses.find(({ id }) => id === 'client.request-fields');
  expect(clause?.summary).toContain('model, messages and max_tokens');
  expect(report.cases.find(({ id }) => id === 'client/request-fields')?.repeat).toContain('--profile ');
  expect(readFileSync(join(cwd, 'client.ndjson'), 'utf8')).toContain('x-request-id');
});

it('Relays are judged by the changed clauses of a gateway too', async () => {
  const noCode = await checkRelay('acme.yaml', null);
  expect(failed(noCode)).toEqual([]);
  expect(noCode.profile).toMatchObject({ name: 'acme-gateway', version: '3' });
  const aNumber = await checkRelay('acme.yaml', 7);
  expect(failed(aNumber)).toContain('errors.code');
  expect(failed(await checkRelay('narrow.yaml', null))).toContain('errors.code');
});

/** A relay whose refusals have this error.code. */
async function checkRelay(file: string, code: null | number): Promise<Report> {
  const settings = { ...settingsBy(file), only: ['relay/plain', 'relay/unknown-key', 'relay/front-errors'] };
  const keys = { full: RELAY_KEYS.full };
  const started = await startRelayUpstream(settings, keys, 0);
  const refusal = jsonAnswer(401, { error: { message: 'The key is not valid.', type: 'relay_error', code } });
  const modifier: RelayModifier = {
    accepts: () => true,
    shortcut: ({ key }) => (key === RELAY_KEYS.full ? undefined : refusal),
  };
  const relay = await startSmallRelay({ upstreamUrl: started.upstream.url, modifiers: [modifier] });
  try {
    return await runRelay({ ...settings, baseUrl: relay.baseUrl }, keys, started);
  } finally {
    await relay.close();
  }
}
