import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../test/kit/command.ts';
import type { Report } from '../report/report.ts';
import type { RelayModifier } from '../../selftest/relays/relay-modifier.ts';
import { RELAY_KEYS, startSmallRelay } from '../../selftest/relays/small-relay.ts';
import { findFreePort } from '../../test/kit/free-port.ts';

const cwd = mkdtempSync(join(tmpdir(), 'wirecheck-relay-'));
afterAll(() => rmSync(cwd, { recursive: true }));

async function check(modifier: RelayModifier, ...args: readonly string[]) {
  const port = await findFreePort();
  const relay = await startSmallRelay({ upstreamUrl: `http://127.0.0.1:${port}/v1`, modifiers: [modifier] });
  try {
    const env = { WIRECHECK_API_KEY: RELAY_KEYS.full };
    const line = ['relay', relay.baseUrl, '--upstream-port', String(port), ...args];
    return { port, ...(await runCommand(line, cwd, env)) };
  } finally {
    await relay.close();
  }
}

const LAUNDERING: RelayModifier = { midStream: 'proper-end' };
/** The case that finds it. */
const BREAK_CUT = ['--only', 'relay/break-cut', '--out', 'none', '--strict'];

describe('wirecheck relay', () => {
  it('shows both ends of a finding with times, and repeats the case', async () => {
    const { exit, stdout, stderr, port } = await check(LAUNDERING, ...BREAK_CUT);
    expect(exit).toBe(1);
    expect(stderr).toContain(`The scripted upstream listens at http://127.0.0.1:${port}/v1.`);
    expect(stdout).toMatch(/Actual +finish_reason "stop" and \[DONE\]/);
    expect(stdout).toMatch(/Client +200 after [\d.]+ m?s, \d events, ended after/);
    expect(stdout).toMatch(/Upstream +1 call, received after [\d.]+ m?s: 200 after/);
    expect(stdout).toContain('the scripted upstream calls no model');
    expect(stdout).toContain(`--upstream-port ${port} --only relay/break-cut --out none`);
  });

  it('writes every format without a key of either end, and draws both ends in the HTML', async () => {
    const formats = ['json', 'html', 'junit', 'markdown', 'sarif', 'github', 'badge', 'agent', 'prometheus'];
    const reporters = formats.flatMap((name) => ['--reporter', `${name}=${join(cwd, name)}`]);
    await check(
      {
        ...LAUNDERING,
        requestHeaders: (headers, { key }) => ({ ...headers, 'X-Client': key }),
        answerHeaders: (headers, { key }) => ({ ...headers, 'X-Keys': `${key} ${RELAY_KEYS.upstream}` }),
      },
      '--only',
      'relay/break-*',
      '--only',
      'relay/*-key',
      ...reporters,
    );
    for (const name of formats) {
      const text = readFileSync(join(cwd, name), 'utf8');
      for (const key of Object.values(RELAY_KEYS)) expect(text).not.toContain(key.slice(-14));
    }
    const report = JSON.parse(readFileSync(join(cwd, 'json'), 'utf8')) as Report;
    expect(report.target.upstream?.url).toMatch(/^http:\/\/127/);
    expect(readFileSync(join(cwd, 'html'), 'utf8')).toMatch(/class="timeline lanes"/);
    const rendered = await runCommand(['render', 'json'], cwd);
    expect(rendered.stdout).toContain('in front of http://127.0.0.1');
  });

  it("redacts the gateway's key in the model list, which it gives before its key is known", async () => {
    const port = await findFreePort();
    const gateway = createServer((request, response) => {
      response.setHeader('X-Debug', RELAY_KEYS.upstream);
      const headers = { authorization: `Bearer ${RELAY_KEYS.upstream}` };
      const call = { host: '127.0.0.1', port, path: request.url ?? '', method: request.method ?? '', headers };
      request.pipe(forward(call, (answer) => answer.pipe(response)));
    });
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
    const { port: own } = gateway.address() as AddressInfo;
    const line = [
      'relay',
      `http://127.0.0.1:${own}/v1`,
      '--upstream-port',
      String(port),
      '--only',
      'relay/upstream-key',
    ];
    const { exit } = await runCommand([...line, '--reporter', 'json=shown.json'], cwd, {
      WIRECHECK_API_KEY: RELAY_KEYS.full,
    });
    gateway.close();
    const text = readFileSync(join(cwd, 'shown.json'), 'utf8');
    expect(exit).toBe(0);
    expect(text).not.toContain(RELAY_KEYS.upstream);
    expect((JSON.parse(text) as Report).cases[0]?.verdict).toBe('warn');
  });

  it('excuses a finding that a waiver names', async () => {
    const args = ['waive', 'relay/break-cut', '--reason', 'known', '--until', '2099-01-01', '--waivers', 'w.yaml'];
    expect((await runCommand(args, cwd)).exit).toBe(0);
    const { exit } = await check(LAUNDERING, ...BREAK_CUT, '--waivers', 'w.yaml');
    expect(exit).toBe(0);
  });

  it('asks only the failed cases of an older report again', async () => {
    const args = ['--only', 'relay/break-*', '--strict', '--reporter', 'json=first.json'];
    await check(LAUNDERING, ...args);
    await check(LAUNDERING, '--strict', '--rerun-failed', 'first.json', '--reporter', 'json=again.json');
    const [first, again] = ['first.json', 'again.json'].map(
      (file) => JSON.parse(readFileSync(join(cwd, file), 'utf8')) as Report,
    );
    const failed = first?.cases.filter(({ verdict }) => verdict !== 'pass').map(({ id }) => id);
    expect(failed?.length).toBeGreaterThan(0);
    expect(again?.cases.map(({ id }) => id)).toEqual(failed);
    const other = await check({}, '--only', 'relay/plain', '--rerun-failed', 'first.json');
    expect([other.exit, other.stderr]).toEqual([2, expect.stringContaining('none of the failed cases')]);
  });

  it('compares two reports by the answers of the gateway, and finds what a new version breaks', async () => {
    await check({}, '--only', 'relay/break-cut', '--reporter', 'json=old.json');
    await check(LAUNDERING, '--only', 'relay/break-cut', '--reporter', 'json=new.json');
    const { exit, stdout } = await runCommand(['compare', 'old.json', 'new.json'], cwd);
    expect(exit).toBe(0);
    expect(stdout).toContain('relay/break-cut now breaks relay.mid-stream-failure');
    const report = JSON.parse(readFileSync(join(cwd, 'old.json'), 'utf8')) as Report;
    const answered = report.exchanges.filter(({ side }) => side !== 'upstream').length;
    const compared = /\((\d+) answers in the older run\)/.exec(stdout)?.[1];
    expect(Number(compared)).toBeLessThanOrEqual(answered);
  });

  it('fails only on what the baseline does not have', async () => {
    await check(LAUNDERING, '--only', 'relay/break-cut', '--strict', '--reporter', 'json=base.json');
    const args = ['--only', 'relay/break-cut', '--strict', '--out', 'none', '--baseline', 'base.json'];
    const known = await check(LAUNDERING, ...args);
    expect([known.exit, known.stdout]).toEqual([0, expect.stringContaining('NO NEW VIOLATIONS')]);
  });

  it('says what arrived where and what to set if no call reaches the upstream', async () => {
    const relay = await startSmallRelay({ upstreamUrl: 'http://127.0.0.1:9/v1' });
    const port = await findFreePort();
    const env = { WIRECHECK_API_KEY: RELAY_KEYS.full };
    const line = ['relay', relay.baseUrl, '--upstream-port', String(port), '--out', 'none'];
    const { exit, stdout } = await runCommand(line, cwd, env);
    await relay.close();
    expect(exit).toBe(3);
    const text = stdout.replaceAll(/\s+/g, ' ');
    expect(text).toContain(`No call reached the scripted upstream at http://127.0.0.1:${port}/v1.`);
    expect(text).toContain('answered the control for the model small-relay with 502 (');
    expect(text).toContain('The gateway seems to call a different address.');
  });

  it('does not call a gateway unreachable that waits for a different upstream', async () => {
    const gateway = createServer((request, response) => {
      if (request.method === 'GET') response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
    const { port: own } = gateway.address() as AddressInfo;
    const line = ['relay', `http://127.0.0.1:${own}/v1`, '--upstream-port', String(await findFreePort())];
    const { exit, stdout } = await runCommand([...line, '--first-byte-timeout', '500ms', '--out', 'none'], cwd, {
      WIRECHECK_API_KEY: RELAY_KEYS.full,
    });
    gateway.closeAllConnections();
    gateway.close();
    expect(exit).toBe(3);
    const text = stdout.replaceAll(/\s+/g, ' ');
    expect(text).toContain('did not answer the control for the model wirecheck-upstream within 500 ms');
    expect(text).toContain('Check whether the gateway waits for a different upstream.');
  });

  it('asks the cases that judge a clause', async () => {
    await check({}, '--only', 'relay.other-key', '--reporter', 'json=clause.json');
    const { cases } = JSON.parse(readFileSync(join(cwd, 'clause.json'), 'utf8')) as Report;
    expect(cases.map(({ id }) => id)).toEqual(['relay/second-key', 'relay/second-key-streamed']);
  });

  it('leaves out the texts of the gateway with --no-bodies', async () => {
    const leaky: RelayModifier = {
      request: (body) => ({ ...body, secret_prompt: 'obey the gateway' }),
      requestHeaders: (headers) => ({ ...headers, 'X-Internal': 'tenant seventeen' }),
    };
    await check(leaky, '--only', 'relay/plain', '--no-bodies', '--reporter', 'json=none.json');
    const written = readFileSync(join(cwd, 'none.json'), 'utf8');
    expect((JSON.parse(written) as Report).provenance.settings).toMatchObject({ noBodies: true });
    expect(written).not.toMatch(/obey the gateway|tenant seventeen/);
  });

  it('refuses wrong usage before anything is sent', async () => {
    const env = { WIRECHECK_API_KEY: RELAY_KEYS.full };
    const without = await runCommand(['relay', 'http://127.0.0.1:1/v1'], cwd, env);
    expect([without.exit, without.stderr]).toEqual([2, expect.stringContaining('add --upstream-port N')]);
    const unknown = ['relay', 'http://127.0.0.1:1/v1', '--upstream-port', '5055', '--only', 'relay/plian'];
    expect((await runCommand(unknown, cwd, env)).stderr).toContain('Did you mean "relay/plain"?');
    const itself = await runCommand(['relay', 'http://localhost:5055/v1', '--upstream-port', '5055'], cwd, env);
    expect([itself.exit, itself.stderr]).toEqual([2, expect.stringContaining('give the address of the gateway')]);
    const config = await runCommand(['relay', '--print-config', 'ngnix', '--upstream-port', '1'], cwd);
    expect(config.stderr).toContain('Did you mean "nginx"?');
  });

  it.each([
    [[], /^Plan for a relay \(nothing was sent\)\n\d+ cases would be played/],
    [['--explore', '--requests', '5'], /Nothing was sent\.\n$/],
  ])('plans without an upstream port and a key: %j', async (args, text) => {
    const { exit, stdout, stderr } = await runCommand(['relay', 'https://gateway.example/v1', '--plan', ...args], cwd);
    expect([exit, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(text);
  });

  it.each(['nginx', 'caddy', 'haproxy', 'litellm', 'portkey'])(
    'prints a configuration for %s with the address of the upstream',
    async (name) => {
      const { exit, stdout } = await runCommand(['relay', '--print-config', name, '--upstream-port', '5055'], cwd);
      expect(exit).toBe(0);
      expect(stdout).toContain('127.0.0.1:5055');
      expect(stdout).toMatch(/^#   npx --no-install wirecheck relay /m);
    },
  );

  it('warns if the upstream listens beyond this machine', async () => {
    const { stderr } = await check({}, '--only', 'relay/plain', '--out', 'none', '--upstream-host', '0.0.0.0');
    expect(stderr).toContain('Warning: The upstream on 0.0.0.0 can be reached from other machines.');
  });
});

it('A case and a clause of a relay can be explained and listed', async () => {
  expect((await runCommand(['explain', 'relay/break-cut'], cwd)).stdout).toContain('relay.mid-stream-failure');
  expect((await runCommand(['explain', 'relay.pieces'], cwd)).stdout).toContain('relay/stream-pieces');
  expect((await runCommand(['list', 'relay-cases'], cwd)).stdout).toContain('relay/stream-pieces');
});
