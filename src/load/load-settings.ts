/** The settings of a run under load, parsed. */
import type { RequestRules } from '../contract/contract.ts';
import { namedModels } from '../relay/named-models.ts';
import { LOAD_QUANTILES, LOAD_TIMES, type LoadBudget, MIX_KINDS, type MixKind } from '../report/load-report.ts';
import type { Settings } from '../settings.ts';
import { time } from '../settings/value-types.ts';
import { inert } from '../text/inert.ts';
import { UsageError } from '../usage-error.ts';
import { type MixOptions, violationsOf } from './mix.ts';

export const MAX_IN_FLIGHT = 256;
const DEFAULT_MIX: Readonly<Record<MixKind, number>> = { plain: 4, stream: 4, list: 1, refusal: 1 };
const MAX_WEIGHT = 100;

export type Budget = Omit<LoadBudget, 'result'>;

export interface LoadSettings {
  readonly stages: readonly number[];
  readonly mix: Readonly<Record<MixKind, number>>;
  /** Share of the calls, from 0 to 1. */
  readonly disconnects: number;
  readonly budgets: readonly Budget[];
}

export function readLoadSettings({ load, concurrency }: Pick<Settings, 'load' | 'concurrency'>): LoadSettings {
  const stages = load.stages.map((text) => readStage(text, concurrency));
  return {
    stages,
    mix: readMix(load.mix),
    disconnects: load.disconnects / 100,
    budgets: load.budgets.map(readBudget),
  };
}

/** Without limits, there is no value to refuse. */
export function mixToSend(settings: Settings, rules: RequestRules, hasOtherKey: boolean): MixOptions {
  const { mix, disconnects } = readLoadSettings(settings);
  const violations = violationsOf(rules);
  const sent = violations.length === 0 ? { ...mix, refusal: 0 } : mix;
  return { seed: settings.seed, mix: sent, disconnects, hasOtherKey, violations };
}

/** The model that the user names. */
export function modelToCall(settings: Settings, hasUpstream: boolean): string | undefined {
  return (hasUpstream ? namedModels(settings)[0]?.front : undefined) ?? settings.model;
}

function readStage(text: string, concurrency: number): number {
  const inFlight = /^\d+$/.test(text) ? Number(text) : 0;
  if (inFlight < 1 || inFlight > MAX_IN_FLIGHT) {
    throw new UsageError(`--stages has "${inert(text, 40)}": it must be a list of numbers from 1 to ${MAX_IN_FLIGHT}.`);
  }
  if (inFlight > concurrency) {
    throw new UsageError(`--stages has ${inFlight}, above --concurrency ${concurrency}: raise --concurrency.`, {
      code: 'CONFLICT',
    });
  }
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
