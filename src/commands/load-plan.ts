/** `wirecheck load … --plan`: the stages and the most that a run can cost. Nothing is sent. */

import type { MixOptions } from '../load/calls.ts';
import { PAUSE, planLoad, readLoadSettings, type StagePlan } from '../load/plan-load.ts';
import { PROFILES, USUAL_PROFILES } from '../load/profiles.ts';
import type { Settings } from '../settings.ts';

/** What `--json` prints. Times are in milliseconds. */
interface ShownLoadPlan {
  readonly baseUrl: string;
  readonly stages: readonly StagePlan[];
  /** Without calls, before the burst. */
  readonly pause: number;
  /** At most, with one call in flight. */
  readonly recovery: number;
  readonly mix: MixOptions['mix'];
  readonly seed: number;
  /** At most. Zero where the scripted upstream answers. */
  readonly cost: { readonly completions: number; readonly completionTokens: number };
}

export function describeLoadPlan(settings: Settings): ShownLoadPlan {
  const { baseUrl, relay, seed, maxCompletions = 0 } = settings;
  const plan = planLoad(settings);
  const highest = Math.max(...plan.ramp.map(({ inFlight }) => inFlight));
  const completions = relay.upstreamPort === undefined ? maxCompletions : 0;
  const tokens = Math.max(...USUAL_PROFILES.map((name) => PROFILES[name].maxTokens));
  return {
    baseUrl,
    stages: [...plan.ramp, plan.burst(highest)],
    pause: PAUSE,
    recovery: relay.recovery,
    mix: readLoadSettings(settings).mix,
    seed,
    cost: { completions, completionTokens: completions * tokens },
  };
}

/** `contract`: by which the answers are judged, if not by v1 as it is. */
export function formatLoadPlan(
  { baseUrl, stages, pause, recovery, mix, seed, cost }: ShownLoadPlan,
  contract: readonly string[],
): string {
  const rows = stages.map(({ phase, inFlight, least, most, mostCalls: calls }) => {
    const name =
      phase === 'burst' ? `${inFlight} in flight, after ${pause / 1000} s without calls` : `${inFlight} in flight`;
    const time = least === most ? seconds(least) : `${seconds(least)} to ${seconds(most)}`;
    return `  ${name}: ${time}${calls === undefined ? '' : `, at most ${calls.toLocaleString('en')} calls`}\n`;
  });
  const shares = Object.entries(mix).map(([kind, weight]) => `${kind}=${weight}`);
  return [
    `Load on ${baseUrl}\n`,
    ...contract.map((line) => `${line}\n`),
    ...rows,
    `  then 1 in flight until it recovers, at most ${seconds(recovery)}\n`,
    `Mix ${shares.join(',')}, seed ${seed}\n`,
    `${formatCost(cost)}\n`,
    'Nothing was sent.\n',
  ].join('');
}

function formatCost({ completions, completionTokens }: ShownLoadPlan['cost']): string {
  if (completions === 0) return 'Nothing is charged: the scripted upstream answers.';
  const most = completionTokens.toLocaleString('en');
  return `At most ${completions.toLocaleString('en')} charged completions, with at most ${most} completion tokens`;
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 100) / 10} s`;
}
