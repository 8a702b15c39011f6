/** The verdicts on a client: one on the clause of each scenario, and those on what it sent. */
import type { Contract, Level } from '../contract/contract.ts';
import type { ClientResult } from '../report/client-evidence.ts';
import { verdictOn } from '../verdict/judge.ts';
import { inconclusive } from '../verdict/finding.ts';
import type { CheckResult, Verdict } from '../verdict/verdict.ts';
import type { CallCheckName } from './call-check-names.ts';
import { isCallObservation, observeCalls, type ScenarioCalls } from './call-observations.ts';
import type { ClientTraffic, PlayedScenario } from '../exchange/client-traffic.ts';
import { askedCalls } from './asked-calls.ts';
import { checkOf } from './client-checks.ts';
import { outcomeOfScenario } from './outcome.ts';
import { REQUEST_CHECKS } from './request-checks.ts';
import { type CallMode, controlOf, endpointOf, isPlayable, type Scenario } from './scenario.ts';

export interface ClientJudgement {
  readonly verdicts: readonly Verdict[];
  /** By scenario; absent for those that were not played. */
  readonly results: ReadonlyMap<string, ClientResult>;
}

/** What is known about the calls that a client makes: whether it passes the control of the mode. */
export type ModeState = 'passes' | 'fails' | 'unsupported';

/** Undefined if the control was not played. */
export function modeState(
  mode: CallMode,
  all: readonly Scenario[],
  scenarios: readonly PlayedScenario[],
): ModeState | undefined {
  const control = controlOf(mode, all);
  const played = playedAs(control.id, scenarios);
  if (played === undefined) return undefined;
  if (played.answer.kind === 'unsupported' || askedCalls(played, mode).length === 0) return 'unsupported';
  return outcomeOfScenario(played, control).result === 'pass' ? 'passes' : 'fails';
}

function playedAs(id: string | undefined, played: readonly PlayedScenario[]): PlayedScenario | undefined {
  return played.find(({ scenario }) => scenario === id);
}

export interface JudgeInput {
  readonly traffic: ClientTraffic;
  /** Those that were chosen. */
  readonly scenarios: readonly Scenario[];
  readonly all: readonly Scenario[];
  readonly contract: Contract;
  readonly levels: Readonly<Record<string, Level>>;
  readonly strict: boolean;
}

export function judgeClient(input: JudgeInput): ClientJudgement {
  const results = new Map<string, ClientResult>();
  const { played } = input.traffic;
  const verdicts = input.scenarios.map((scenario): Verdict => {
    const judge = judgeFor(scenario, input);
    const reason = whyNotJudged(scenario, input);
    const isUnsupported = reason?.kind === 'skipped' && reason.reason.kind === 'call-unsupported';
    if (isUnsupported) results.set(scenario.id, 'unsupported');
    if (reason !== undefined) return judge(reason, []);
    if (scenario.check !== undefined) {
      const { check, exchanges } = judgeCalls(scenario.check, input);
      results.set(scenario.id, check.kind === 'broken' ? 'bad-request' : 'pass');
      return judge(check, exchanges);
    }
    const own = playedAs(scenario.id, played);
    if (own === undefined || !isPlayable(scenario)) return judge(inconclusive({ kind: 'nothing-to-judge' }), []);
    const asked = askedCalls(own, scenario.mode);
    const { result, check } = outcomeOfScenario(own, scenario);
    results.set(scenario.id, result);
    return judge(
      check,
      (asked.length > 0 ? asked : own.exchanges).map(({ id }) => id),
    );
  });
  return { verdicts, results };
}

/** Of all scenarios that were played, those of broken requests first. */
function judgeCalls(
  name: CallCheckName,
  { traffic, all, contract }: JudgeInput,
): { readonly check: CheckResult; readonly exchanges: readonly string[] } {
  const { played } = traffic;
  if (isCallObservation(name)) return { check: observeCalls(name, playedScenarios(played, all)), exchanges: [] };
  const check = REQUEST_CHECKS[name](
    played.flatMap(({ exchanges }) => exchanges),
    contract,
  );
  const shown = check.kind === 'broken' ? check.findings.map(({ exchange }) => exchange) : [];
  return { check, exchanges: shown };
}

function playedScenarios(played: readonly PlayedScenario[], all: readonly Scenario[]): readonly ScenarioCalls[] {
  const byId = new Map(all.filter(isPlayable).map((scenario) => [scenario.id, scenario]));
  return played.flatMap((own) => {
    const scenario = byId.get(own.scenario);
    return scenario ? [{ played: own, scenario }] : [];
  });
}

type Judge = (result: CheckResult, exchanges: readonly string[]) => Verdict;

function judgeFor(scenario: Scenario, { contract, levels, strict }: JudgeInput): Judge {
  const { id, mode } = scenario;
  const check = checkOf(scenario);
  const clause = contract.clause(scenario.clause);
  if (!clause || clause.level === 'none') throw new Error(`${id} judges ${scenario.clause}, which cannot be judged`);
  const level = levels[clause.id] ?? clause.level;
  // The requests of a client are judged over all scenarios: a finding is the same in each of them.
  const asked =
    mode === undefined
      ? undefined
      : ({ endpoint: endpointOf(mode), mode: mode === 'stream' ? 'stream' : 'plain' } as const);
  return (result, exchanges) =>
    verdictOn({ case: id, clause, level, check }, result, exchanges, { asked: () => asked, strict });
}

type NotJudged = Extract<CheckResult, { kind: 'inconclusive' | 'skipped' }>;

function whyNotJudged(scenario: Scenario, input: JudgeInput): NotJudged | undefined {
  const { traffic, all } = input;
  const { ending, played } = traffic;
  const isOver = ending.kind === 'client-failed-control' || ending.kind === 'client-not-started';
  const isMissing = scenario.mode === undefined ? played.length === 0 : playedAs(scenario.id, played) === undefined;
  if (isOver || (ending.kind !== 'complete' && isMissing)) {
    return { kind: 'inconclusive', reason: { kind: 'run-ended', ending } };
  }
  if (scenario.mode === undefined) return undefined;
  const state = modeState(scenario.mode, all, played);
  if (state === 'unsupported') return { kind: 'skipped', reason: { kind: 'call-unsupported' } };
  const control = controlOf(scenario.mode, all);
  const simpler = state === 'fails' && control.id !== scenario.id ? control : failedBasis(scenario, input);
  return (
    simpler && { kind: 'skipped', reason: { kind: 'see-clause', because: 'simplest-call', clause: simpler.clause } }
  );
}

/** The simpler scenario that the client already fails. One that was not chosen says nothing. */
function failedBasis({ basis }: Scenario, { traffic, all }: JudgeInput): Scenario | undefined {
  const played = playedAs(basis, traffic.played);
  const simpler = all.filter(isPlayable).find(({ id }) => id === basis);
  if (!played || !simpler) return undefined;
  return outcomeOfScenario(played, simpler).check.kind === 'broken' ? simpler : undefined;
}
