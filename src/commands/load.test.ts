/** `wirecheck load` as a command: safety, bad input, and short runs on small targets. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../test/kit/command.ts';
import { findFreePort } from '../../test/kit/free-port.ts';
import { loadProfile } from '../contract/profile/read-profile.ts';
import { KEYS, startGateway } from '../gateway/index.ts';
import { formatNow } from './load.ts';
import { promisesOf } from '../scripted/gateway-promises.ts';
import type { Report } from '../report/report.ts';
import type { ClientCall, RelayModifier } from '../../selftest/relays/relay-modifier.ts';
import { errorAnswer, RELAY_KEYS, startSmallRelay } from '../../selftest/relays/small-relay.ts';

const cwd = mkdtempSync(join(tmpdir(), 'wirecheck-load-'));
afterAll(() => rmSync(cwd, { recursive: true }));

/** No value that a load sends is out of range. */
const WIDER = `profile: wider
version: '1'
basedOn: v1
changes:
  - { limit: temperature, min: -9, max: 9, why: w }
  - { limit: top_p, min: -9, max: 9, why: w }
`;
const ENV = { WIRECHECK_API_KEY: KEYS.full };
const LOCAL = 'http://127.0.0.1:9/v1';
const AFAR = 'https://gateway.example/v1';
const COST = ['--max-completions', '100'];
/** Calls end a stage, never its time, however busy the machine is. Most are plain, so that these are enough. */
const SHORT = [
  ...['--stages', '4', '--concurrency', '4', '--duration', '60s', '--slow-readers', '0', '--recovery', '60s'],
  ...['--mix', 'plain=12,stream=2,list=1,refusal=1', '--seed', '1'],
];
const CALLS = ['--max-completions', '120'];
const QUICK = { loadPace: 0.02 };

describe('Nothing is sent without permission', () => {
  it.each([
    [
      [AFAR, ...COST],
      'gateway.example is not this machine: load it only if its operator agreed, with --allow-load gateway.example.',
    ],
    [
      [AFAR, ...COST, '--allow-load', 'example'],
      '--allow-load is "example", but the base URL has the host gateway.example',
    ],
    [[LOCAL], 'Every answer may cost money: limit them with --max-completions N'],
    [[LOCAL, ...COST, '--concurrency', '0'], '--concurrency is "0": it must be a whole number from 1 to 256.'],
    [[LOCAL, ...COST, '--concurrency', '100000'], '--concurrency is "100000"'],
    [['--targets', 'targets.yaml'], '--targets cannot be used with load'],
    [[LOCAL, ...COST, '--during'], '--during needs a command'],
    [[LOCAL, ...COST, '--fallback-port', '9'], '--fallback-port is for a second upstream: add --upstream-port N.'],
    [
      [LOCAL, '--upstream-port', '8', '--fallback-port', '9', '--during', '--', 'ls'],
      '--fallback-port cannot be used with --during',
    ],
    [[LOCAL, ...COST, '--', 'ls'], 'Unexpected argument ls: add --during to run a command.'],
  ])('%j', async (args, message) => {
    const { exit, stderr } = await runCommand(['load', ...args], cwd, ENV);
    expect(exit).toBe(2);
    expect(stderr).toContain(message);
  });

  it('Other commands take no more than 64 at once', async () => {
    const { exit, stderr } = await runCommand(['run', LOCAL, '--concurrency', '65'], cwd, ENV);
    expect(exit).toBe(2);
    expect(stderr).toContain('--concurrency is "65": it must be a whole number from 1 to 64. Only load takes more.');
  });

  it('A variable does not allow it', async () => {
    const env = { ...ENV, WIRECHECK_ALLOW_LOAD: 'gateway.example' };
    expect((await runCommand(['load', AFAR, ...COST], cwd, env)).exit).toBe(2);
  });
});

it('--plan shows stages and cost, and sends nothing', async () => {
  const { exit, stdout } = await runCommand(['load', LOCAL, '--max-completions', '500', '--plan'], cwd, ENV);
  expect(exit).toBe(0);
  expect(stdout).toContain('64 in flight: 30 s to 60 s, at most 200 calls');
  expect(stdout).toContain('At most 500 charged completions, with at most 32,000 completion tokens');
  expect(stdout).toContain('and all of it 10 min (--max-time)');
  const two = ['--upstream-port', '8', '--fallback-port', '9'];
  expect((await runCommand(['load', LOCAL, ...two, '--plan'], cwd, ENV)).stdout).toContain(
    '64 in flight, while one of the two upstreams fails: 30 s to 60 s\n',
  );
});

it('--plan needs no limit, no permission and no key, and says what a run needs', async () => {
  const { exit, stdout } = await runCommand(['load', AFAR, '--plan'], cwd, {});
  expect(exit).toBe(0);
  expect(stdout).toContain('  64 in flight: 30 s to 60 s\n');
  expect(stdout).toMatch(
    /^Every answer may cost money: limit them with --max-completions N, or .*\nNothing was sent\.$/m,
  );
  const facts = JSON.parse((await runCommand(['load', AFAR, '--plan', '--json'], cwd, {})).stdout) as { cost: unknown };
  expect(facts.cost).toBeNull();
  const limited = await runCommand(['load', AFAR, '--plan', ...COST, '--max-requests', '7'], cwd, {});
  expect(limited.stdout).toContain('At most 7 charged completions');
});

it('By a profile, calls carry what it adds, limits are its own, and the verdict names it', async () => {
  const file = fileURLToPath(new URL('../../test/profiles/acme.yaml', import.meta.url));
  const bodies: string[] = [];
  const agents = new Set<string>();
  const gateway = await startGateway({
    eventGapMs: 0,
    promises: promisesOf(loadProfile(file, cwd)),
    watch({ headers, body }) {
      agents.add(headers['user-agent'] ?? '');
      bodies.push(JSON.stringify(body));
    },
  });
  const args = ['load', gateway.baseUrl, ...SHORT, ...CALLS, '--out', 'none', '--profile', file];
  expect((await runCommand([...args, '--plan'], cwd, ENV)).stdout).toMatch(/^Contract: acme-gateway 3 /m);
  const { exit, stdout, stderr } = await runCommand(args, cwd, ENV, QUICK);
  await gateway.close();
  expect(stdout).toMatch(
    /HELD UP TO 4 IN FLIGHT, JUDGED BY acme-gateway 3 \(v1 with 6 changes\): 0 of \d+ answers broken\n$/,
  );
  expect(exit).toBe(0);
  expect(stderr).toMatch(/1 in flight: \d+ answered, (.*, )?0 rejected as overloaded, 0 broken/);
  expect([...agents]).toEqual(['wirecheck load']);
  const chats = bodies.filter((body) => body.includes('"messages"'));
  expect(chats.length).toBeGreaterThan(20);
  expect(chats.filter((body) => !body.includes('"tenant":"staging"'))).toEqual([]);
});

it('A finding says who is affected, as in a run', async () => {
  const gateway = await startGateway({ eventGapMs: 0, fault: 'stream-no-done' });
  const args = ['load', gateway.baseUrl, ...SHORT, ...CALLS, '--out', 'none'];
  const { stdout } = await runCommand(args, cwd, ENV, QUICK);
  await gateway.close();
  expect(stdout).toMatch(/Who is hurt {2}none of the \d+ clients measured/);
});

async function loadRelay(
  modifier: RelayModifier,
  args: readonly string[] = CALLS,
  second?: number,
): Promise<{ exit: number | null; report: Report }> {
  const port = await findFreePort();
  const fallbackUrl = second === undefined ? undefined : `http://127.0.0.1:${second}/v1`;
  const upstreamUrl = `http://127.0.0.1:${port}/v1`;
  const relay = await startSmallRelay({ upstreamUrl, fallbackUrl, modifiers: [modifier] });
  const file = join(cwd, `${port}.json`);
  try {
    const line = [
      'load',
      relay.baseUrl,
      '--upstream-port',
      String(port),
      ...(second === undefined ? [] : ['--fallback-port', String(second)]),
      ...SHORT,
      '--reporter',
      `json=${file}`,
      ...args,
    ];
    const { exit } = await runCommand(line, cwd, { WIRECHECK_API_KEY: RELAY_KEYS.full }, QUICK);
    return { exit, report: JSON.parse(readFileSync(file, 'utf8')) as Report };
  } finally {
    await relay.close();
  }
}

describe('With the scripted upstream', () => {
  it('a relay that passes everything on holds', async () => {
    const { exit, report } = await loadRelay({});
    expect(report.load?.verdict).toMatchObject({ kind: 'held' });
    expect(report.load?.counts.find(({ clause }) => clause === 'load.text')).toMatchObject({ broken: 0 });
    expect(exit).toBe(0);
  });

  it('a recording gives the same report, and its findings excuse those of a later run, whatever their count', async () => {
    let calls = 0;
    // Calls of one kind, so that both runs have the same findings.
    const fails = ({ key, isStream, body }: ClientCall): boolean =>
      key === RELAY_KEYS.full && !isStream && !('temperature' in body) && !('top_p' in body) && ++calls % 4 === 0;
    const flaky: RelayModifier = {
      shortcut: (call) =>
        fails(call) ? { status: 500, headers: { 'content-type': 'text/html' }, body: '<p>no</p>' } : undefined,
    };
    const recording = join(cwd, 'load.ndjson.gz');
    const first = await loadRelay(flaky, [...CALLS, '--record', recording]);
    expect(first.report.load?.verdict).toMatchObject({ kind: 'broken', from: 1 });
    expect(first.report.cases.find(({ id }) => id === 'load/refusal')?.verdict).toBe('pass');
    expect(first.exit).toBe(1);
    const again = join(cwd, 'again.json');
    await runCommand(['judge', recording, '--reporter', `json=${again}`, '--out', 'none'], cwd, {});
    expect(JSON.parse(readFileSync(again, 'utf8'))).toEqual(first.report);
    const verified = await runCommand(['verify', again, recording], cwd, {});
    expect([verified.exit, verified.stdout]).toEqual([0, expect.stringMatching(/^VERIFIED: /)]);
    const profile = join(cwd, 'wider.yaml');
    writeFileSync(profile, WIDER);
    const wider = join(cwd, 'wider.json');
    await runCommand(['judge', recording, '--profile', profile, '--reporter', `json=${wider}`], cwd, {});
    const changed = JSON.parse(readFileSync(wider, 'utf8')) as Report;
    expect(changed.profile).toMatchObject({ name: 'wider' });
    expect(changed.cases.find(({ id }) => id === 'load/refusal')?.verdict).toBe('skipped');
    const baseline = join(cwd, 'older.json');
    writeFileSync(baseline, JSON.stringify(first.report));
    const later = await loadRelay(flaky, ['--max-completions', '80', '--baseline', baseline]);
    expect(later.report.outcome.name).toBe('no-new-violations');
    expect(later.exit).toBe(0);
  });

  it('a second upstream answers while the first fails, and a recording says the same', async () => {
    const failsOver: RelayModifier = {
      turns: () => ['primary', 'fallback'],
      takesNext: ({ status }, _upstream, { isStream }) => status === 503 && !isStream,
      failure: ({ status = 502 }) => errorAnswer(status === 503 ? 502 : status, 'upstream_failed', 'It failed.'),
    };
    const recording = join(cwd, 'two.ndjson');
    const args = ['--max-completions', '800', '--record', recording];
    const { report } = await loadRelay(failsOver, args, await findFreePort());
    const last = report.load?.stages.find(({ phase }) => phase === 'failover');
    expect(last).toMatchObject({ failing: 'primary', inFlight: 4, upstreams: { most: 2 } });
    const count = report.load?.counts.find(({ clause }) => clause === 'relay.fallback-answers');
    expect(count).toMatchObject({ whileFailing: true, firstAt: 4 });
    const testCase = report.cases.find(({ id }) => id === 'load/fallback');
    expect(testCase?.expectations.map(({ verdict }) => verdict)).toEqual(['pass', 'warn', 'pass']);
    expect(testCase?.repeat).toContain('--fallback-port');
    const again = join(cwd, 'two.json');
    await runCommand(['judge', recording, '--reporter', `json=${again}`, '--out', 'none'], cwd, {});
    expect(JSON.parse(readFileSync(again, 'utf8'))).toEqual(report);
  });

  it('one that never calls its second upstream has no fallback, and is not blamed', async () => {
    const { exit, report } = await loadRelay({}, ['--max-completions', '400'], await findFreePort());
    expect([exit, report.load?.verdict]).toMatchObject([0, { kind: 'held' }]);
    expect(report.notices).toContainEqual({ kind: 'no-fallback' });
    expect(report.cases.find(({ id }) => id === 'load/fallback')?.verdict).toBe('skipped');
  });

  it('a command that runs meanwhile is awaited, and one that fails is not judged', async () => {
    // The time alone and the command end these stages, not a number of calls: few calls are enough.
    const slow = { delay: 50 };
    const passed = await loadRelay(slow, ['--during', '--', process.execPath, '-e', '0']);
    expect(passed.report.load).toMatchObject({
      during: { end: { kind: 'exited', code: 0 } },
      verdict: { kind: 'held' },
    });
    const failed = await loadRelay(slow, ['--during', '--', process.execPath, '-e', 'process.exit(3)']);
    expect(failed.report.load?.verdict).toMatchObject({ kind: 'not-judged', why: 'command-failed' });
    expect(failed.exit).toBe(3);
  });
});

it.each([
  [{ phase: 'ramp', elapsed: 3_400, least: 10_000, most: 20_000 }, '4 in flight, 3 s of 10 s to 20 s'],
  [
    { phase: 'ramp', elapsed: 20_100, least: 10_000, most: 20_000, awaited: { calls: 3, most: 19_900 } },
    '4 in flight · waiting for 3 calls in flight, at most 20 s',
  ],
  [{ phase: 'burst', elapsed: 1_000, least: 3_000, most: 3_000 }, 'burst, 4 in flight, 1 s of 3 s'],
  [{ phase: 'during', elapsed: 1_000, least: 600_000, most: 600_000 }, '4 in flight while the command runs'],
] as const)('Progress says what goes on, and not how long the whole takes: %j', (parts, text) => {
  expect(Object.values(formatNow({ kind: 'stage', inFlight: 4, ...parts })).join(' · ')).toBe(text);
});
