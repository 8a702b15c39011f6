/** What a run tells while it goes on, and in which order it sends. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startGateway } from '../gateway/index.ts';
import { gatewayFor, quickRun, quickSettings, runGateway } from '../../test/kit/real-run.ts';
import { gather, plan, type Progress } from '../run/run.ts';
import { DEFAULT_SETTINGS } from '../settings.ts';
import { WAVES } from '../plan/plan.ts';
import type { Wait } from './walking/wait-until-ready.ts';

describe('during a run', () => {
  it('Every case is done at the end, and progress never decreases', async () => {
    const seen: Progress[] = [];
    await runGateway({}, {}, { onProgress: (progress) => seen.push(progress) });
    const last = seen.at(-1);
    expect(last?.casesDone).toBe(last?.cases);
    expect(last?.requests).toBe(last?.requestsExpected);
    const { least } = plan({ ...DEFAULT_SETTINGS, baseUrl: 'https://a.example/v1' });
    expect(seen[0]?.requestsExpected).toBe(least.requests);
    expect(seen.every(({ casesDone }, place) => casesDone >= (seen[place - 1]?.casesDone ?? 0))).toBe(true);
    expect(last?.cases).toBeGreaterThan(80);
  });

  it('Exchanges are in the order of sending, wave by wave, and invalid keys are sent one at a time', async () => {
    const gateway = await gatewayFor({ latencyMs: 2 });
    const { plan, traffic } = await gather(quickSettings(gateway.baseUrl), { full: gateway.keys.full });
    const waves = new Map(plan.steps.map(({ id, wave }) => [id, WAVES.indexOf(wave)]));
    const order = traffic.exchanges.map(({ step }) => waves.get(step) ?? -1);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    const bad = traffic.exchanges.filter(({ step }) => waves.get(step) === WAVES.indexOf('credential'));
    const times = bad.map(({ attempts }) => attempts[0]?.sentAt ?? 0);
    expect(times.slice(1).every((time, place) => time - (times[place] ?? 0) >= 1)).toBe(true);
  });

  it('--wait-for waits for a target that is still starting', async () => {
    const gateway = await startGateway();
    const { port } = new URL(gateway.baseUrl);
    await gateway.close();
    const running = quickRun(gateway.baseUrl, { waitFor: 10_000, only: ['models/list'] }, { full: gateway.keys.full });
    await wait(50);
    const later = await startGateway({ port: Number(port) });
    onTestFinished(() => later.close());
    expect((await running).ending.kind).toBe('complete');
  });

  it('--wait-for gives up in time, and the run starts anyway', async () => {
    const gateway = await startGateway();
    await gateway.close();
    expect((await quickRun(gateway.baseUrl, { waitFor: 30 })).ending.kind).toBe('unreachable');
  });

  it('--wait-for also ends in time if the target accepts the connection and does not answer', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void silent.close());
    await once(silent, 'listening');
    const baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`;
    const stop = new AbortController();
    const waits: Wait[] = [];
    const onWait = (wait: Wait): void => {
      waits.push(wait);
      stop.abort();
    };
    const hooks = { onWait, signal: stop.signal };
    await gather({ ...DEFAULT_SETTINGS, baseUrl, waitFor: 100 }, { full: 'sk-service-1' }, hooks);
    expect(waits).toMatchObject([{ most: 100, why: 'TIMEOUT' }]);
    expect(waits[0]?.elapsed).toBeLessThan(DEFAULT_SETTINGS.timeouts.firstByte / 2);
  });
});
