/** Whole runs against the reference gateway without a socket, as far as its answers allow that. */
import type { GatewayOptions } from '../../src/gateway/index.ts';
import type { Report } from '../../src/report/report.ts';
import { judge } from '../../src/run/run.ts';
import { gatherFrom, type GatherOptions } from '../../selftest/in-memory.ts';
import { type Changes, quickSettings } from './real-run.ts';

/** Checks a gateway, by default with its full key alone. */
export async function runInMemory(
  gateway: GatewayOptions,
  changes: Changes = {},
  keysOf: GatherOptions['keysOf'] = ({ full }) => ({ full }),
): Promise<Report> {
  const { gathered, settings } = await gatherFrom({
    gateway: { eventGapMs: 1, ...gateway },
    inMemory: true,
    settingsFor: (baseUrl) => quickSettings(baseUrl, changes),
    keysOf,
  });
  return judge(gathered, settings);
}
