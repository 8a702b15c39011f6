/** The stages of a run, from its settings. Pure. */
import type { Settings } from '../settings.ts';
import { readLoadSettings } from './load-settings.ts';
import { planBurst, planRamp, type StagePlan } from './ramp.ts';

export interface LoadPlan {
  /** The setting that limits the calls of each stage, if one does. */
  readonly limitedBy?: 'max-completions' | 'max-requests';
  readonly ramp: readonly StagePlan[];
  /** After the pause. `highest`: calls in flight of the highest stage that was reached. */
  burst(highest: number): StagePlan;
}

/** Every call may be charged, so that a limit on completions limits the calls of each stage. */
export function planLoad(settings: Settings): LoadPlan {
  const { concurrency, load, maxCompletions = Infinity, maxRequests = Infinity } = settings;
  const mostCalls = Math.min(maxCompletions, maxRequests);
  const limits = { duration: load.duration, ...(Number.isFinite(mostCalls) && { mostCalls }) };
  const { stages } = readLoadSettings(settings);
  return {
    ...(Number.isFinite(mostCalls) && {
      limitedBy: mostCalls === maxCompletions ? ('max-completions' as const) : ('max-requests' as const),
    }),
    ramp: planRamp({ concurrency, stages, ...limits }),
    burst: (highest) => planBurst(highest, limits),
  };
}
