/** Whole runs of gateways with two upstreams: what is asked, what the report has, and the same from a recording. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { RELAY_KEYS, startSmallRelay } from '../selftest/relays/small-relay.ts';
import type { RelayModifier } from '../selftest/relays/relay-modifier.ts';
import { FAILOVER_RELAYS, LEGAL_FAILOVERS } from '../selftest/relays/failovers.ts';
import type { Report } from '../src/report/report.ts';
import { runCommand } from './kit/command.ts';
import { findFreePort } from './kit/free-port.ts';

const cwd = mkdtempSync(join(tmpdir(), 'wirecheck-failover-'));
afterAll(() => rmSync(cwd, { recursive: true }));
const env = { WIRECHECK_API_KEY: RELAY_KEYS.full };

/** `count`: of upstreams. */
async function check(modifier: RelayModifier, count: 1 | 2, ...args: readonly string[]) {
  const [port, second] = [await findFreePort(), await findFreePort()];
  const urls = { upstreamUrl: `http://127.0.0.1:${port}/v1`, fallbackUrl: `http://127.0.0.1:${second}/v1` };
  const relay = await startSmallRelay({ ...urls, modifiers: [modifier] });
  const ports = ['--upstream-port', String(port), ...(count === 2 ? ['--fallback-port', String(second)] : [])];
  try {
    const ran = await runCommand(['relay', relay.baseUrl, ...ports, ...args, '--force'], cwd, env);
    return { ...ran, port, second };
  } finally {
    await relay.close();
  }
}

const reportIn = (name: string) => JSON.parse(readFileSync(join(cwd, name, 'report.json'), 'utf8')) as Report;
const only = (...names: readonly string[]) => names.flatMap((name) => ['--only', `relay/${name}`]);

it('Each upstream call is recorded with its upstream, and judged again from the recording', async () => {
  const storm = FAILOVER_RELAYS['failover-storm'];
  const args = [...only('plain', 'failover-503'), '--record', 'storm.ndjson', '--out', 'storm', '--strict'];
  const { exit, stdout } = await check(storm, 2, ...args);
  expect(exit).toBe(1);
  const text = stdout.replaceAll(/\s+/g, ' ');
  expect(text).toMatch(/Upstream (?:primary 503 · ){12}9 more, after [\d.]+ m?s/);
  expect(text).toContain('at most 10 upstream calls');
  const { exchanges, cases } = reportIn('storm');
  const calls = exchanges.filter(({ cause }) => cause === 'relay/failover-503').map(({ upstream }) => upstream);
  expect(calls).toEqual([...Array.from({ length: 20 }, () => 'primary'), 'fallback']);
  await runCommand(['judge', 'storm.ndjson', '--out', 'again', '--strict'], cwd, env);
  expect(reportIn('again').cases.map(({ id, verdict }) => [id, verdict])).toEqual(
    cases.map(({ id, verdict }) => [id, verdict]),
  );
});

it('compare tells two gateways apart by their upstream calls', async () => {
  for (const name of ['failover-first-then-second', 'failover-one-retry'] as const)
    await check(LEGAL_FAILOVERS[name], 2, ...only('plain', 'failover-503'), '--record', name, '--out', 'none');
  const line = ['compare', 'failover-first-then-second', 'failover-one-retry', '--fail-on', 'drift'];
  const { exit, stdout } = await runCommand(line, cwd, env);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'Upstream calls changed: primary 503 · fallback 200 → primary 503 · primary 503 · fallback 200',
  );
  expect(exit).toBe(1);
});

it('The page has a lane for each upstream, with all of its calls', async () => {
  await check(FAILOVER_RELAYS['failover-storm'], 2, ...only('plain', 'failover-503'), '--out', 'page');
  const page = readFileSync(join(cwd, 'page', 'report.html'), 'utf8');
  expect(page).toContain('Upstream: primary, 20 calls');
  expect(page).toContain('Upstream: fallback 200');
  const titles = page.match(/<title>primary 503<\/title>/g) ?? [];
  expect(titles.length % 20).toBe(0);
  expect(titles.length).toBeGreaterThan(0);
});

it('Without a second upstream, no case is about one', async () => {
  const { stdout } = await check({}, 1, ...only('plain', 'failover-*'), '--out', 'one', '--reporter', 'json=one.json');
  const report = JSON.parse(readFileSync(join(cwd, 'one.json'), 'utf8')) as Report;
  expect(report.cases.map(({ id }) => id)).toEqual(['relay/plain']);
  expect(stdout).not.toContain('fallback');
});

it('A gateway that never calls its second upstream is judged without, and the report says so once', async () => {
  const { exit, stdout, stderr, second } = await check(
    LEGAL_FAILOVERS['failover-none'],
    2,
    ...only('plain', 'failover-503', 'failover-429', 'failover-both'),
    ...['--strict', '--out', 'none'],
  );
  expect(exit).toBe(0);
  expect(stderr).toContain(`A second one listens at http://127.0.0.1:${second}/v1.`);
  expect(stdout.match(/never called its second upstream/g)).toHaveLength(1);
});

it.each([
  [['--upstream-timeout', '1s'], '--upstream-timeout is for a second upstream: add --fallback-port N.'],
  [['--fallback-model', 'm'], '--fallback-model is for a second upstream: add --fallback-port N.'],
  [['--fallback-port', '5055'], '--fallback-port is that of --upstream-port (5055): give each its own.'],
  [['--fallback-port', '8080'], 'The base URL has the port of --fallback-port (8080)'],
])('%j is refused', async (args, message) => {
  const line = ['relay', 'http://127.0.0.1:8080/v1', '--upstream-port', '5055', ...args];
  const { exit, stderr } = await runCommand(line, cwd, env);
  expect(exit).toBe(2);
  expect(stderr).toContain(message);
});

it('--plan says how long the cases of two upstreams take', async () => {
  const line = ['relay', 'http://127.0.0.1:8080/v1', '--upstream-port', '5055', '--fallback-port', '5056', '--plan'];
  const { stdout } = await runCommand(line, cwd, env);
  expect(stdout).toMatch(/about \d(?:\.\d)? min/);
});
