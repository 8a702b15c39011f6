/** Runs against gateways of a test's own making, observed so that they can be compared. */
import type { GatewayOptions } from '../../src/gateway/index.ts';
import type { Modifier } from '../../src/gateway/modifier.ts';
import { quickSettings } from './real-run.ts';
import type { Change, Comparison } from '../../src/report/comparison/comparison.ts';
import { observeExchange } from '../../src/report/comparison/observed-exchange.ts';
import { ObservedRun } from '../../src/report/comparison/observed-run.ts';
import { type Gathered, judge } from '../../src/run/run.ts';
import { gatherFrom } from '../../src/selftest/gather-from.ts';
import type { Settings } from '../../src/settings.ts';

export interface GatheredGateway {
  readonly gathered: Gathered;
  readonly settings: Settings;
}

export function gatherGateway(
  options: GatewayOptions,
  changes: Partial<Settings> = {},
  key?: string,
): Promise<GatheredGateway> {
  return gatherFrom({
    // With no gap at all, a stream looks as if it came in one piece when several gateways share a busy machine.
    gateway: { eventGapMs: 2, ...options },
    inMemory: options.latencyMs === undefined,
    settingsFor: (baseUrl) => quickSettings(baseUrl, changes),
    keysOf: ({ full }) => ({ full: key ?? full }),
  });
}

export async function observe(
  options: GatewayOptions,
  source: string,
  changes: Partial<Settings> = {},
  key?: string,
): Promise<ObservedRun> {
  const { gathered, settings } = await gatherGateway(options, changes, key);
  const run = new ObservedRun(judge(gathered, settings), source);
  for (const exchange of gathered.traffic.exchanges) run.add(observeExchange(exchange));
  return run;
}

export const modifier = (parts: Omit<Modifier, 'title'>): GatewayOptions => ({
  modifiers: [{ title: 'of the test', ...parts }],
});

/** Times are those of the machine, so that drift says nothing of the gateways. */
export function withoutDrift({ changes }: Comparison): readonly Change[] {
  return changes.filter(({ kind }) => kind !== 'drift');
}

/** Without those on times. */
export function noticesOf({ notices }: Comparison): Comparison['notices'] {
  return notices.filter((notice) => !('times' in notice));
}

/** What a comparison found but for drift, as `kind what place`. */
export function said(comparison: Comparison): readonly string[] {
  return [...new Set(withoutDrift(comparison).map(inShort))].toSorted();
}

function inShort({ kind, what, place }: Change): string {
  return [kind, what, place.pointer ?? place.measure ?? ''].join(' ').trim();
}
