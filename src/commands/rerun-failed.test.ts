/** A case that judges the answers of other requests, asked for alone: by name, or because it failed. */
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Ended, runCommand as wirecheck } from '../../test/kit/command.ts';
import { type FaultId, type Gateway, startGateway } from '../gateway/index.ts';
import type { Report } from '../report/report.ts';

let folder: string;
let good: Gateway;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wirecheck-rerun-'));
  good = await startGateway({ eventGapMs: 1 });
});
afterAll(async () => {
  await good.close();
  rmSync(folder, { recursive: true });
});

function ask({ baseUrl, keys }: Gateway, cwd: string, args: readonly string[]): Promise<Ended> {
  return wirecheck(['run', baseUrl, ...args], cwd, { WIRECHECK_API_KEY: keys.full });
}

async function faulty(fault: FaultId): Promise<Gateway> {
  const gateway = await startGateway({ eventGapMs: 1, fault });
  onTestFinished(() => gateway.close());
  return gateway;
}

const reportIn = (cwd: string, out: string) =>
  JSON.parse(readFileSync(join(cwd, out, 'report.json'), 'utf8')) as Report;
/** Only the file that is read: the others cost more than the run. */
const jsonTo = (out: string) => ['--reporter', `json=${out}/report.json`];
const failedIn = ({ cases }: Report) => cases.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);

describe('a rerun', () => {
  it.each<[fault: FaultId, id: string, requests: number]>([
    ['chat-id-number', 'chat/every-completion', 2],
    ['chat-id-constant', 'chat/ids-differ', 5],
    ['stream-no-done', 'streaming/every-stream', 3],
    ['models-marker-wrong', 'models/every-list', 1],
    ['auth-key-echo', 'auth/key-echo', 7],
    ['error-503-once-html', 'errors/passing-server-error', 6],
  ])('of %s finds it again in %s, in a few requests, and passes once it is fixed', async (fault, id, requests) => {
    // Some faults show only once per gateway.
    const [bad, stillBad] = await Promise.all([faulty(fault), faulty(fault)]);
    const cwd = mkdtempSync(join(folder, 'job-'));
    // The verdict of in-pieces depends on times. A busy machine may leave it open, and a rerun would include it.
    const cases = ['--only', id.replace(/\/.*/, '/*'), '--skip', 'streaming/in-pieces'];
    const first = await ask(bad, cwd, ['--strict', ...cases, ...jsonTo('first')]);
    const failed = failedIn(reportIn(cwd, 'first'));
    expect([first.exit, failed]).toEqual([1, expect.arrayContaining([id])]);

    const again = ['--strict', '--rerun-failed', 'first/report.json'];
    const still = await ask(stillBad, cwd, [...again, ...jsonTo('still')]);
    expect([still.exit, failedIn(reportIn(cwd, 'still'))]).toEqual([1, failed]);
    const fixed = await ask(good, cwd, [...again, ...jsonTo('fixed')]);
    expect([fixed.exit, failedIn(reportIn(cwd, 'fixed'))]).toEqual([0, []]);
    expect(reportIn(cwd, 'first').cost.used.requests).toBeGreaterThan(requests);
    for (const out of ['still', 'fixed']) {
      const { cost, exchanges } = reportIn(cwd, out);
      expect(cost.used.requests, exchanges.map((exchange) => exchange.id).join(', ')).toBeLessThanOrEqual(requests);
    }
    const planned = await wirecheck(['plan', ...again, '--json'], cwd);
    expect((JSON.parse(planned.stdout) as { steps: readonly unknown[] }).steps.length).toBeGreaterThan(0);
  });

  it('of an inconclusive case sends everything that the case looks at', async () => {
    const cwd = mkdtempSync(join(folder, 'job-'));
    const alone = ['--only', 'streaming/every-stream'];
    const first = await ask(good, cwd, [...alone, '--max-completions', '1', ...jsonTo('first')]);
    expect(first.exit).toBe(3);
    const again = await ask(good, cwd, ['--rerun-failed', 'first/report.json', ...jsonTo('again')]);
    expect(again.exit).toBe(0);
    const only = await ask(good, cwd, [...alone, ...jsonTo('only')]);
    expect(only.exit).toBe(0);
    expect(reportIn(cwd, 'again').cost.used.requests).toBe(reportIn(cwd, 'only').cost.used.requests);
  });
});

describe('--last-failed', () => {
  const FAULT = 'error-code-integer';
  const SOME = ['--only', 'models/*', '--only', 'auth/unknown-key*'];

  it('runs what failed in the last run, and never overwrites the report that it reads', async () => {
    const bad = await faulty(FAULT);
    const cwd = mkdtempSync(join(folder, 'job-'));
    expect((await ask(bad, cwd, SOME)).exit).toBe(1);
    const before = readFileSync(join(cwd, 'wirecheck-report/report.json'), 'utf8');
    const again = await ask(bad, cwd, ['--last-failed']);
    expect([again.exit, again.stderr]).toEqual([
      1,
      expect.stringMatching(/^The last report is wirecheck-report\/report\.json, written at 20\S+ \S+ UTC\.$/m),
    ]);
    expect(failedIn(reportIn(cwd, 'wirecheck-rerun'))).toEqual(failedIn(reportIn(cwd, 'wirecheck-report')));
    expect(readFileSync(join(cwd, 'wirecheck-report/report.json'), 'utf8')).toBe(before);

    const same = await ask(bad, cwd, ['--last-failed', '--out', 'wirecheck-report']);
    expect([same.exit, same.stderr]).toEqual([2, expect.stringContaining('would be overwritten')]);
    const both = await ask(bad, cwd, ['--last-failed', '--rerun-failed', 'x.json']);
    expect([both.exit, both.stderr]).toEqual([2, expect.stringContaining('cannot be used together')]);
    const planned = await wirecheck(['plan', '--last-failed', '--json'], cwd);
    expect(planned.exit).toBe(0);
  });

  it('is not misled by a run whose target was down: the report before it is kept', async () => {
    const bad = await faulty(FAULT);
    const cwd = mkdtempSync(join(folder, 'job-'));
    expect((await ask(bad, cwd, SOME)).exit).toBe(1);
    const before = readFileSync(join(cwd, 'wirecheck-report/report.json'), 'utf8');
    const down = await wirecheck(['run', 'http://127.0.0.1:9/v1', ...SOME], cwd, {
      WIRECHECK_API_KEY: 'sk-service-none',
    });
    expect([down.exit, down.stderr]).toEqual([3, expect.stringContaining('is kept in wirecheck-report/last-judged\n')]);
    expect(reportIn(cwd, 'wirecheck-report').ending.kind).toBe('unreachable');
    const kept = 'wirecheck-report/last-judged/report.json';
    expect(readFileSync(join(cwd, kept), 'utf8')).toBe(before);
    // Once more: what is kept stays.
    await wirecheck(['run', 'http://127.0.0.1:9/v1', ...SOME], cwd, { WIRECHECK_API_KEY: 'sk-service-none' });
    const same = await ask(bad, cwd, ['--last-failed', '--out', 'wirecheck-report']);
    expect([same.exit, same.stderr]).toEqual([2, expect.stringContaining('would be overwritten')]);
    const again = await ask(bad, cwd, ['--last-failed']);
    expect([again.exit, again.stderr]).toEqual([1, expect.stringContaining(`The last report is ${kept}`)]);
    expect((await ask(bad, cwd, SOME)).exit).toBe(1);
    expect(existsSync(join(cwd, 'wirecheck-report/last-judged'))).toBe(false);
    // A folder that cannot be removed, such as a link, costs no report.
    const elsewhere = mkdtempSync(join(folder, 'elsewhere-'));
    symlinkSync(elsewhere, join(cwd, 'wirecheck-report/last-judged'), 'junction');
    expect((await ask(bad, cwd, SOME)).exit).toBe(1);
  });

  it('looks in the folder of the config file, and still writes beside it', async () => {
    const bad = await faulty(FAULT);
    const cwd = mkdtempSync(join(folder, 'job-'));
    writeFileSync(join(cwd, 'wirecheck.config.yaml'), 'out: ours\n');
    expect((await ask(bad, cwd, SOME)).exit).toBe(1);
    expect((await ask(good, cwd, ['--last-failed'])).exit).toBe(0);
    expect(failedIn(reportIn(cwd, 'ours')).length).toBeGreaterThan(0);
    expect(failedIn(reportIn(cwd, 'wirecheck-rerun'))).toEqual([]);
  });

  it('says what is missing, and that it is for a single target', async () => {
    const cwd = mkdtempSync(join(folder, 'job-'));
    const none = await ask(good, cwd, ['--last-failed']);
    expect([none.exit, none.stderr]).toEqual([
      2,
      'There is no report.json in wirecheck-report: name the report of the last run with --rerun-failed.\n',
    ]);
    writeFileSync(join(cwd, 'targets.yaml'), 'targets: []\n');
    const several = await wirecheck(['run', '--targets', 'targets.yaml', '--last-failed'], cwd);
    expect([several.exit, several.stderr]).toEqual([
      2,
      expect.stringContaining('--last-failed is for a single target'),
    ]);
  });
});

it.each(['chat/every-reply', 'chat/every-completion', 'streaming/every-stream', 'models/every-list'])(
  '--only %s gets answers to judge, and plan shows the requests',
  async (id) => {
    const cwd = mkdtempSync(join(folder, 'job-'));
    const ended = await ask(good, cwd, ['--only', id, ...jsonTo('out')]);
    const report = reportIn(cwd, 'out');
    expect([
      ended.exit,
      report.cases.filter(({ partial }) => !partial).map((testCase) => [testCase.id, testCase.verdict]),
    ]).toEqual([0, [[id, 'pass']]]);
    const planned = await wirecheck(['plan', '--verbose', '--only', id], cwd);
    for (const exchange of report.exchanges) expect(planned.stdout).toContain(exchange.id.replace(/~.*/, ''));
  },
);
