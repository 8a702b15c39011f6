/** Recordings of clients and relays: judged, compared and refused as those of gateways are. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CAREFUL_DRIVER, SILENT_DRIVER } from '../../test/kit/clients.ts';
import { runCommand } from '../../test/kit/command.ts';
import { writeAsOlder } from '../../test/kit/recording.ts';
import { findFreePort } from '../../test/kit/free-port.ts';
import type { Report } from '../report/report.ts';
import { FAULTY_RELAYS } from '../../selftest/relays/catalogue.ts';
import type { RelayModifier } from '../../selftest/relays/relay-modifier.ts';
import { RELAY_KEYS, startSmallRelay } from '../../selftest/relays/small-relay.ts';

const cwd = mkdtempSync(join(tmpdir(), 'wirecheck-record-subjects-'));
afterAll(() => rmSync(cwd, { recursive: true }));

const FEW = ['client/plain', 'client/plain-401', 'client/models', 'client/stream-crlf', 'client/request-*'];
const choosing = (ids: readonly string[]) => ids.flatMap((id) => ['--only', id]);
const textOf = (file: string) => readFileSync(join(cwd, file), 'utf8');

async function recordClient(name: string, command: readonly string[]) {
  const flags = [
    '--record',
    `${name}.ndjson`,
    '--reporter',
    `json=${name}.json`,
    '--scenario-timeout',
    '20s',
    '--driver',
  ];
  const { exit, stderr } = await runCommand(['client', ...choosing(FEW), ...flags, '--', ...command], cwd, {});
  expect(stderr).not.toContain('incomplete');
  return exit;
}

async function recordRelay(name: string, modifier: RelayModifier) {
  const port = await findFreePort();
  const relay = await startSmallRelay({ upstreamUrl: `http://127.0.0.1:${port}/v1`, modifiers: [modifier] });
  const ids = ['relay/plain*', 'relay/break-cut', 'relay/fail-429*', 'relay/*-key', 'relay/parallel'];
  const flags = ['--strict', '--record', `${name}.ndjson.gz`, '--reporter', `json=${name}.json`];
  const address = [relay.baseUrl, '--upstream-port', String(port), '--skip', 'relay/plain-slow'];
  const keys = { WIRECHECK_API_KEY: RELAY_KEYS.full, WIRECHECK_SECOND_KEY: RELAY_KEYS.second };
  const { exit } = await runCommand(['relay', ...address, ...choosing(ids), ...flags], cwd, keys);
  await relay.close();
  return exit;
}

let exits: readonly (number | null)[];
beforeAll(async () => {
  exits = [
    await recordClient('careful', CAREFUL_DRIVER),
    await recordClient('silent', SILENT_DRIVER),
    await recordRelay('right', {}),
    await recordRelay('signing', FAULTY_RELAYS['relay-signs-replies'] ?? {}),
  ];
}, 120_000);

it('Two conform, and two do not', () => {
  expect(exits).toEqual([0, 1, 0, 1]);
});

describe.each([
  ['careful.ndjson', 'careful.json', 0],
  ['silent.ndjson', 'silent.json', 1],
  ['right.ndjson.gz', 'right.json', 0],
  ['signing.ndjson.gz', 'signing.json', 1],
])('The recording %s', (recording, report, exit) => {
  it('gives the report of its run, and its exit code', async () => {
    const judged = await runCommand(['judge', recording, '--reporter', `json=again-${report}`], cwd);
    expect(judged.exit, judged.stderr).toBe(exit);
    expect(JSON.parse(textOf(`again-${report}`))).toEqual(JSON.parse(textOf(report)));
    const verified = await runCommand(['verify', report, recording], cwd);
    expect([verified.exit, verified.stdout]).toEqual([0, expect.stringMatching(/^VERIFIED: /)]);
  });

  it('cannot become a HAR file', async () => {
    const ended = await runCommand(['render', recording, '--reporter', 'har=x.har'], cwd);
    expect([ended.exit, ended.stderr]).toEqual([
      2,
      expect.stringMatching(/is the recording of a (client|relay): only/),
    ]);
  });
});

it.each([
  ['careful.ndjson', 'silent.ndjson'],
  ['right.ndjson.gz', 'signing.ndjson.gz'],
])('A new version that breaks a clause is a regression: %s and %s', async (older, newer) => {
  const { exit, stdout } = await runCommand(['compare', older, newer], cwd);
  expect(exit, stdout).toBe(1);
  expect((await runCommand(['compare', older, older], cwd)).exit).toBe(0);
});

it('Recordings of a client and a relay contain no key', () => {
  const keys = [RELAY_KEYS.full, RELAY_KEYS.second, RELAY_KEYS.upstream];
  const text = textOf('careful.ndjson');
  expect(text).not.toMatch(/sk-service-/);
  for (const key of keys) expect(text).not.toContain(key);
});

const linesOf = (file: string) => {
  const bytes = readFileSync(join(cwd, file));
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString().trimEnd().split('\n');
};

/** Places at which a recording is cut, from its first line to its last ones. */
const CUTS = 12;

it.each(['careful.ndjson', 'right.ndjson.gz'])(
  '%s can be judged as far as it goes, wherever it is cut',
  async (file) => {
    const lines = linesOf(file);
    const judged: number[] = [];
    const step = Math.ceil(lines.length / CUTS);
    for (let kept = 1; kept < lines.length; kept += step) {
      const text = `${lines.slice(0, kept).join('\n')}\n${lines[kept]?.slice(0, 40)}`;
      writeFileSync(join(cwd, 'cut.ndjson'), text);
      const flags = ['--reporter', 'json=cut.json', '--force'];
      const { exit, stderr } = await runCommand(['judge', 'cut.ndjson', ...flags], cwd);
      expect(exit, stderr).toBe(3);
      const { cases, ending, notices } = JSON.parse(textOf('cut.json')) as Report;
      // Those who broke nothing break nothing in the beginning of their run.
      expect(cases.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')).toEqual([]);
      expect([ending.kind, notices.map(({ kind }) => kind)]).toEqual(['recording-cut', ['recording-cut']]);
      judged.push(cases.filter(({ verdict }) => verdict === 'pass').length);
    }
    expect(judged[0]).toBe(0);
    expect(judged.at(-1)).toBeGreaterThan(3);
    expect(judged).toEqual(judged.toSorted((a, b) => a - b));
  },
);

it('A recording keeps what it showed before it was cut', async () => {
  writeFileSync(join(cwd, 'cut.ndjson'), linesOf('silent.ndjson').slice(0, -1).join('\n'));
  const { exit, stdout } = await runCommand(['judge', 'cut.ndjson'], cwd);
  expect([exit, stdout]).toEqual([1, expect.stringContaining('client/plain-401')]);
});

it.each(['careful', 'silent', 'right', 'signing'])('%s gives the same report from version 2', async (name) => {
  const file = existsSync(join(cwd, `${name}.ndjson`)) ? `${name}.ndjson` : `${name}.ndjson.gz`;
  writeFileSync(join(cwd, 'two.ndjson'), writeAsOlder(linesOf(file).join('\n'), 2));
  await runCommand(['judge', 'two.ndjson', '--reporter', 'json=two.json', '--force'], cwd);
  const { recordingDigest: _recording, reportDigest: _report, ...same } = JSON.parse(textOf(`${name}.json`));
  expect(JSON.parse(textOf('two.json'))).toMatchObject(same);
});

it.each(['careful.ndjson', 'right.ndjson.gz'])('%s cannot have version 1, which has gateways only', async (file) => {
  writeFileSync(join(cwd, 'one.ndjson'), writeAsOlder(linesOf(file).join('\n'), 1));
  const { exit, stderr } = await runCommand(['judge', 'one.ndjson'], cwd);
  const sentence =
    'has version 1 of the recording format, which has gateways only. Record the client or the relay again.';
  expect([exit, stderr]).toEqual([2, `one.ndjson ${sentence}\n`]);
});

it('--record is not for several clients', async () => {
  writeFileSync(join(cwd, 'clients.yaml'), 'clients: [{ name: a, command: [node, a.js] }]\n');
  const { exit, stderr } = await runCommand(['client', '--clients', 'clients.yaml', '--record', 'x.ndjson'], cwd);
  expect([exit, stderr]).toEqual([
    2,
    expect.stringContaining('--record is for a single client: leave it out with --clients.'),
  ]);
});
