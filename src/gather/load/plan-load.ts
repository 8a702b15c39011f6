/** What a run under load sends and judges, from its settings: its stages, its mix and its cases. */
import { once } from '../../once-per.ts';
import { replaceClauses } from '../../contract/assemble-contract.ts';
import type { Contract } from '../../contract/contract.ts';
import { checkFile } from '../../contract/file-schema.ts';
import { loadContract } from '../../contract/read-contract.ts';
import { readPackageFile } from '../../contract/package-files.ts';
import { type ChosenContract, contractOf } from '../../contract/profile/apply-profile.ts';
import { parseYaml } from '../../contract/yaml/yaml-document.ts';
import { isSelected } from '../../plan/select.ts';
import {
  LOAD_QUANTILES,
  LOAD_TIMES,
  type LoadBudget,
  type LoadPhase,
  MIX_KINDS,
  type MixKind,
} from '../../report/load-report.ts';
import type { Settings } from '../../settings.ts';
import { time } from '../../settings/value-types.ts';
import { type AnyCase, type Case, isSelection } from '../../suite/case.ts';
import { loadSuites } from '../../suite/read-suites.ts';
import { readCases, readExpectation } from '../../suite/read-cases.ts';
import { inert } from '../../text/layout.ts';
import { UsageError, usageError } from '../../usage-error.ts';

export interface LoadPlan {
  /** The setting that limits the calls of each stage, if one does. */
  readonly limitedBy?: 'max-completions' | 'max-requests';
  readonly ramp: readonly StagePlan[];
  /** After the pause. `highest`: calls in flight of the highest stage that was reached. */
  burst(highest: number): StagePlan;
  /** With two upstreams: a stage of the ramp once more, while one of them fails. */
  failover?(stage: StagePlan): StagePlan;
}

/** Every call may be charged, so that a limit on completions limits the calls of each stage. */
export function planLoad(settings: Settings): LoadPlan {
  const { concurrency, load, relay, maxCompletions = Infinity, maxRequests = Infinity } = settings;
  const mostCalls = Math.min(maxCompletions, maxRequests);
  const isLimited = Number.isFinite(mostCalls);
  const limits = { duration: load.duration, ...(isLimited && { mostCalls }) };
  const limitedBy = mostCalls === maxCompletions ? 'max-completions' : 'max-requests';
  const { stages } = readLoadSettings(settings);
  const ramp = planRamp({ concurrency, stages, ...limits });
  const failover = (stage: StagePlan): StagePlan => ({
    ...stage,
    phase: 'failover',
    ...shareOfCalls(limits.mostCalls, FAILOVER_CALLS),
  });
  return {
    ...(isLimited && { limitedBy }),
    ramp,
    burst: (highest) => planBurst(highest, limits),
    ...(relay.fallbackPort !== undefined && { failover }),
  };
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

// The stages and their times.

/** One number of calls in flight, held for a while. Times are milliseconds. */
export interface StagePlan {
  readonly phase: LoadPhase;
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

/**
 * Milliseconds that calls in flight have once their stage should be over: as long as `--idle-timeout` by default, so that one
 * that is forgotten shows it. Then they are given up: a target may hang.
 */
export const DRAIN = 30_000;
/** Milliseconds of the search for the smallest load. */
export const MOST_HALVING = 20_000;

/** Milliseconds from the first stage to the end of the run, whatever the target does. `stages`: all that are planned. */
export function longestRun({ relay, timeouts, maxRetryWait }: Settings, stages: readonly StagePlan[]): number {
  const ofStages = stages.reduce((sum, { most }) => sum + most + DRAIN, 0);
  // One call at a time has as long between all stages as after them.
  const between = (stages.length - 1) * maxRetryWait + PAUSE + relay.recovery;
  const halving = relay.upstreamPort === undefined ? 0 : MOST_HALVING + DRAIN;
  return Math.min(timeouts.run, ofStages + between + relay.recovery + halving);
}

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
const FAILOVER_CALLS = 0.05;

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

// The cases: those of `suites/load.yaml`, and those of other suites that look at all answers.

const FILE = 'suites/load.yaml';

/** @title an expectation */
export interface LoadExpectation {
  /** Clause of schemas/load/clauses.yaml, or of two upstreams in schemas/relay/clauses.yaml. */
  readonly clause: string;
  /** A name of `LOAD_CHECKS`, which the file schema checks. */
  readonly check: string;
}

/** @title a case */
export interface LoadCaseEntry {
  /** @pattern ^[a-z0-9]+(-[a-z0-9]+)*$ */
  readonly id: string;
  /**
   * The row of the case in tables.
   *
   * @pattern ^(answers|requests|refusals|lists|afterwards)$
   */
  readonly area: string;
  /** @minLength 1 */
  readonly title: string;
  /** @minItems 1 */
  readonly expect: readonly LoadExpectation[];
}

/** Cases of wirecheck load: suites/load.yaml. */
export interface LoadSuiteFile {
  readonly suite: 'load';
  readonly title: string;
  /** @minItems 1 */
  readonly cases: readonly LoadCaseEntry[];
}

export const loadLoadCases = once((): readonly AnyCase[] => {
  const document = parseYaml(readPackageFile(FILE), FILE);
  checkFile('load-suite', document);
  const contract = replaceClauses(loadContract('load'), [
    ...loadContract('load').clauses,
    ...loadContract('relay').clauses,
  ]);
  const located = (document.value as LoadSuiteFile).cases.map((entry, index) => ({
    entry,
    path: ['cases', index],
    ids: [`load/${entry.id}`],
  }));
  return readCases(document, located, ({ id, area, title, expect }, place) => [
    {
      id: `load/${id}`,
      suite: area,
      title,
      source: place.at(),
      expect: expect.flatMap((each, index) => readExpectation({ ...each }, place.at('expect', index), contract)),
    },
  ]);
});

/**
 * They compare answers with each other, so their memory would grow with the run, or they judge what load judges itself:
 * words, and what a retry replaced.
 */
const NOT_UNDER_LOAD = ['chat/own-reply', 'chat/ids-differ', 'errors/passing-server-error'];

/** Cases of the other suites that look at all answers, without what is only observed: every answer is judged by them. */
export function ordinaryCases({
  only,
  skip,
  ...chosen
}: Pick<Settings, 'only' | 'skip'> & ChosenContract): readonly Case[] {
  const contract = contractOf(chosen);
  return loadSuites([], contract)
    .flatMap(({ cases }) => cases)
    .filter(({ id, over }) => over.length > 0 && over.every(isSelection) && !NOT_UNDER_LOAD.includes(id))
    .filter(({ id }) => isSelected({ only, skip }, id))
    .map((testCase) => ({
      ...testCase,
      expect: testCase.expect.filter(({ clause }) => contract.clause(clause)?.level !== 'observe'),
    }))
    .filter(({ expect }) => expect.length > 0);
}

/** Checks of times: load judges them by stage, since those of a busy one do not count (rule 36). */
const TIMED = ['stream-closes'];

export interface LoadCases {
  readonly ordinary: readonly Case[];
  readonly own: readonly AnyCase[];
}

/** Without what load judges itself. */
export function untimed(cases: readonly Case[]): readonly Case[] {
  return withExpectations(cases, (isTimed) => !isTimed);
}

/** What load judges itself: the own cases, and what others ask of times. */
export function judgedByLoad({ own, ordinary }: LoadCases): readonly AnyCase[] {
  return [...own, ...withExpectations(ordinary, (isTimed) => isTimed)];
}

function withExpectations(cases: readonly Case[], isMeant: (isTimed: boolean) => boolean): readonly Case[] {
  return cases
    .map((each) => ({ ...each, expect: each.expect.filter(({ check }) => isMeant(TIMED.includes(check))) }))
    .filter(({ expect }) => expect.length > 0);
}

/** The cases that `--only` and `--skip` leave. */
export function chooseLoadCases(settings: Settings): LoadCases {
  const hasBudgets = settings.load.budgets.length > 0;
  const isMeant: Readonly<Record<string, boolean>> = {
    [BUDGETS_CASE]: hasBudgets,
    [FALLBACK_CASE]: settings.relay.fallbackPort !== undefined,
  };
  const own = loadLoadCases().filter(({ id }) => isSelected(settings, id) && (isMeant[id] ?? true));
  const ordinary = ordinaryCases(settings);
  if (ordinary.length + own.length > 0) return { ordinary, own };
  throw usageError.NO_CASES('No cases selected: --only and --skip exclude all of them.');
}

const BUDGETS_CASE = 'load/budgets';
const FALLBACK_CASE = 'load/fallback';
/** Calls have unknown keys only if this case is chosen. */
export const UNKNOWN_KEY_CASE = 'load/unknown-key';

/** The clauses of load, and those of a relay and of a gateway's front that these cases judge, as the profile has them. */
export function loadContractUnder(chosen: ChosenContract, cases: readonly AnyCase[]): Contract {
  const [front, relay, load] = [contractOf(chosen), contractOf(chosen, 'relay'), contractOf(chosen, 'load')];
  const judged = new Set(cases.flatMap(({ expect }) => expect.map(({ clause }) => clause)));
  const others = [...relay.clauses, ...front.clauses].filter(({ id }) => judged.has(id));
  return replaceClauses(front, [...load.clauses, ...others]);
}
