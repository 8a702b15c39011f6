/** The whole flow of an exploration: draws → plan → exchange → verdict → report. */
import type { Hooks, Progress } from '../../exchange/channel/hooks.ts';
import { type ExecuteHooks, executePlan } from '../walk/execute.ts';
import type { Traffic } from '../../exchange/traffic.ts';
import type { Excuses } from '../../report/excuses/apply-excuses.ts';
import { checkAddress, checkTransport } from '../../run/check-address.ts';
import type { Keys, Settings } from '../../settings.ts';
import type { Looking } from './find-causes.ts';
import { askTarget } from './ask-again.ts';
import { type AskingAgain, type ExploreTraffic, investigate } from './judge-explore.ts';
import { planExplore, type PlannedDraws } from './plan-explore.ts';
import type { Ends } from './relay/forwarding.ts';
import { type ExploreResult, reportOnExplore } from './report-on-explore.ts';

export interface ExploreProgress extends Progress {
  /** The draw whose cause is sought, once all were sent. */
  readonly looking?: Looking;
}

/** The upstream behind the gateway, if it is ours. */
export interface OwnUpstream extends Pick<Ends, 'callsOf'> {
  readonly hooks: Pick<ExecuteHooks, 'others' | 'unlistedModel' | 'stopsAfter' | 'onBegin'>;
  /** Waits until everything that arrived was answered. */
  readonly settle: () => Promise<void>;
  /** How the run ended, if the gateway answered without it, so that nothing could be compared. */
  readonly explain: (traffic: Traffic) => Traffic;
}

export interface ExploreHooks extends Hooks<ExploreProgress>, Pick<ExecuteHooks, 'connect' | 'recorder'> {
  readonly behind?: OwnUpstream;
  readonly excuses?: Excuses;
  /** Looks at the answers to all draws. It investigates them unless something else is given. */
  readonly look?: (made: PlannedDraws, soFar: Traffic, settings: Settings, asking: AskingAgain) => Promise<unknown>;
}

export async function runExplore(settings: Settings, keys: Keys, hooks: ExploreHooks = {}): Promise<ExploreResult> {
  const { made, ...gathered } = await gatherExplore(settings, keys, hooks);
  return reportOnExplore(made, gathered, settings, hooks.excuses);
}

/** Up to the answers. */
export async function gatherExplore(
  settings: Settings,
  keys: Keys,
  hooks: ExploreHooks,
): Promise<ExploreTraffic & { readonly made: PlannedDraws }> {
  checkTransport(checkAddress({ text: settings.baseUrl, name: 'The base URL' }), settings.allowHttp);
  const made = planExplore(settings);
  const { recorder, behind } = hooks;
  let progress: Progress | undefined;
  const traffic = await executePlan(made.plan, settings, keys, {
    ...hooks,
    onProgress: (latest) => {
      progress = latest;
      hooks.onProgress?.(latest);
    },
    furtherSteps: async (soFar, send) => {
      await behind?.settle();
      const ends = behind && { callsOf: behind.callsOf, soFar };
      const ask = askTarget(soFar, send, { settings, least: made.plan.least }, behind?.settle);
      const onLook = (looking: Looking): void => {
        const { requests, completions } = soFar().used;
        if (progress) hooks.onProgress?.({ ...progress, requests, completions, requestsExpected: requests, looking });
      };
      await (hooks.look ?? investigate)(made, soFar(), settings, { ask, ends, onLook });
    },
    ...behind?.hooks,
  });
  await behind?.settle();
  const calls = behind ? traffic.exchanges.flatMap((exchange) => behind.callsOf(exchange)) : [];
  for (const call of calls) recorder?.exchange(call);
  const explained = behind?.explain(traffic) ?? traffic;
  recorder?.end(explained);
  return { made, traffic: explained, calls };
}
