/** Runs against gateways of a test's own making, observed so that they can be compared. */
import type { Exchange } from '../../src/exchange/exchange.ts';
import { drop, put } from '../../src/gateway/change.ts';
import type { GatewayOptions } from '../../src/gateway/index.ts';
import type { Modifier } from '../../src/gateway/modifier.ts';
import { quickSettings } from './real-run.ts';
import type { Change, Comparison } from '../../src/report/comparison/comparison.ts';
import { ObservedRun, observeExchange } from '../../src/report/comparison/observed-run.ts';
import type { Report } from '../../src/report/report.ts';
import { judge } from '../../src/run/run.ts';
import { gatherFrom } from '../../selftest/in-memory.ts';
import type { Settings } from '../../src/settings.ts';

export async function observe(
  options: GatewayOptions,
  source: string,
  changes: Partial<Settings> = {},
  key?: string,
): Promise<ObservedRun> {
  return observeJudged(await runGateway(options, changes, key), source);
}

interface JudgedRun {
  readonly report: Report;
  readonly exchanges: readonly Exchange[];
}

async function runGateway(options: GatewayOptions, changes: Partial<Settings>, key?: string): Promise<JudgedRun> {
  const { gathered, settings } = await gatherFrom({
    // With no gap at all, a stream looks as if it came in one piece when several gateways share a busy machine.
    gateway: { eventGapMs: 2, ...options },
    inMemory: options.latencyMs === undefined,
    settingsFor: (baseUrl) => quickSettings(baseUrl, changes),
    keysOf: ({ full }) => ({ full: key ?? full }),
  });
  return { report: judge(gathered, settings), exchanges: gathered.traffic.exchanges };
}

function observeJudged({ report, exchanges }: JudgedRun, source: string): ObservedRun {
  const run = new ObservedRun(report, source);
  for (const exchange of exchanges) run.add(observeExchange(exchange));
  return run;
}

/** Gateways that many comparisons start from. */
const GATEWAYS = {
  conforming: {},
  'integer codes': { fault: 'error-code-integer' },
  'no usage': modifier({ completion: drop('/usage') }),
  'another object': modifier({ completion: put('/object', 'completion') }),
} satisfies Readonly<Record<string, GatewayOptions>>;

const runs = new Map<string, Promise<JudgedRun>>();

/** A whole run of one of them, or one of a few cases: each is asked once for all tests. */
export async function observeOnce(
  name: keyof typeof GATEWAYS,
  source: string,
  changes: Partial<Settings> = {},
): Promise<ObservedRun> {
  const id = JSON.stringify([name, changes]);
  const run = runs.get(id) ?? runGateway(GATEWAYS[name], changes);
  runs.set(id, run);
  return observeJudged(await run, source);
}

export function modifier(parts: Omit<Modifier, 'title'>): GatewayOptions {
  return { modifiers: [{ title: 'of the test', ...parts }] };
}

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
