/** The whole flow under load: lists and a control alone, the ramp, a pause and a burst, recovery, halving, report. */
import { contractOf } from '../contract/profile/apply-profile.ts';
import { randomInt } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { Ledger } from '../exchange/channel/ledger.ts';
import { createVault } from '../exchange/secrets/vault.ts';
import { LIGHT_ENCODINGS } from '../exchange/transport/decompression.ts';
import { withLimit } from '../exchange/explain-ending.ts';
import { createTransport } from '../exchange/transport/transport.ts';
import { waitUntilReady } from '../exchange/channel/first-contact.ts';
import type { LoadEnd, LoadEvent, LoadStart } from '../exchange/load-traffic.ts';
import type { Excuses } from '../report/excuses/apply-excuses.ts';
import type { Report } from '../report/report.ts';
import type { Keys, Settings } from '../settings.ts';
import { UsageError } from '../usage-error.ts';
import { CallRegistry } from './call-registry.ts';
import { LIST } from './calls.ts';
import { LoadConnections } from './connections.ts';
import { LoadBook } from './load-book.ts';
import { LoadRun } from './load-run.ts';
import type { LoadHooks, LoadSetup } from './load-setup.ts';
import { chosenLoadCases, ordinaryCases } from './load-suite.ts';
import { type LoadCases, reportOnBook } from './report-on-load.ts';
import { startLoadUpstream } from './upstream-server.ts';
import { LOAD_MODEL } from './upstream-stream.ts';

const MAX_SALT = 2 ** 31;
/** Bytes. Each header takes a hundred times its size while it is read, and so many answers arrive at once. */
const MAX_HEADERS = 8 * 1024;

/** `runLoad` closes the upstream. `port`: 0 for any free one; undefined for none, unless the settings have one. */
export async function setUpLoad(
  settings: Settings,
  keys: Keys,
  port = settings.relay.upstreamPort,
): Promise<LoadSetup> {
  const registry = new CallRegistry(randomInt(MAX_SALT));
  const vault = createVault(settings, keys, [LOAD_MODEL]);
  if (port === undefined) return { registry, vault };
  const upstream = await startLoadUpstream({
    host: settings.relay.upstreamHost,
    port,
    vault,
    registry,
    limits: contractOf(settings).rules.limits,
  });
  return { registry, vault, upstream };
}

function loadCases(settings: Settings): LoadCases {
  const ordinary = ordinaryCases(settings);
  const own = chosenLoadCases(settings);
  if (ordinary.length + own.length > 0) return { ordinary, own };
  throw new UsageError('No cases selected: --only and --skip exclude all of them.', { code: 'NO_CASES' });
}

/** The report of a recording. `end`: known once all events were read. */
export async function judgeRecordedLoad(
  start: LoadStart,
  recorded: { readonly events: AsyncIterable<LoadEvent>; readonly end: () => LoadEnd },
  excuses?: Excuses,
): Promise<Report> {
  const cases = loadCases(start.settings);
  const book = new LoadBook(start, cases.ordinary, {});
  for await (const event of recorded.events) book.replay(event);
  return reportOnBook(book, { ...start, ...recorded.end(), cases }, excuses);
}

export async function runLoad(
  settings: Settings,
  keys: Keys,
  setup: LoadSetup,
  hooks: LoadHooks = {},
): Promise<Report> {
  const { ordinary, own } = loadCases(settings);
  const startedAt = Date.now();
  const time = AbortSignal.timeout(settings.timeouts.run);
  const signal = AbortSignal.any([time, ...(hooks.signal ? [hooks.signal] : [])]);
  // Every pending call listens to it.
  setMaxListeners(0, signal);
  const { vault, upstream } = setup;
  const { onWait, onAwait } = hooks;
  const wire = { redactor: vault.redactor, encodings: LIGHT_ENCODINGS, ...(onAwait && { onAwait }) };
  const limits = { ...settings.limits, headers: Math.min(settings.limits.headers, MAX_HEADERS) };
  const open = (connections: number) => createTransport({ ...settings, limits, concurrency: connections }, keys, wire);
  const connections = new LoadConnections(open, settings.concurrency);
  const ledger = new Ledger(settings);
  try {
    const hang =
      settings.waitFor === undefined
        ? undefined
        : await waitUntilReady(connections.main, { ...LIST, key: 'full' }, { most: settings.waitFor, signal, onWait });
    const start: LoadStart = {
      settings,
      salt: setup.registry.salt,
      startedAt,
      ...(upstream && { upstreamUrl: upstream.url }),
    };
    const { onEvent } = hooks;
    hooks.onStart?.(start);
    const book = new LoadBook(start, ordinary, { registry: setup.registry, ...(onEvent && { onEvent }) });
    const run = new LoadRun({ settings, keys, setup, connections, ledger, signal, ordinary, own, hooks, book });
    const gathered = hang ? run.gathered(hang, { kind: 'not-asked' }) : await run.gather();
    const ending = hooks.signal?.aborted
      ? ({ kind: 'interrupted', ...ledger.silence } as const)
      : time.aborted
        ? ({ kind: 'budget', setting: 'max-time', underLoad: true, ...ledger.silence } as const)
        : withLimit(gathered.ending, settings);
    const { notices } = connections.main;
    const end: LoadEnd = {
      ...gathered,
      ending,
      used: ledger.used,
      refused: ledger.refused,
      notices,
      endedAt: Date.now(),
    };
    hooks.onEnd?.(end);
    return reportOnBook(book, { ...start, ...end, cases: { ordinary, own } }, hooks.excuses);
  } finally {
    await connections.close();
    await upstream?.close();
  }
}
