/** `wirecheck relay --explore` as a command: its plan, a run, its recording, a waiver, a baseline, and a repeated finding. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIXED } from '../../test/kit/explored.ts';
import { type Ended, runCommand } from '../../test/kit/command.ts';
import type { Report } from '../report/report.ts';
import { HIDDEN_RELAYS } from '../../selftest/explore/hidden-relays.ts';
import { findFreePort } from '../../test/kit/free-port.ts';
import { RELAY_KEYS, type SmallRelay, startSmallRelay } from '../../selftest/relays/small-relay.ts';

const cwd = mkdtempSync(join(tmpdir(), 'wirecheck-relay-explore-'));
const ENV = { WIRECHECK_API_KEY: RELAY_KEYS.full };
const relay = (...args: readonly string[]): Promise<Ended> => runCommand(['relay', ...args], cwd, ENV);
const reportIn = (folder: string): Report =>
  JSON.parse(readFileSync(join(cwd, folder, 'report.json'), 'utf8')) as Report;
const brokenIn = ({ clauses }: Report): readonly string[] =>
  clauses.flatMap(({ id, verdict }) => (verdict === 'fail' || verdict === 'warn' ? [id] : []));

afterAll(() => rmSync(cwd, { recursive: true }));

describe('The flags of an exploration', () => {
  const TARGET = ['http://127.0.0.1:9/v1', '--upstream-port', '5055'];

  it('need --explore', async () => {
    const { exit, stderr } = await relay(...TARGET, '--requests', '5');
    expect(exit).toBe(2);
    expect(stderr).toContain('--requests is for drawn requests: add --explore.');
  });

  it('leave no room for those that choose cases', async () => {
    const { exit, stderr } = await relay(...TARGET, '--explore', '--only', 'relay/plain');
    expect(exit).toBe(2);
    expect(stderr).toContain('--only is for cases: leave it out with --explore.');
  });

  it('show a plan that costs nothing', async () => {
    const { exit, stdout } = await relay(...TARGET, '--explore', '--plan', '--requests', '40', '--seed', '3');
    expect(exit).toBe(0);
    expect(stdout).toContain('40 drawn requests');
    expect(stdout).toContain('At most 480 requests more for asking again and shrinking, about 40 a finding.');
    expect(stdout).toContain('Nothing is charged');
    expect(stdout).toContain('Nothing was sent.');
  });
});

describe('An exploration of a relay that lowers high temperatures', { timeout: 60_000 }, () => {
  let gateway: SmallRelay;
  let target: readonly string[];
  let ended: Ended;
  const pathOfFinding = (): string => reportIn('live').explore?.findings[0]?.path ?? '';
  beforeAll(async () => {
    const port = await findFreePort();
    const modifiers = [HIDDEN_RELAYS['relay-hidden-clamp'] ?? {}];
    gateway = await startSmallRelay({ upstreamUrl: `http://127.0.0.1:${port}/v1`, modifiers });
    target = [
      gateway.baseUrl,
      '--upstream-port',
      String(port),
      '--explore',
      '--requests',
      String(FIXED + 10),
      '--seed',
      '3',
    ];
    ended = await relay(...target, '--strict', '--record', 'run.ndjson', '--save', 'found.yaml', '--out', 'live');
  }, 60_000);
  afterAll(() => gateway.close());

  it('fails by the clause of its cause alone', () => {
    expect(brokenIn(reportIn('live'))).toEqual(['relay.sampling']);
    expect(ended.exit).toBe(1);
  });

  it('shows the smallest request, its neighbour and both ends', () => {
    const { explore, target: shown, subject } = reportIn('live');
    expect(subject).toBe('relay');
    expect(shown.upstream?.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    expect(explore?.findings).toMatchObject([{ isShrunk: true, length: 1, difference: [{ pointer: '/temperature' }] }]);
    expect(ended.stdout).toMatch(/Difference +\/temperature: .* fails, .* passes/);
    expect(ended.stdout).toMatch(/Upstream +1 call/);
    expect(ended.stdout).toMatch(/Repeat +.*wirecheck relay .*--explore --seed 3 --path \d/);
  });

  it('is judged to the same report from its recording', async () => {
    await runCommand(['judge', 'run.ndjson', '--strict', '--out', 'again'], cwd);
    const [live, again] = [reportIn('live'), reportIn('again')];
    expect(again.cases).toEqual(live.cases);
    expect(again.explore).toEqual(live.explore);
    expect(again.exchanges).toEqual(live.exchanges);
    const verified = await runCommand(['verify', 'live/report.json', 'run.ndjson'], cwd);
    expect([verified.exit, verified.stdout]).toEqual([0, expect.stringMatching(/^VERIFIED: /)]);
  });

  it('repeats a finding by its path', async () => {
    await relay(...target, '--path', pathOfFinding(), '--out', 'path');
    expect(brokenIn(reportIn('path'))).toEqual(['relay.sampling']);
  });

  it('is excused by a baseline, and by a waiver that names its case', async () => {
    const again = [...target, '--path', pathOfFinding(), '--strict', '--out', 'none'];
    const known = await relay(...again, '--baseline', 'live/report.json');
    expect([known.exit, known.stdout]).toEqual([0, expect.stringContaining('NO NEW VIOLATIONS')]);
    writeFileSync(
      join(cwd, 'waivers.yaml'),
      'waivers:\n  - { case: "explore/forwarded[sampling]", reason: known, until: 2999-12-31 }\n',
    );
    const waived = await relay(...again, '--waivers', 'waivers.yaml');
    expect(waived.exit).toBe(0);
    expect(waived.stdout).toContain('WAIVED');
  });

  it('saves no case of what only the upstream sees', () => {
    expect(ended.stderr).toContain('No finding is a case, so no file was saved.\n');
    expect(ended.stderr).toMatch(
      /Not saved: draw [\d.:]+\. What reaches the upstream is no case\. Repeat it: .* --path/,
    );
    expect(existsSync(join(cwd, 'found.yaml'))).toBe(false);
  });
});

it('blames a relay that mends a value beyond a limit for the limit alone', { timeout: 60_000 }, async () => {
  const port = await findFreePort();
  const clamp = { request: (body: Readonly<Record<string, unknown>>) => ({ ...body, ...clampedIn(body) }) };
  const gateway = await startSmallRelay({ upstreamUrl: `http://127.0.0.1:${port}/v1`, modifiers: [clamp] });
  try {
    const flags = ['--upstream-port', String(port), '--explore', '--requests', String(FIXED + 25), '--seed', '3'];
    await relay(gateway.baseUrl, ...flags, '--out', 'clamped');
    expect(brokenIn(reportIn('clamped'))).toEqual(['limits.temperature']);
  } finally {
    await gateway.close();
  }
});

function clampedIn({ temperature }: Readonly<Record<string, unknown>>): object {
  return typeof temperature === 'number' && temperature > 2 ? { temperature: 2 } : {};
}

it('is not judged if no call reaches the upstream', { timeout: 30_000 }, async () => {
  const [own, other] = [await findFreePort(), await findFreePort()];
  const { startGateway, KEYS } = await import('../gateway/index.ts');
  const gateway = await startGateway({ port: other, eventGapMs: 0 });
  try {
    const args = ['relay', gateway.baseUrl, '--upstream-port', String(own), '--explore', '--seed', '3'];
    const { exit, stdout } = await runCommand([...args, '--requests', '20', '--out', 'none'], cwd, {
      WIRECHECK_API_KEY: KEYS.full,
    });
    expect(exit).toBe(3);
    expect(stdout).toContain('No call reached the scripted upstream');
  } finally {
    await gateway.close();
  }
});

it(
  'asks for the list as often as any exploration, and a gateway that lists no model for that of the upstream',
  { timeout: 30_000 },
  async () => {
    const port = await findFreePort();
    let lists = 0;
    const list = (): Record<string, unknown> => {
      lists += 1;
      return { object: 'list', data: [] };
    };
    const gateway = await startSmallRelay({ upstreamUrl: `http://127.0.0.1:${port}/v1`, modifiers: [{ list }] });
    try {
      await relay(
        gateway.baseUrl,
        '--upstream-port',
        String(port),
        '--explore',
        '--requests',
        '5',
        '--seed',
        '3',
        '--out',
        'unlisted',
      );
      const { target, ending } = reportIn('unlisted');
      expect([lists, target.model, ending.kind]).toEqual([5, 'wirecheck-upstream', 'complete']);
    } finally {
      await gateway.close();
    }
  },
);
