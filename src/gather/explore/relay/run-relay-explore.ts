/** Explores a gateway with an upstream of ours behind it: nothing is charged, and what arrives is compared. */
import { endWithoutUpstream } from '../../../exchange/channel/first-contact.ts';
import type { Traffic } from '../../../exchange/traffic.ts';
import { CONTROL_STEP } from '../../../plan/plan.ts';
import { namedModels } from '../../relay/named-models.ts';
import { UPSTREAM_MODEL } from '../../../scripted/scripted-server.ts';
import type { Keys, Settings } from '../../../settings.ts';
import type { ExploreResult } from '../report-on-explore.ts';
import { type ExploreHooks, runExplore } from '../run-explore.ts';
import type { ExploreUpstream } from './upstream.ts';

/** Closes the upstream in the end. */
export async function runRelayExplore(
  settings: Settings,
  keys: Keys,
  upstream: ExploreUpstream,
  hooks: ExploreHooks = {},
): Promise<ExploreResult> {
  const { arrivals } = upstream;
  const behind = {
    unlistedModel: UPSTREAM_MODEL,
    redactor: upstream.vault.redactor,
    begin: (began: number) => arrivals.begin(began),
    settle: () => arrivals.settle(),
    callsOf: arrivals.during.bind(arrivals),
    isMissed: (soFar: Traffic) => arrivals.count === 0 && soFar.exchanges.some(({ step }) => step === CONTROL_STEP),
    explain: (traffic: Traffic) => (arrivals.count === 0 ? withoutCalls(traffic, upstream) : traffic),
  };
  try {
    return await runExplore(withUpstream(settings, upstream), keys, { ...hooks, behind });
  } finally {
    await upstream.close();
  }
}

/** One request at a time, so that everybody knows which one a call belongs to. */
function withUpstream(settings: Settings, { url }: ExploreUpstream): Settings {
  const { explore, relay } = settings;
  const [named] = namedModels(settings);
  return {
    ...settings,
    concurrency: 1,
    relay: { ...relay, upstreamPort: Number(new URL(url).port) },
    ...(named && { model: named.front }),
    ...(explore && { explore: { ...explore, upstreamUrl: url } }),
  };
}

/** Whoever answers without a call has another upstream. */
function withoutCalls(traffic: Traffic, upstream: ExploreUpstream): Traffic {
  const { ending, exchanges, bindings } = traffic;
  const control = exchanges.find(({ step }) => step === CONTROL_STEP);
  if (!control || (ending.kind !== 'complete' && ending.kind !== 'bailed')) return traffic;
  const others = upstream.others.map(({ method, path }) => `${method} ${path}`);
  return {
    ...traffic,
    ending: endWithoutUpstream(control, { upstream: upstream.url, model: bindings.model ?? UPSTREAM_MODEL, others }),
  };
}
