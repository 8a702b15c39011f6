/** The whole flow of an exploration: draws → plan → exchange → verdict → report. */
import { contractOf } from '../contract/profile/apply-profile.ts';
import { type ExecuteHooks, executePlan } from '../exchange/execute.ts';
import type { Traffic } from '../exchange/traffic.ts';
import type { Excuses } from '../report/excuses/apply-excuses.ts';
import { checkAddress, checkTransport } from '../run/check-address.ts';
import type { Contract } from '../contract/contract.ts';
import type { Plan } from '../plan/plan.ts';
import type { Keys, Settings } from '../settings.ts';
import { askTarget, investigate } from './investigate.ts';
import { type ExplorePlan, planExplore } from './plan-explore.ts';
import { type ExploreResult, reportOnExplore } from './report-on-explore.ts';

export interface ExploreProgress {
  readonly requests: number;
  readonly requestsExpected: number;
  readonly completions: number;
}

/** What a recorder of gateways offers. */
interface ExploreRecorder {
  start(
    planned: { readonly plan: Plan; readonly settings: Settings; readonly contract: Contract },
    keys: Traffic['keys'],
    startedAt: number,
  ): void;
  exchange(exchange: Traffic['exchanges'][number]): void;
  amend(amendment: { readonly id: string; readonly controlAfter: 'answered' | 'unanswered' }): void;
  end(traffic: Traffic): void;
}

export interface ExploreHooks extends Pick<ExecuteHooks, 'signal' | 'connect' | 'onWait' | 'onAwait'> {
  onProgress?(progress: ExploreProgress): void;
  readonly excuses?: Excuses;
  readonly recorder?: ExploreRecorder;
}

export async function runExplore(settings: Settings, keys: Keys, hooks: ExploreHooks = {}): Promise<ExploreResult> {
  checkTransport(checkAddress({ text: settings.baseUrl, name: 'The base URL' }), settings.allowHttp);
  const made = planExplore(settings);
  const traffic = await gatherExplore(made, settings, keys, hooks);
  return reportOnExplore(made, traffic, settings, hooks.excuses);
}

async function gatherExplore(made: ExplorePlan, settings: Settings, keys: Keys, hooks: ExploreHooks): Promise<Traffic> {
  const { recorder } = hooks;
  const { plan } = made;
  const traffic = await executePlan(plan, settings, keys, {
    onStep: (_step, { requests, completions }) =>
      hooks.onProgress?.({ requests, completions, requestsExpected: Math.max(requests, plan.least.requests) }),
    furtherSteps: async (sofar, send) => {
      await investigate(made, sofar(), settings, askTarget(sofar, send, settings));
    },
    ...(hooks.signal && { signal: hooks.signal }),
    ...(hooks.connect && { connect: hooks.connect }),
    ...(hooks.onWait && { onWait: hooks.onWait }),
    ...(hooks.onAwait && { onAwait: hooks.onAwait }),
    ...(recorder && {
      onStart: (known, startedAt) =>
        recorder.start({ plan, settings, contract: contractOf(settings) }, known, startedAt),
      onExchange: (exchange) => recorder.exchange(exchange),
      onAmended: ({ id, controlAfter }) => controlAfter && recorder.amend({ id, controlAfter }),
    }),
  });
  recorder?.end(traffic);
  return traffic;
}
