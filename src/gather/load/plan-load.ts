/** The stages of a run, from its settings. Pure. */

import { LOAD_QUANTILES, LOAD_TIMES, type LoadBudget, MIX_KINDS, type MixKind } from '../../report/load-report.ts';
import type { Settings } from '../../settings.ts';
import { time } from '../../settings/value-types.ts';
import { inert } from '../../text/layout.ts';
import { UsageError, usageError } from '../../usage-error.ts';

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
  const isLimited = Number.isFinite(mostCalls);
  const limits = { duration: load.duration, ...(isLimited && { mostCalls }) };
  const limitedBy = mostCalls === maxCompletions ? 'max-completions' : 'max-requests';
  const { stages } = readLoadSettings(settings);
  const ramp = planRamp({ concurrency, stages, ...limits });
  return { ...(isLimited && { limitedBy }), ramp, burst: (highest) => planBurst(highest, limits) };
}

// The settings of a run under load, parsed.

const MAX_IN_FLIGHT = 256;
const DEFAULT_MIX: Readonly<Record<MixKind, number>> = { plain: 4, stream: 4, list: 1, refusal: 1 };
const MAX_WEIGHT = 100;

export type Budget = Omit<LoadBudget, 'result'>;

/** `disconnects`: share of the calls, from 0 to 1. */
export function readLoadSettings({ load, concurrency }: Pick<Settings, 'load' | 'concurrency'>) {
  const stages = load.stages.map((text) => readStage(text, concurrency));
  return { stages, mix: readMix(load.mix), disconnects: load.disconnects / 100, budgets: load.budgets.map(readBudget) };
}

function readStage(text: string, concurrency: number): number {
  const inFlight = /^\d+$/.test(text) ? Number(text) : 0;
  if (inFlight < 1 || inFlight > MAX_IN_FLIGHT) {
    throw new UsageError(`--stages has "${inert(text, 40)}": it must be a list of numbers from 1 to ${MAX_IN_FLIGHT}.`);
  }
  if (inFlight > concurrency)
    throw usageError.CONFLICT(`--stages has ${inFlight}, above --concurrency ${concurrency}: raise --concurrency.`);
  return inFlight;
}

function readMix(texts: readonly string[]): Readonly<Record<MixKind, number>> {
  if (texts.length === 0) return DEFAULT_MIX;
  const mix = { plain: 0, stream: 0, list: 0, refusal: 0 };
  for (const text of texts) {
    const [, kind = '', weight = ''] = /^([a-z]+)=(\d{1,3})$/.exec(text) ?? [];
    const known = MIX_KINDS.find((each) => each === kind);
    if (known === undefined || Number(weight) > MAX_WEIGHT) {
      throw new UsageError(
        `--mix has "${inert(text, 40)}": write shares from 0 to ${MAX_WEIGHT}, such as plain=4,stream=4,list=1,refusal=1.`,
      );
    }
    mix[known] = Number(weight);
  }
  if (mix.plain + mix.stream === 0) throw new UsageError('--mix has no plain calls and no streams: give one a share.');
  return mix;
}

function readBudget(text: string): Budget {
  const [, name, quantile, stage, limit = ''] = /^([a-z-]+)\.(p\d\d)(?:@(\d+))?=(.+)$/.exec(text) ?? [];
  const known = LOAD_TIMES.find((each) => each === name);
  const share = LOAD_QUANTILES.find((each) => each === quantile);
  const most = /^\d+$/.test(limit) ? undefined : time.parse(limit);
  if (known === undefined || share === undefined || most === undefined) {
    throw new UsageError(
      `--budget is "${inert(text, 60)}": write ${LOAD_TIMES.join(', ')}, a dot, ${LOAD_QUANTILES.join(', ')}, and a time, such as first-text.p50=800ms.`,
    );
  }
  return { time: known, quantile: share, most, ...(stage !== undefined && { inFlight: Number(stage) }) };
}

/** The stages of a run and their times. Pure. */

/** One number of calls in flight, held for a while. Times are milliseconds. */
export interface StagePlan {
  readonly phase: 'ramp' | 'burst' | 'halving' | 'during';
  readonly inFlight: number;
  /** It sends for this long, and up to `most` while a kind of call has too few answers. */
  readonly least: number;
  readonly most: number;
  /** Calls that it may start; absent: no limit but time. */
  readonly mostCalls?: number;
}

/** `duration`: of the whole ramp; `mostCalls`: of the whole run, if their number is limited. */
type Limits = { readonly duration: number; readonly mostCalls?: number | undefined };
/** `stages`: calls in flight of each; empty: powers of four up to `concurrency`. */
type RampOptions = Limits & { readonly concurrency: number; readonly stages: readonly number[] };

/** Nothing is sent for so long before the burst: longer than the 5 s after which servers close idle connections. */
export const PAUSE = 7_000;
/** The burst sends for this long. */
const BURST = 3_000;
/** Answers of each kind for which a stage takes longer than its share. */
export const ENOUGH_ANSWERS = 600;
const LONGEST = 2;
/** Shares of a limited number of calls. The rest is for controls. */
const RAMP_CALLS = 0.8;
const BURST_CALLS = 0.1;

/** 1, 4, 16, 64 for 64; 1, 4, 10 for 10. */
export function defaultStages(concurrency: number): readonly number[] {
  const stages: number[] = [];
  for (let inFlight = 1; inFlight < concurrency; inFlight *= 4) stages.push(inFlight);
  return [...stages, concurrency];
}

/** Stage 1 is always there: it is the control. The highest stage gets half of the time. */
export function planRamp({ concurrency, duration, stages, mostCalls }: RampOptions): readonly StagePlan[] {
  const asked = stages.length > 0 ? stages : defaultStages(concurrency);
  const rising = [...new Set([1, ...asked])].toSorted((a, b) => a - b);
  const others = rising.length - 1;
  return rising.map((inFlight, place) => {
    const share = others === 0 ? 1 : place === others ? 1 / 2 : 1 / 2 / others;
    const least = Math.round(duration * share);
    return { phase: 'ramp', inFlight, least, most: least * LONGEST, ...shareOfCalls(mostCalls, RAMP_CALLS * share) };
  });
}

/** A burst has as many calls at once as the highest stage that was reached. */
export function planBurst(inFlight: number, { duration, mostCalls }: Limits): StagePlan {
  const least = Math.min(BURST, duration);
  return { phase: 'burst', inFlight, least, most: least, ...shareOfCalls(mostCalls, BURST_CALLS) };
}

function shareOfCalls(mostCalls: number | undefined, share: number): Pick<StagePlan, 'mostCalls'> {
  return mostCalls === undefined ? {} : { mostCalls: Math.max(1, Math.floor(mostCalls * share)) };
}
