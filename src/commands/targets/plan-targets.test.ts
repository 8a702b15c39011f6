import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from '../../../test/kit/command.ts';
import type { Cost, Plan } from '../../plan/plan.ts';

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'wirecheck-plan-targets-'));
  writeFileSync(
    join(cwd, 'targets.yaml'),
    `targets:
  - { name: plain, baseUrl: 'https://a.example/v1', apiKeyEnv: KEY_OF_A }
  - { name: changed, baseUrl: 'https://b.example/v1', profile: common-servers, headersFromEnv: { X-Token: TOKEN_OF_B } }
`,
  );
});
afterAll(() => rmSync(cwd, { recursive: true }));

const plan = (...args: readonly string[]) => runCommand(['plan', ...args], cwd);

interface Planned {
  readonly targets: readonly { readonly name: string; readonly baseUrl: string; readonly plan: Plan }[];
  readonly least: Cost;
  readonly most: Cost;
}

it('plan --targets plans each target and the sum, without any of their keys', async () => {
  const { exit, stdout, stderr } = await plan('--targets', 'targets.yaml', '--json');
  expect([exit, stderr]).toEqual([0, '']);
  const { targets, least, most } = JSON.parse(stdout) as Planned;
  expect(targets.map(({ name, baseUrl }) => [name, baseUrl])).toEqual([
    ['plain', 'https://a.example/v1'],
    ['changed', 'https://b.example/v1'],
  ]);
  const [plain, changed] = targets.map((target) => target.plan);
  const alone = JSON.parse((await plan('--json')).stdout) as Plan;
  expect(plain?.least).toEqual(alone.least);
  for (const part of ['requests', 'completions', 'tokens'] as const) {
    expect(least[part]).toBe((plain?.least[part] ?? 0) + (changed?.least[part] ?? 0));
    expect(most[part]).toBe((plain?.most[part] ?? 0) + (changed?.most[part] ?? 0));
  }
});

it('plan --targets prints a row for each target, and names their contracts', async () => {
  const { stdout } = await plan('--targets', 'targets.yaml');
  expect(stdout).toMatch(/^Plan for a run on 2 targets \(nothing was sent\)\n/);
  expect(stdout).toMatch(/^plain +\d+ to \d+ .*\n.*changed +\d+ to .*\n.*all +\d+ to/m);
  expect(stdout).toContain('changed: contract: common-servers');
  const verbose = await plan('--targets', 'targets.yaml', '--verbose');
  expect(verbose.stdout).toContain('plain: https://a.example/v1\n');
});

it('A plan says what a limit means that it may exceed', async () => {
  const early = '--max-completions 5 leaves out a part of the run: it needs at least ';
  expect((await plan('--max-completions', '5')).stdout).toContain(`\n${early}18.\n`);
  expect((await plan('--targets', 'targets.yaml', '--max-completions', '5')).stdout).toContain(`\n${early}36.\n`);
  const perhaps = '--max-requests 300 ends the run early, before all is judged, if it needs more (682 at most).';
  expect((await plan('--max-requests', '300')).stdout).toContain(`\n${perhaps}\n`);
  expect((await plan('--max-requests', '5000')).stdout).not.toContain('early');
});

it('A plan has no more requests, completions and tokens than its limits allow', async () => {
  const limits = ['--max-requests', '40', '--max-completions', '20'];
  const { stdout } = await plan(...limits);
  expect(stdout).toMatch(
    /^requests +40 +40 +40 .*\ncompletions charged +18 +20 +20 .*\ntokens generated +0 +472 +1,280 /m,
  );
  const { least, most } = JSON.parse((await plan(...limits, '--json')).stdout) as Plan;
  expect(least).toEqual({ requests: 40, completions: 18, tokens: 0 });
  expect(most).toEqual({ requests: 40, completions: 20, tokens: 20 * 64 });
  const both = await plan('--targets', 'targets.yaml', ...limits);
  expect(both.stdout).toMatch(/^all +40 to 40 +20 to 20 +0 to 1,280$/m);
  const sum = JSON.parse((await plan('--targets', 'targets.yaml', ...limits, '--json')).stdout) as Planned;
  expect(sum.most).toEqual(most);
  expect((await plan('--max-completions', '0')).stdout).toMatch(/^tokens generated +0 +0 +0 /m);
});

it('A plan draws the least, the usual and the most, and has a price', async () => {
  const { stdout } = await plan('--only', 'chat/reply', '--price', '2000/30000');
  expect(stdout).toMatch(/^requests +2 +2 +10 {2}█{5}░{19}$/m);
  expect(stdout).toMatch(/^tokens generated +0 +16 +16 {2}▓{24}$/m);
  const [prompts = [], prices = []] = ['prompt tokens, about', 'price at 2000/30000'].map((name) =>
    (new RegExp(`^${name} +(\\S+) +(\\S+) +(\\S+)`, 'm').exec(stdout) ?? []).slice(1).map(Number),
  );
  expect(prompts[0]).toBeGreaterThan(20);
  expect(prices).toEqual([0, 16, 16].map((tokens, at) => ((prompts[at] ?? 0) * 2000 + tokens * 30_000) / 1e6));
  expect((await plan('--price', '2')).stderr).toContain('0.15/0.60');
});

it('plan --targets follows --shard, and refuses what run refuses', async () => {
  const first = JSON.parse((await plan('--targets', 'targets.yaml', '--shard', '1/2', '--json')).stdout) as Planned;
  const second = JSON.parse((await plan('--targets', 'targets.yaml', '--shard', '2/2', '--json')).stdout) as Planned;
  expect([...first.targets, ...second.targets].map(({ name }) => name).toSorted()).toEqual(['changed', 'plain']);
  expect((await plan('https://a.example/v1', '--targets', 'targets.yaml')).stderr).toContain('remove the BASE_URL');
  expect((await plan('--shard', '1/2')).stderr).toContain('--targets');
  expect((await plan('--targets', 'targets.yaml', '--record', 'x')).stderr).toContain('is for a single target');
});

it.each(['apiKeyEnv: UNSET', 'apiKeyFile: unset.txt', 'headersFromEnv: { X-Token: UNSET }'])(
  'plan needs no secret of the config file: %s',
  async (line) => {
    const own = mkdtempSync(join(cwd, 'job-'));
    writeFileSync(join(own, 'wirecheck.config.yaml'), `baseUrl: https://a.example/v1\n${line}\n`);
    const { exit, stderr } = await runCommand(['plan'], own);
    expect([exit, stderr]).toEqual([0, '']);
  },
);
