import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FAULTS, type GatewayOptions, startGateway, VARIANTS } from './gateway/index.ts';
import { judgeRecording } from './judge-recording.ts';
import { openRecording } from './recording/read-recording.ts';
import { createRecorder } from './recording/write-recording.ts';
import type { Report } from './report/report.ts';
import { gather, judge } from './run.ts';
import { DEFAULT_SETTINGS } from './settings.ts';

/** Gateways at once: most of the time goes by waiting for the slow ones. */
const PARALLEL = 8;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'recordings-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface BothWays {
  readonly live: Report;
  readonly recorded: Report;
}

async function runBothWays(name: string, gatewayOptions: GatewayOptions): Promise<BothWays> {
  const gateway = await startGateway({ eventGapMs: 1, ...gatewayOptions });
  const file = join(folder, `${name}.ndjson.gz`);
  try {
    const settings = {
      ...DEFAULT_SETTINGS,
      baseUrl: gateway.baseUrl,
      forbiddenModel: gateway.forbiddenModel,
      retryPauses: [1, 2],
      maxRetryWait: 2_000,
      timeouts: { attempt: 10_000, connect: 2_000, firstByte: 800, idle: 800, run: 60_000 },
    };
    const gathered = await gather(settings, gateway.keys, { recorder: createRecorder(file, false) });
    return { live: judge(gathered, settings), recorded: await judgeRecording(await openRecording(file, file)) };
  } finally {
    await gateway.close();
  }
}

const SUBJECTS: readonly (readonly [name: string, options: GatewayOptions])[] = [
  ['conforming', {}],
  ...Object.keys(FAULTS).map((id) => [`fault-${id}`, { fault: id as keyof typeof FAULTS }] as const),
  ...Object.keys(VARIANTS).map((id) => [`variant-${id}`, { variant: id as keyof typeof VARIANTS }] as const),
];

describe('a recording judged offline', () => {
  it('gives the report and the exit code of the run that made it, on every fault and every variant', { timeout: 400_000 }, async () => {
    const queue = [...SUBJECTS];
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const [name, options] = next;
        const { live, recorded } = await runBothWays(name, options);
        // As text, since comparing reports member by member takes longer than making them.
        if (JSON.stringify(recorded) !== JSON.stringify(live)) expect.soft(recorded, name).toEqual(live);
        expect.soft(recorded.exchanges.length, name).toBeGreaterThan(0);
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, work));
  });
});
