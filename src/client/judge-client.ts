/** The verdicts on a client: one on the clause of each scenario, and those on what it sent. */
import type { Contract, Level } from '../contract/contract.ts';
import type { Ending } from '../exchange/ending.ts';
import type { ClientResult } from '../report/client-evidence.ts';
import { verdictOn } from '../verdict/judge.ts';
import { inconclusive } from '../verdict/finding.ts';
import type { CheckResult, Verdict } from '../verdict/verdict.ts';
import type { CallCheckName } from './call-check-names.ts';
import { isCallObservation, observeCalls } from './call-observations.ts';
import { outcomeOfScenario } from './outcome.ts';
import { isAsked, type PlayedScenario } from './play.ts';
import { REQUEST_CHECKS } from './request-checks.ts';
import type { CallMode, Outlook, Scenario } from './scenario.ts';
import { endpointOf } from './scenario-server.ts';

export interface ClientJudgement {
  readonly verdicts: readonly Verdict[];
  /** By scenario; absent for those that were not played. */
  readonly results: ReadonlyMap<string, ClientResult>;
}

/** What is known about the calls that a client makes: whether it passes the control of the mode. */
export type ModeState = 'passes' | 'fails' | 'unsupported';

export interface JudgeInput {
  readonly scenarios: readonly Scenario[];
  readonly played: ReadonlyMap<string, PlayedScenario>;
  readonly modes: ReadonlyMap<CallMode, ModeState>;
  /** The scenario that shows a mode at its simplest. */
  readonly controlOf: (mode: CallMode) => Scenario;
  readonly ending: Ending;
  readonly contract: Contract;
  readonly levels: Readonly<Record<string, Level>>;
  readonly strict: boolean;
}

const CHECK_OF: Readonly<Record<Outlook, string>> = {
  text: 'understands',
  failure: 'makes-known',
  either: 'records',
  calls: 'calls',
};

export function judgeClient(input: JudgeInput): ClientJudgement {
  const results = new Map<string, ClientResult>();
  const all = [...input.played.values()];
  const verdicts = input.scenarios.map((scenario): Verdict => {
    const judge = judgeFor(scenario, input);
    const reason = whyNotJudged(scenario, input);
    const isUnsupported = reason?.kind === 'skipped' && reason.reason.kind === 'call-unsupported';
    if (isUnsupported) results.set(scenario.id, 'unsupported');
    if (reason !== undefined) return judge(reason, []);
    if (scenario.check !== undefined) {
      const { check, exchanges } = judgeCalls(scenario.check, all, input.contract);
      results.set(scenario.id, check.kind === 'broken' ? 'bad-request' : 'pass');
      return judge(check, exchanges);
    }
    const played = input.played.get(scenario.id);
    if (played === undefined) return judge(inconclusive({ kind: 'nothing-to-judge' }), []);
    const asked = played.calls.filter(({ received }) => isAsked(received, played.scenario.mode));
    const { result, check } = outcomeOfScenario(played, asked.at(-1)?.exchange);
    results.set(scenario.id, result);
    return judge(
      check,
      (asked.length > 0 ? asked : played.calls).map(({ exchange }) => exchange.id),
    );
  });
  return { verdicts, results };
}

/** Of all scenarios that were played, those of broken requests first. */
function judgeCalls(
  name: CallCheckName,
  played: readonly PlayedScenario[],
  contract: Contract,
): { readonly check: CheckResult; readonly exchanges: readonly string[] } {
  if (isCallObservation(name)) return { check: observeCalls(name, played), exchanges: [] };
  const calls = played.flatMap((playedScenario) => playedScenario.calls);
  const check = REQUEST_CHECKS[name](calls, contract);
  const shown = check.kind === 'broken' ? check.findings.map(({ exchange }) => exchange) : [];
  return { check, exchanges: shown };
}

type Judge = (result: CheckResult, exchanges: readonly string[]) => Verdict;

function judgeFor(scenario: Scenario, { contract, levels, strict }: JudgeInput): Judge {
  const { id, mode, expect, check = CHECK_OF[expect] } = scenario;
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
  const { ending, modes, played } = input;
  const isOver = ending.kind === 'client-failed-control' || ending.kind === 'client-not-started';
  const isMissing = scenario.mode === undefined ? played.size === 0 : !played.has(scenario.id);
  if (isOver || (ending.kind !== 'complete' && isMissing)) {
    return { kind: 'inconclusive', reason: { kind: 'run-ended', ending } };
  }
  if (scenario.mode === undefined) return undefined;
  const state = modes.get(scenario.mode);
  if (state === 'unsupported') return { kind: 'skipped', reason: { kind: 'call-unsupported' } };
  const control = input.controlOf(scenario.mode);
  const simpler = state === 'fails' && control.id !== scenario.id ? control : failedBasis(scenario, input);
  return (
    simpler && { kind: 'skipped', reason: { kind: 'see-clause', because: 'simplest-call', clause: simpler.clause } }
  );
}

/** The simpler scenario that the client already fails. One that was not chosen says nothing. */
function failedBasis({ basis }: Scenario, { played }: JudgeInput): Scenario | undefined {
  const simpler = basis === undefined ? undefined : played.get(basis);
  if (simpler === undefined || outcomeOfScenario(simpler, undefined).check.kind !== 'broken') return undefined;
  return simpler.scenario;
}
