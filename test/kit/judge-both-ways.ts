/** Runs gateways, judges each run live and from its recording, and holds the one report against the other. */
import { join } from 'node:path';
import { expect } from 'vitest';
import { type GatewayOptions, startGateway } from '../../src/gateway/index.ts';
import { judgeRecording } from '../../src/run/judge-recording.ts';
import { openRecording } from '../../src/recording/read-recording.ts';
import { temporaryFolder } from './recording.ts';
import { createRecorder } from '../../src/recording/write-recording.ts';
import { quickSettings } from './real-run.ts';
import { gather, judge } from '../../src/run/run.ts';

/** Gateways at once: most of the time goes by waiting for the slow ones. */
const PARALLEL = 8;

export async function expectSameReports(subjects: readonly (readonly [name: string, GatewayOptions])[]): Promise<void> {
  const folder = temporaryFolder();
  const queue = [...subjects];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) await expectSameReport(join(folder, next[0]), ...next);
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
}

/** Every extra key is given, so every case is asked. */
async function expectSameReport(file: string, name: string, options: GatewayOptions): Promise<void> {
  const gateway = await startGateway({ eventGapMs: 1, ...options });
  try {
    const settings = quickSettings(gateway.baseUrl, {
      forbiddenModel: gateway.forbiddenModel,
      maxRetryWait: 2_000,
      timeouts: { firstByte: 800, idle: 800 },
    });
    const gathered = await gather(settings, gateway.keys, { recorder: createRecorder(file, false) });
    const live = judge(gathered, settings);
    const recorded = await judgeRecording(await openRecording(file, file));
    // As text, since comparing reports member by member takes longer than making them.
    if (JSON.stringify(recorded) !== JSON.stringify(live)) expect.soft(recorded, name).toEqual(live);
    expect.soft(recorded.exchanges.length, name).toBeGreaterThan(0);
  } finally {
    await gateway.close();
  }
}
