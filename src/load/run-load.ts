/** The whole flow under load: lists and a control alone, the ramp, a pause and a burst, recovery, halving, report. */
import { randomInt } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { Ledger } from '../exchange/attempts/ledger.ts';
import { createVault } from '../exchange/secrets/vault.ts';
import { createTransport } from '../exchange/transport/transport.ts';
import { waitUntilReady } from '../exchange/walking/wait-until-ready.ts';
import type { Report } from '../report/report.ts';
import type { Keys, Settings } from '../settings.ts';
import { UsageError } from '../usage-error.ts';
import { CallRegistry } from './call-registry.ts';
import { LIST } from './calls.ts';
import { LoadConnections } from './connections.ts';
import { LoadRun } from './load-run.ts';
import type { LoadHooks, LoadSetup } from './load-setup.ts';
import { chosenLoadCases, ordinaryCases } from './load-suite.ts';
import { reportOnLoad } from './report-on-load.ts';
import { LOAD_MODEL, startLoadUpstream } from './upstream-server.ts';

const MAX_SALT = 2 ** 31;

/** `runLoad` closes the upstream. `port`: 0 for any free one; undefined for none, unless the settings have one. */
export async function setUpLoad(
  settings: Settings,
  keys: Keys,
  port = settings.relay.upstreamPort,
): Promise<LoadSetup> {
  const registry = new CallRegistry(randomInt(MAX_SALT));
  const vault = createVault(settings, keys, [LOAD_MODEL]);
  if (port === undefined) return { registry, vault };
  const upstream = await startLoadUpstream({ host: settings.relay.upstreamHost, port, vault, registry });
  return { registry, vault, upstream };
}

export async function runLoad(
  settings: Settings,
  keys: Keys,
  setup: LoadSetup,
  hooks: LoadHooks = {},
): Promise<Report> {
  const ordinary = ordinaryCases(settings);
  const own = chosenLoadCases(settings);
  if (ordinary.length + own.length === 0) {
    throw new UsageError('No cases selected: --only and --skip exclude all of them.');
  }
  const startedAt = Date.now();
  const time = AbortSignal.timeout(settings.timeouts.run);
  const signal = AbortSignal.any([time, ...(hooks.signal ? [hooks.signal] : [])]);
  // Every pending call listens to it.
  setMaxListeners(0, signal);
  const { vault, upstream } = setup;
  const open = (connections: number) =>
    createTransport({ ...settings, concurrency: connections }, keys, { redactor: vault.redactor });
  const connections = new LoadConnections(open, settings.concurrency);
  const ledger = new Ledger(settings);
  const { onWait } = hooks;
  try {
    if (settings.waitFor !== undefined) {
      await waitUntilReady(connections.main, { ...LIST, key: 'full' }, { most: settings.waitFor, signal, onWait });
    }
    const run = new LoadRun({ settings, keys, setup, connections, ledger, signal, ordinary, own, hooks });
    const gathered = await run.gather();
    const ending = hooks.signal?.aborted
      ? ({ kind: 'interrupted' } as const)
      : time.aborted
        ? ({ kind: 'budget', setting: 'max-time' } as const)
        : gathered.ending;
    return reportOnLoad(
      {
        ...gathered,
        settings,
        ending,
        cases: { ordinary, own },
        used: ledger.used,
        notices: connections.main.notices,
        startedAt,
        endedAt: Date.now(),
        ...(upstream && { upstreamUrl: upstream.url }),
      },
      hooks.excuses,
    );
  } finally {
    await connections.close();
    await upstream?.close();
  }
}
