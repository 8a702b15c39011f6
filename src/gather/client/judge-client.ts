/** The verdicts on a client: one on the clause of each scenario, and those on what it sent. */
import type { PlayedScenario } from '../../exchange/traffic.ts';
import type { ClientResult } from '../../report/report.ts';
import type { Settings } from '../../settings.ts';
import { inconclusive, skipped } from '../../verdict/check-result.ts';
import { judgeCases } from '../../verdict/judge-cases.ts';
import type { CheckResult, NotJudged, Verdict } from '../../verdict/verdict.ts';
import { askedCalls, outcomeOfScenario } from './outcome.ts';
import { CLIENT_CHECKS, type ClientRun, type ScenarioCheck, type ScenarioEvidence } from './client-checks.ts';
import { type CallMode, controlOf, endpointOf, isPlayable, type Scenario } from './scenario.ts';

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

export function playedAs(id: string | undefined, played: readonly PlayedScenario[]): PlayedScenario | undefined {
  return played.find(({ scenario }) => scenario === id);
}

/** `chosen`: the scenarios to judge. */
export function judgeClient(
  run: ClientRun,
  chosen: readonly Scenario[],
  settings: Pick<Settings, 'strict'>,
): readonly Verdict[] {
  const cases = chosen.map((scenario): ScenarioEvidence => {
    const played = playedAs(scenario.id, run.traffic.played);
    return { case: scenario, ...(played && { played }) };
  });
  return judgeCases<ScenarioEvidence, ScenarioCheck>(cases, {
    contract: run.contract,
    settings,
    checks: CLIENT_CHECKS,
    whyNot: (evidence) => whyNotJudged(evidence, run),
    execute: (evidence, check) => {
      const result = check.execute(evidence, run);
      return { result, exchanges: exchangesShown(evidence, result) };
    },
    // The requests of a client are judged over all scenarios: a finding is the same in each of them.
    requestOf: (_exchange, { case: { mode } }) =>
      mode && { endpoint: endpointOf(mode), mode: mode === 'stream' ? 'stream' : 'plain' },
  });
}

/** The calls of a scenario; where those of all scenarios were judged, the ones with a finding. */
function exchangesShown({ case: { mode }, played }: ScenarioEvidence, result: CheckResult): readonly string[] {
  if (mode === undefined) return result.kind === 'broken' ? result.findings.map(({ exchange }) => exchange) : [];
  if (!played) return [];
  const asked = askedCalls(played, mode);
  return (asked.length > 0 ? asked : played.exchanges).map(({ id }) => id);
}

/** The result in a word; undefined for a scenario that was not judged. */
export function resultOf(
  scenario: Scenario,
  played: PlayedScenario | undefined,
  { reason, findings }: Pick<Verdict, 'reason' | 'findings'>,
): ClientResult | undefined {
  if (reason?.kind === 'call-unsupported') return 'unsupported';
  if (reason?.kind === 'run-ended' || (reason?.kind === 'see-clause' && reason.because === 'simplest-call'))
    return undefined;
  if (isPlayable(scenario)) return played && outcomeOfScenario(played, scenario).result;
  return findings.length > 0 ? 'bad-request' : 'pass';
}

function whyNotJudged({ case: scenario, played }: ScenarioEvidence, run: ClientRun): NotJudged | undefined {
  const { traffic, scenarios } = run;
  const { ending } = traffic;
  const isOver = ending.kind === 'client-failed-control' || ending.kind === 'client-not-started';
  const isMissing = scenario.mode === undefined ? traffic.played.length === 0 : played === undefined;
  if (isOver || (ending.kind !== 'complete' && isMissing)) return inconclusive({ kind: 'run-ended', ending });
  if (scenario.mode === undefined) return undefined;
  const state = modeState(scenario.mode, scenarios, traffic.played);
  if (state === 'unsupported') return skipped({ kind: 'call-unsupported' });
  const control = controlOf(scenario.mode, scenarios);
  const simpler = state === 'fails' && control.id !== scenario.id ? control : failedBasis(scenario, run);
  return simpler && skipped({ kind: 'see-clause', because: 'simplest-call', clause: simpler.expect[0].clause });
}

/** The simpler scenario that the client already fails. One that was not chosen says nothing. */
function failedBasis({ basis }: Scenario, { traffic, scenarios }: ClientRun): Scenario | undefined {
  const played = playedAs(basis, traffic.played);
  const simpler = scenarios.filter(isPlayable).find(({ id }) => id === basis);
  if (!played || !simpler) return undefined;
  return outcomeOfScenario(played, simpler).check.kind === 'broken' ? simpler : undefined;
}
