/** The whole flow with both ends: cases → upstream → asking → report. */
import type { Hooks } from '../../exchange/channel/hooks.ts';
import { createVault, type Vault } from '../../exchange/secrets/vault.ts';
import type { CheckedRelay } from '../../exchange/traffic.ts';
import type { Excuses } from '../../report/excuses/apply-excuses.ts';
import type { Report } from '../../report/report.ts';
import { UPSTREAM_MODEL } from '../../scripted/scripted-server.ts';
import type { Keys, Settings } from '../../settings.ts';
import { UsageError } from '../../usage-error.ts';
import { gatherBothEnds } from './ask/gather.ts';
import { chosenCases } from './load-relay-suite.ts';
import { namedModels } from './named-models.ts';
import { reportOnRelay } from './report-on-relay.ts';
import { startUpstream, type Upstream } from './upstream.ts';

export interface RelayHooks extends Hooks {
  readonly excuses?: Excuses;
  /** Called with everything that the report is made of. */
  readonly onGathered?: (checked: CheckedRelay) => void;
}

/** An upstream that listens, and the secrets of the run that it belongs to. */
export interface RelayUpstream {
  readonly upstream: Upstream;
  readonly vault: Vault;
}

/** Milliseconds after which the upstream of a patient run closes idle connections, as common servers do. */
const IDLE = 5_000;

/** Start it before the gateway needs it. `runRelay` closes it. */
export async function startRelayUpstream(settings: Settings, keys: Keys, port?: number): Promise<RelayUpstream> {
  const { upstreamPort, upstreamHost, pace = 1 } = settings.relay;
  const names = namedModels(settings).flatMap(({ front, upstream = front }) => [front, upstream]);
  const vault = createVault(settings, keys, [UPSTREAM_MODEL, ...names]);
  const upstream = await startUpstream({
    host: upstreamHost,
    port: port ?? upstreamPort ?? 0,
    vault,
    ...(settings.patient && { idleMs: IDLE * pace }),
  });
  return { upstream, vault };
}

/** Judges the gateway at the base URL, which calls this upstream. */
export async function runRelay(
  settings: Settings,
  keys: Keys,
  { upstream, vault }: RelayUpstream,
  hooks: RelayHooks = {},
): Promise<Report> {
  const cases = chosenCases(settings);
  if (cases.length === 0)
    throw new UsageError('No cases selected: --only and --skip exclude all of them.', { code: 'NO_CASES' });
  try {
    const traffic = await gatherBothEnds(cases, { settings, keys, upstream, vault }, hooks);
    const checked = { settings, hasSecondKey: keys.second !== undefined, upstreamUrl: upstream.url, traffic };
    hooks.onGathered?.(checked);
    return reportOnRelay(checked, hooks.excuses);
  } finally {
    await upstream.close();
  }
}
