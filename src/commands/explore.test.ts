/** `wirecheck explore` as a command: its plan, a short run, its recording, and what it saves. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { FIXED } from '../../test/kit/explored.ts';
import { type Ended, runCommand } from '../../test/kit/command.ts';
import { findFreePort } from '../../test/kit/free-port.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { type Gateway, KEYS, startGateway } from '../gateway/index.ts';
import type { Report } from '../report/report.ts';

const cwd = mkdtempSync(join(tmpdir(), 'wirecheck-explore-'));
const ENV = { WIRECHECK_API_KEY: KEYS.full };
const explore = (...args: readonly string[]): Promise<Ended> => runCommand(['explore', ...args], cwd, ENV);
const reportIn = (folder: string): Report =>
  JSON.parse(readFileSync(join(cwd, folder, 'report.json'), 'utf8')) as Report;

describe('What an exploration costs', () => {
  const COST = '174 to 205 completions, at most 340 if the gateway breaks the contract';

  it('is agreed to for any target but this machine, before a key is needed or anything is sent', async () => {
    const { exit, stdout, stderr } = await runCommand(['explore', 'https://gateway.example/v1'], cwd, {});
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`Exploring gateway.example takes ${COST}. Allow it with --yes`);
    expect(stderr).toContain('--max-completions N');
  });

  it.each([['--yes'], ['--max-completions', '20'], ['--path', '1']])('needs no more than %s', async (...flags) => {
    const { exit, stderr } = await runCommand(['explore', 'https://gateway.example/v1', ...flags], cwd, {});
    expect([exit, stderr]).toEqual([2, expect.stringContaining('No API key')]);
  });

  it('is told before the first request', async () => {
    const { stderr } = await explore('http://127.0.0.1:9/v1', '--retries', '0', '--out', 'none');
    expect(stderr).toMatch(new RegExp(`Seed \\d+\\. This run takes ${COST}\\.`));
  });

  it('is nothing with an upstream of ours', async () => {
    const args = ['relay', 'http://127.0.0.1:9/v1', '--upstream-port', String(await findFreePort()), '--explore'];
    const { stderr } = await runCommand([...args, '--out', 'none'], cwd, ENV);
    expect(stderr).toContain('Nothing is charged: the scripted upstream calls no model.');
  });
});

describe('The plan of an exploration', () => {
  it('shows requests, completions and bytes, and sends nothing', async () => {
    const { exit, stdout } = await explore('http://127.0.0.1:9/v1', '--plan', '--requests', '40');
    expect(exit).toBe(0);
    expect(stdout).toMatch(/40 drawn requests, about [\d,]+ bytes of bodies/);
    expect(stdout).toContain('charged completions');
    expect(stdout).toContain('Nothing was sent.');
  });

  it('is JSON with --json', async () => {
    const { stdout } = await explore('http://127.0.0.1:9/v1', '--plan', '--json', '--requests', '40', '--seed', '3');
    const plan = JSON.parse(stdout) as Record<string, Record<string, number>>;
    const { all, ...kinds } = plan['requests'] ?? {};
    expect([all, plan['seed']]).toEqual([40, 3]);
    expect(Object.values(kinds).reduce((sum, each) => sum + each, 0)).toBe(40);
    expect(plan['most']).toMatchObject({ furtherRequests: 480, requestsPerFinding: 40, shrinkCompletions: 40 });
  });

  it('has the same seed every time, unless a random one is asked for', async () => {
    const seedOf = async (...args: readonly string[]): Promise<string | undefined> =>
      /seed (\d+)/.exec((await explore('http://127.0.0.1:9/v1', '--plan', '--requests', '5', ...args)).stdout)?.[1];
    expect(await seedOf()).toBe(await seedOf());
    expect(await seedOf('--seed', '3')).toBe('3');
    expect(await seedOf('--seed', 'random')).toMatch(/^\d+$/);
  });

  it.each(['99999:1', '9999', '1:999', '0', '1.0'])('refuses the path %s, which leads to no draw', async (path) => {
    const { exit, stderr } = await explore('http://127.0.0.1:9/v1', '--plan', '--path', path);
    expect(exit).toBe(2);
    expect(stderr).toContain(`--path ${path} leads to no draw`);
  });

  it('shows the draw of a path with the usual seed, but not with a random one', async () => {
    const usual = await explore('http://127.0.0.1:9/v1', '--plan', '--path', '1');
    expect(usual.stdout).toContain('  1 drawn request, ');
    const random = await explore('http://127.0.0.1:9/v1', '--plan', '--path', '1', '--seed', 'random');
    expect([random.exit, random.stderr]).toEqual([2, expect.stringContaining('copy both from a report')]);
  });

  it('has the sum of both limits as the most that can be charged', async () => {
    const { stdout } = await explore('http://127.0.0.1:9/v1', '--plan', '--max-completions', '20');
    expect(stdout).toContain('At most 60 charged completions, 40 of them only for asking again and shrinking.');
  });

  it.each(['0', '5'])('refuses a limit of %s completions, which the controls need', async (limit) => {
    const { exit, stderr } = await explore('http://127.0.0.1:9/v1', '--max-completions', limit);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('give at least 6')]);
  });

  it('has a bound for all requests, with retries and controls', async () => {
    const mostWith = async (...args: readonly string[]): Promise<number> => {
      const { stdout } = await explore('http://127.0.0.1:9/v1', '--plan', '--json', '--requests', '40', ...args);
      return (JSON.parse(stdout) as { readonly most: { readonly requests: number } }).most.requests;
    };
    const [usual, once] = [await mostWith(), await mostWith('--retries', '0')];
    // Drawn requests and controls, each three times, and those for asking again.
    expect(usual).toBeGreaterThan(44 * 3 + 480);
    expect(once).toBeGreaterThan(44 + 480);
    expect(once).toBeLessThan(usual);
    expect(await mostWith('--max-requests', '100')).toBe(100);
  });

  it('refuses a seed that is no number, and names random', async () => {
    const { exit, stderr } = await explore('http://127.0.0.1:9/v1', '--plan', '--seed', 'foo');
    expect(exit).toBe(2);
    expect(stderr).toContain('--seed is "foo": it must be a whole number from 0 to 4294967295, or random.');
  });

  it('refuses to save into a folder that is not there, or over what somebody wrote', async () => {
    const absent = await explore('http://127.0.0.1:9/v1', '--save', 'nowhere/found.yaml');
    expect([absent.exit, absent.stderr]).toEqual([2, expect.stringContaining('The folder of nowhere/found.yaml')]);
    writeFileSync(join(cwd, 'mine.yaml'), 'suite: mine\n');
    const other = await explore('http://127.0.0.1:9/v1', '--save', 'mine.yaml');
    expect([other.exit, other.stderr]).toEqual([2, expect.stringContaining('mine.yaml exists, and --save did not')]);
  });
});

it('Its cases are listed and explained, also those of relay --explore', async () => {
  const { stdout } = await runCommand(['list', 'explore-cases'], cwd);
  expect(stdout).toContain('explore/refused[limits.temperature]');
  expect(stdout).toContain('explore/forwarded[messages]');
  const explained = await runCommand(['explain', 'explore/forwarded[messages]'], cwd);
  expect(explained.stdout).toMatch(/Judges +relay\.messages \(must/);
  expect(explained.stdout).toMatch(/--upstream-port 5055 --explore/);
});

describe('An exploration of a gateway that refuses quotes', { timeout: 60_000 }, () => {
  let gateway: Gateway;
  let ended: Ended;
  const pathOfFinding = (): string => reportIn('live').explore?.findings[0]?.path ?? '';
  const TARGET = ['--requests', String(FIXED + 25), '--seed', '3'];
  beforeAll(async () => {
    gateway = await startGateway({ fault: 'text-quote-refused', eventGapMs: 0 });
    const files = ['--save', 'found.yaml', '--record', 'run.ndjson', '--out', 'live'];
    ended = await explore(gateway.baseUrl, ...TARGET, ...files);
  }, 60_000);
  afterAll(async () => {
    await gateway.close();
    rmSync(cwd, { recursive: true });
  });

  it('is not judged if nothing may be asked again, and says which flag allows it', async () => {
    const args = ['--path', pathOfFinding(), '--shrink-completions', '0', '--out', 'none'];
    const { exit, stdout } = await explore(gateway.baseUrl, ...TARGET, ...args);
    expect([exit, stdout]).toEqual([3, expect.stringContaining('NOT JUDGED')]);
    expect(stdout).toMatch(/1 draw failed and could not be asked again: raise --shrink-completions/);
  });

  it('sends as many bytes as the plan says', async () => {
    const { stdout } = await explore(gateway.baseUrl, ...TARGET, '--plan', '--json', '--model', 'sea-large');
    const lines = readFileSync(join(cwd, 'run.ndjson'), 'utf8').trim().split('\n');
    const sent = lines
      .map((line) => JSON.parse(line) as Partial<Pick<Exchange, 'name' | 'occasion' | 'request'>>)
      .filter(({ name, occasion }) => name === 'explore' && occasion === undefined);
    const bytes = sent.reduce((sum, { request }) => sum + Buffer.byteLength(request?.body ?? ''), 0);
    expect(sent.length).toBeGreaterThan(20);
    expect(JSON.parse(stdout)).toMatchObject({ bodyBytes: bytes });
  });

  it('fails by the clause of its cause alone', () => {
    const broken = reportIn('live').clauses.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
    expect(broken.map(({ id }) => id)).toEqual(['message.any-text']);
    expect(ended.exit).toBe(1);
  });

  it('shows the smallest request beside one that passes', () => {
    const { explore: explored, exchanges } = reportIn('live');
    const [finding] = explored?.findings ?? [];
    expect(finding).toMatchObject({ isShrunk: true, length: 1 });
    expect(finding?.difference.map(({ pointer }) => pointer)).toEqual(['/messages/0/content']);
    const statusOf = (id: string | undefined): number | undefined =>
      exchanges.find((exchange) => exchange.id === id)?.attempts.at(-1)?.answer?.status;
    expect(statusOf(finding?.exchange)).toBe(400);
    expect(statusOf(finding?.neighbour)).toBe(200);
    expect(ended.stdout).toMatch(/Difference +\/messages\/0\/content: .* fails, .* passes/);
    expect(ended.stdout).toMatch(/Repeat +curl /);
  });

  it('is judged to the same verdicts from its recording', async () => {
    const { exit } = await runCommand(['judge', 'run.ndjson', '--out', 'again'], cwd);
    expect(exit).toBe(1);
    const [live, again] = [reportIn('live'), reportIn('again')];
    expect(again.cases).toEqual(live.cases);
    expect(again.explore).toEqual(live.explore);
    const verified = await runCommand(['verify', 'live/report.json', 'run.ndjson'], cwd);
    expect([verified.exit, verified.stdout]).toEqual([0, expect.stringMatching(/^VERIFIED: /)]);
  });

  it('repeats a finding by its path', async () => {
    const { exit } = await explore(gateway.baseUrl, ...TARGET, '--path', pathOfFinding(), '--out', 'path');
    expect(exit).toBe(1);
    expect(reportIn('path').explore).toMatchObject({ draws: 1, findings: [{ draws: 1 }] });
  });

  it('names the saved file after the report', () => {
    expect(ended.stderr).toMatch(
      /\nSaved 1 request that fails in found\.yaml\. Send it again: .* --suite found\.yaml\n$/,
    );
  });

  it('saves a case that fails in a run, and passes on a gateway that keeps the contract', async () => {
    const args = ['--suite', 'found.yaml', '--only', 'found/*', '--out', 'none'];
    const { exit, stdout } = await runCommand(['run', gateway.baseUrl, ...args], cwd, ENV);
    expect(exit).toBe(1);
    expect(stdout).toContain('✗ found/request-1');
    const right = await startGateway({ eventGapMs: 0 });
    onTestFinished(() => right.close());
    const passed = await runCommand(['run', right.baseUrl, ...args], cwd, ENV);
    expect([passed.exit, passed.stdout]).toEqual([0, expect.stringContaining('CONFORMS IN PART')]);
  });

  it('is excused by a baseline', async () => {
    const args = ['--path', pathOfFinding(), '--baseline', 'live/report.json', '--out', 'none'];
    const { exit, stdout } = await explore(gateway.baseUrl, ...TARGET, ...args);
    expect([exit, stdout]).toEqual([0, expect.stringContaining('NO NEW VIOLATIONS')]);
  });
});
