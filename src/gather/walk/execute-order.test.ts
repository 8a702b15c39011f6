/** What a run tells while it goes on, and in which order it sends. */
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Gateway, startGateway } from '../../gateway/index.ts';
import { quickRun, quickSettings, respondJson, serverFor } from '../../../test/kit/real-run.ts';
import { endedRun } from '../../../test/kit/endings.ts';
import { gather, type Gathered, plan } from '../../run/run.ts';
import { DEFAULT_SETTINGS } from '../../settings.ts';
import { WAVES } from '../../plan/known-steps.ts';
import { adviseOnEnding, formatEnding } from '../../exchange/ending.ts';
import type { Progress, Wait } from '../../exchange/channel/hooks.ts';

describe('a run on a conforming target', () => {
  const seen: Progress[] = [];
  let gathered: Gathered;
  beforeAll(async () => {
    const gateway = await startGateway({ latencyMs: 2, eventGapMs: 1 });
    const settings = quickSettings(gateway.baseUrl);
    gathered = await gather(settings, { full: gateway.keys.full }, { onProgress: (progress) => seen.push(progress) });
    await gateway.close();
  });

  it('Every case is done at the end, and progress never decreases', () => {
    const last = seen.at(-1);
    expect(last?.casesDone).toBe(last?.cases);
    expect(last?.requests).toBe(last?.requestsExpected);
    const { least } = plan({ ...DEFAULT_SETTINGS, baseUrl: 'https://a.example/v1' });
    expect(seen[0]?.requestsExpected).toBe(least.requests);
    expect(seen.every(({ casesDone }, place) => casesDone >= (seen[place - 1]?.casesDone ?? 0))).toBe(true);
    expect(last?.cases).toBeGreaterThan(80);
  });

  it('Exchanges are in the order of sending, wave by wave, and invalid keys are sent one at a time', () => {
    const { plan, traffic } = gathered;
    const waves = new Map(plan.steps.map(({ id, wave }) => [id, WAVES.indexOf(wave)]));
    const order = traffic.exchanges.map(({ step }) => waves.get(step) ?? -1);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    const bad = traffic.exchanges.filter(({ step }) => waves.get(step) === WAVES.indexOf('credential'));
    const times = bad.map(({ attempts }) => attempts[0]?.sentAt ?? 0);
    expect(times.slice(1).every((time, place) => time - (times[place] ?? 0) >= 1)).toBe(true);
  });

  it('Nothing is asked in parts', () => {
    expect(gathered.traffic.used.completions).toBeLessThanOrEqual(25);
    expect(gathered.traffic.used.requests).toBeLessThanOrEqual(140);
  });
});

describe('before a run', () => {
  it('--wait-for waits for a target that is still starting', async () => {
    const gateway = await startGateway();
    const { port } = new URL(gateway.baseUrl);
    await gateway.close();
    let later: Promise<Gateway> | undefined;
    onTestFinished(async () => (await later)?.close());
    const onWait = () => void (later ??= startGateway({ port: Number(port) }));
    const changes = { waitFor: 60_000, only: ['models/list'] };
    const report = await quickRun(gateway.baseUrl, changes, { full: gateway.keys.full }, { onWait });
    expect(report.ending.kind).toBe('complete');
  });

  it('--wait-for gives up in time, and the run starts anyway', async () => {
    const gateway = await startGateway();
    await gateway.close();
    expect((await quickRun(gateway.baseUrl, { waitFor: 30, only: ['models/list'] })).ending.kind).toBe('unreachable');
  });

  it('--wait-for ends the run if the target accepts connections and does not answer', async () => {
    let requests = 0;
    const origin = await serverFor(() => void (requests += 1));
    const waits: Wait[] = [];
    const settings = { ...DEFAULT_SETTINGS, baseUrl: `${origin}/v1`, waitFor: 500 };
    const { traffic } = await gather(settings, { full: 'sk-service-1' }, { onWait: (wait) => void waits.push(wait) });
    expect(waits[0]).toMatchObject({ most: 500, why: 'TIMEOUT' });
    expect(waits[0]?.elapsed).toBeLessThan(DEFAULT_SETTINGS.timeouts.firstByte / 2);
    expect(traffic).toMatchObject({ exchanges: [], used: { requests: 0 } });
    expect(traffic.ending).toMatchObject({ kind: 'unreachable', failure: { limit: 'wait-for' }, most: 500 });
    expect(formatEnding(traffic.ending)).toBe('the target did not answer within 500 ms');
    expect(adviseOnEnding(endedRun(traffic.ending))).toMatch(
      /accepted the connection, but did not answer within 500 ms \(--wait-for\)\. .*or raise --wait-for\.$/,
    );
    expect(requests).toBeLessThanOrEqual(waits.length);
  });

  it('--wait-for lets the run start if the target answered something', async () => {
    let requests = 0;
    const origin = await serverFor((_request, response) => {
      requests += 1;
      if (requests !== 2) respondJson(response, 503, {});
    });
    const settings = { ...quickSettings(`${origin}/v1`), waitFor: 2_000, retries: 0, only: ['models/list'] };
    const { traffic } = await gather(settings, { full: 'sk-service-1' });
    expect(traffic.exchanges.length).toBeGreaterThan(0);
  });
});
