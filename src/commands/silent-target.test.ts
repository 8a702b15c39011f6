/** Commands on a target that accepts connections and never answers, and on one whose chat hangs: what every format says. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../test/kit/command.ts';
import { findFreePort } from '../../test/kit/free-port.ts';
import { KEY, quickRun, quickSettings, respondJson, serverFor } from '../../test/kit/real-run.ts';
import { runRelayExplore, startExploreUpstream } from '../gather/explore/relay/run-relay-explore.ts';
import type { Report } from '../report/report.ts';

const cwd = mkdtempSync(join(tmpdir(), 'wirecheck-silent-'));
afterAll(() => rmSync(cwd, { recursive: true }));

const ENV = { WIRECHECK_API_KEY: KEY };
/** Enough for the first request to be sent, also on a busy machine. */
const MAX_TIME = ['--max-time', '3s'];
const PHRASE = 'the run reached --max-time, and the target answered nothing';
const SAID = 'The target had answered none of 1 request. A request was under way for ';

const verdictsOf = ({ cases }: Report) => [...new Set(cases.map(({ verdict }) => verdict))].toSorted();
const plain = (text: string) => text.replaceAll('`', '').replaceAll(/\s+/g, ' ');

describe('a target that never answers', () => {
  it('is said to in every format, is judged by nothing, and its request is counted', async () => {
    const origin = await serverFor(() => undefined);
    const args = ['run', `${origin}/v1`, ...MAX_TIME, '--out', 'run', '--reporter', 'summary=run/summary.md'];
    const { exit, stdout } = await runCommand(args, cwd, ENV);
    expect(exit).toBe(3);
    expect(stdout).toMatch(/^Cost: +1 request, 0 completions charged, 0 tokens$/m);
    expect(plain(stdout)).toContain(SAID);
    expect(plain(stdout)).toContain('Check that the target answers. If it is only slow, raise --max-time.');
    expect(stdout).toMatch(new RegExp(`\\nNOT JUDGED: ${PHRASE}\\n$`));
    for (const file of ['report.html', 'report.md', 'junit.xml', 'summary.md'])
      expect(plain(readFileSync(join(cwd, 'run', file), 'utf8'))).toContain(PHRASE);
    const report = JSON.parse(readFileSync(join(cwd, 'run/report.json'), 'utf8')) as Report;
    expect(verdictsOf(report)).toEqual(['inconclusive', 'skipped']);
    expect(report.observations).toEqual([]);
    expect(JSON.stringify(report.cases)).not.toContain('list-not-requested');
    expect(report.exchanges).toMatchObject([{ id: 'models~given-up', attempts: [{ failure: { kind: 'aborted' } }] }]);
    const { wall = 0, target = 0, checker = 0 } = report.time ?? {};
    expect(target).toBeGreaterThan(0);
    expect(target + checker).toBeCloseTo(wall, 0);
  });

  it('is said to by relay, which blames no upstream for a list', async () => {
    const origin = await serverFor(() => undefined);
    const port = String(await findFreePort());
    const args = ['relay', `${origin}/v1`, '--upstream-port', port, ...MAX_TIME, '--out', 'none'];
    const { exit, stdout } = await runCommand(args, cwd, ENV);
    expect(exit).toBe(3);
    expect(stdout).toMatch(/^Cost: +1 request to the gateway/m);
    expect(plain(stdout)).toContain(SAID);
    expect(stdout).toContain(`NOT JUDGED: ${PHRASE}`);
  });

  it('is said to by load', async () => {
    const origin = await serverFor(() => undefined);
    const args = ['load', `${origin}/v1`, '--max-completions', '20', ...MAX_TIME, '--out', 'none'];
    const { exit, stdout } = await runCommand(args, cwd, ENV);
    expect(exit).toBe(3);
    expect(stdout).toMatch(/^Cost: +1 request/m);
    expect(plain(stdout)).toContain(SAID);
    expect(plain(stdout)).toContain('Check that the target answers. If it is only slow, raise --max-time.');
    expect(stdout).toContain(`NOT JUDGED: ${PHRASE}`);
  });

  it('is not waited for by relay --explore after an interrupt', async () => {
    const controller = new AbortController();
    const origin = await serverFor(() => controller.abort());
    const explore = { requests: 1, completions: 1, shrinkCompletions: 1 };
    const settings = {
      ...quickSettings(`${origin}/v1`, { timeouts: { firstByte: 60_000, attempt: 60_000 } }),
      explore,
    };
    const upstream = await startExploreUpstream(settings, { full: KEY });
    const { report } = await runRelayExplore(settings, { full: KEY }, upstream, { signal: controller.signal });
    expect([report.outcome.exit, report.cost.used.requests]).toEqual([130, 1]);
    expect(verdictsOf(report)).toEqual(['inconclusive', 'skipped']);
  });
});

it('An interrupt while the control is under way: its request counts, and is no answer', async () => {
  const controller = new AbortController();
  const origin = await serverFor((request, response) => {
    if (request.url?.endsWith('/models')) respondJson(response, 200, { object: 'list', data: [{ id: 'm' }] });
    else controller.abort();
  });
  const report = await quickRun(`${origin}/v1`, {}, { full: KEY }, { signal: controller.signal });
  expect(report.ending).toEqual({ kind: 'interrupted' });
  expect(report.outcome.exit).toBe(130);
  expect(report.cost.used.requests).toBe(2);
  const echo = report.cases.find(({ id }) => id === 'auth/key-echo')?.expectations[0];
  expect(echo).toMatchObject({ verdict: 'pass', exchanges: ['models'], answers: { judged: 1 } });
});
