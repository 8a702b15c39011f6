/** The whole flow: contract → suite → plan → exchange → verdict → report. */
import { checkGiven } from './check-address.ts';
import { pathOfPage } from '../contract/package-files.ts';
import { contractOf } from '../contract/profile/apply-profile.ts';
import { type ExecuteHooks, executePlan } from '../gather/walk/execute.ts';
import type { Hooks } from '../exchange/channel/hooks.ts';
import type { Traffic } from '../exchange/traffic.ts';
import { addSamples } from '../plan/add-samples.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { Plan } from '../plan/plan.ts';
import type { Recorder } from '../recording/write-recording.ts';
import { applyExcuses, type Excuses } from '../report/excuses/apply-excuses.ts';
import { countsAsFailed } from '../report/counts.ts';
import { dayOf, reportOnGateway } from '../report/make-report.ts';
import type { Report } from '../report/report.ts';
import { didYouMean } from '../text/suggestion.ts';
import type { Keys, Settings } from '../settings.ts';
import { EXTRA_KEYS, type ExtraKey, placeIn } from '../suite/case.ts';
import { contractOfSuites, loadRequests, loadRunSuites } from '../suite/read-suites.ts';
import { UsageError } from '../usage-error.ts';
import { CHECKS } from '../verdict/checks/index.ts';
import { type Checks, isOwnCheck } from '../verdict/check.ts';
import { judgeGateway } from '../verdict/judge.ts';

export interface RunHooks extends Hooks, Pick<ExecuteHooks, 'budget' | 'others' | 'connect'> {
  /** The checks that suites may name; your own stand beside the built-in ones: `{ ...CHECKS, 'acme/fast': … }`. */
  readonly checks?: Checks;
  /** Waivers and a baseline: what they excuse does not fail the run. */
  readonly excuses?: Excuses;
  /** Keeps everything as it happens, so that it can be judged again. */
  readonly recorder?: Recorder;
  /** Called after a stage that asked something, with the report of a run that was interrupted there. */
  readonly onStage?: (soFar: Report) => void;
}

/** What a run with these settings would send. Nothing is sent. */
export function plan(settings: Settings, extraKeys: readonly ExtraKey[] = [], checks: Checks = CHECKS): Plan {
  const contract = contractOfSuites(settings);
  const suites = loadRunSuites(settings.suites, contract);
  const made = makePlan({ suites, requests: loadRequests(contract), checks }, settings, extraKeys);
  const planned = addSamples(made, contract, settings, checks);
  for (const testCase of planned.cases) {
    const index = testCase.expect.findIndex(({ check }) => !Object.hasOwn(checks, check));
    const unknown = testCase.expect[index]?.check;
    if (unknown === undefined) continue;
    // The commands know no checks of users.
    const otherwise = isOwnCheck(unknown)
      ? ` Checks of your own need the library: ${pathOfPage('programs.md#checks-of-your-own')}`
      : '';
    const guess = didYouMean(unknown, Object.keys(checks)) || otherwise;
    const place = placeIn(testCase, 'expect', index);
    throw new UsageError(`${testCase.id} uses the unknown check "${unknown}".${guess}`, place);
  }
  return planned;
}

/** What was planned, and what came of it. Judging it costs nothing and can be done again. */
export interface Gathered {
  readonly plan: Plan;
  readonly traffic: Traffic;
}

/** Checks one deployment against the contract. Whatever the target does ends up in the report; only wrong settings throw. */
export async function run(settings: Settings, keys: Keys, hooks: RunHooks = {}): Promise<Report> {
  return judge(await gather(settings, keys, hooks), settings, hooks.checks, hooks.excuses);
}

export async function gather(settings: Settings, keys: Keys, hooks: RunHooks = {}): Promise<Gathered> {
  checkGiven(settings, keys);
  const extraKeys = EXTRA_KEYS.filter((role) => keys[role] !== undefined);
  const planned = plan(settings, extraKeys, hooks.checks);
  let answers = 0;
  const traffic = await executePlan(planned, settings, keys, {
    ...hooks,
    stopsAfter(soFar) {
      if (soFar.exchanges.length === answers) return false;
      answers = soFar.exchanges.length;
      const interrupted = { plan: planned, traffic: { ...soFar, ending: { kind: 'interrupted' } } } as const;
      hooks.onStage?.(judge(interrupted, settings, hooks.checks, hooks.excuses));
      return settings.bail && hasFailed({ plan: planned, traffic: soFar }, settings, hooks);
    },
  });
  hooks.recorder?.end(traffic);
  return { plan: planned, traffic };
}

function hasFailed({ plan: planned, traffic }: Gathered, settings: Settings, hooks: RunHooks): boolean {
  const { checks = CHECKS, excuses = {} } = hooks;
  const contract = contractOf(settings);
  const verdicts = judgeGateway(planned, traffic, { contract, settings, checks });
  const judgedOn = { today: dayOf(excuses, traffic), contractHash: contract.hash };
  return applyExcuses(verdicts, excuses, judgedOn).verdicts.some(countsAsFailed);
}

/** Judges what was gathered. Pure: the same traffic, settings and excuses give the same report. */
export function judge(
  { plan: planned, traffic }: Gathered,
  settings: Settings,
  checks: Checks = CHECKS,
  excuses: Excuses = {},
): Report {
  const contract = contractOf(settings);
  const verdicts = judgeGateway(planned, traffic, { contract, settings, checks });
  return reportOnGateway({ plan: planned, traffic, verdicts, contract, settings, excuses });
}
