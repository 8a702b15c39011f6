/** The whole flow under load: lists and a control alone, the ramp, a pause and a burst, recovery, halving, report. */

import { randomInt } from 'node:crypto';
import { contractOf } from '../../contract/profile/apply-profile.ts';
import { Channel } from '../../exchange/channel/channel.ts';
import { withLimit } from '../../exchange/explain-ending.ts';
import type { LoadEnd, LoadEvent, LoadStart } from '../../exchange/load-traffic.ts';
import { createVault } from '../../exchange/secrets/vault.ts';
import { LIGHT_ENCODINGS } from '../../exchange/transport/decompression.ts';
import { createTransport } from '../../exchange/transport/transport.ts';
import { LIST_REQUEST } from '../../exchange/channel/first-contact.ts';
import type { Ending } from '../../exchange/ending.ts';
import type { Excuses } from '../../report/excuses/apply-excuses.ts';
import type { Report } from '../../report/report.ts';
import type { Keys, Settings } from '../../settings.ts';
import { CallRegistry } from './call-registry.ts';
import { LoadConnections } from './send-call.ts';
import { LoadJudge } from './load-judge.ts';
import { type LoadHooks, LoadRun, type LoadSetup } from './load-run.ts';
import { chooseLoadCases } from './load-suite.ts';
import { reportOnLoad } from './report-on-load.ts';
import { startLoadUpstream } from './upstream-server.ts';
import { UPSTREAM_MODEL } from '../../scripted/scripted-server.ts';

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
  const vault = createVault(settings, keys, [UPSTREAM_MODEL]);
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

/** The report of a recording. `end`: known once all events were read. */
export async function judgeRecordedLoad(
  start: LoadStart,
  recorded: { readonly events: AsyncIterable<LoadEvent>; readonly end: () => LoadEnd },
  excuses?: Excuses,
): Promise<Report> {
  const cases = chooseLoadCases(start.settings);
  const judge = new LoadJudge(start, cases.ordinary, {});
  for await (const event of recorded.events) judge.replay(event);
  return reportOnLoad({ ...start, ...recorded.end(), cases, judge }, excuses);
}

export async function runLoad(
  settings: Settings,
  keys: Keys,
  setup: LoadSetup,
  hooks: LoadHooks = {},
): Promise<Report> {
  const cases = chooseLoadCases(settings);
  const { registry, vault, upstream } = setup;
  const { onAwait, onEvent } = hooks;
  const wire = { redactor: vault.redactor, encodings: LIGHT_ENCODINGS, ...(onAwait && { onAwait }) };
  const limits = { ...settings.limits, headers: Math.min(settings.limits.headers, MAX_HEADERS) };
  const open = (concurrency: number) => createTransport({ ...settings, limits, concurrency }, keys, wire);
  const connections = new LoadConnections(open, settings.concurrency);
  const channel = new Channel({ settings, keys, hooks, transport: connections.main });
  const { ledger, startedAt } = channel;
  try {
    await channel.awaitTarget(LIST_REQUEST);
    const start: LoadStart = {
      settings,
      salt: registry.salt,
      startedAt,
      ...(upstream && { upstreamUrl: upstream.url }),
    };
    hooks.onStart?.(start);
    const judge = new LoadJudge(start, cases.ordinary, { registry, ...(onEvent && { onEvent }) });
    const run = new LoadRun({ settings, keys, setup, connections, channel, cases, hooks, judge });
    const gathered = channel.ending ? run.gathered(channel.ending, { kind: 'not-asked' }) : await run.gather();
    const end: LoadEnd = {
      ...gathered,
      ending: withLimit(channel.signal.aborted ? endedEarly(channel) : gathered.ending, settings),
      used: ledger.used,
      refused: ledger.refused,
      notices: channel.notices,
      endedAt: Date.now(),
    };
    hooks.onEnd?.(end);
    return reportOnLoad({ ...start, ...end, cases, judge }, hooks.excuses);
  } finally {
    await connections.close();
    await upstream?.close();
  }
}

/** The user ended the run, or its time limit did. */
function endedEarly({ conclusion, ledger: { silence } }: Channel): Ending {
  if (conclusion.kind === 'budget') return { ...conclusion, underLoad: true, ...silence };
  return conclusion.kind === 'interrupted' ? { ...conclusion, ...silence } : conclusion;
}
