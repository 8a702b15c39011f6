/** Judges what was gathered at both ends. Pure: the same evidence and settings give the same verdicts. */
import type { Contract } from '../../contract/contract.ts';
import type { Settings } from '../../settings.ts';
import { inconclusive, skipped } from '../../verdict/finding.ts';
import { verdictOn } from '../../verdict/judge.ts';
import type { CheckResult, Verdict } from '../../verdict/verdict.ts';
import type { RelayTraffic } from '../../exchange/relay-traffic.ts';
import { canCompareModels, namedModels } from '../named-models.ts';
import type { ReadExpectation, RelayCase } from '../relay-case.ts';
import { type Asked, readAsked, readUpstreamCall } from './both-ends.ts';
import { RELAY_CHECKS } from './checks.ts';
import type { CaseEvidence, RelayCheck, RelayRun } from './relay-check.ts';

export interface RelayJudging {
  readonly cases: readonly RelayCase[];
  readonly contract: Contract;
  readonly settings: Settings;
  readonly hasSecondKey: boolean;
}

export function judgeRelay(traffic: RelayTraffic, judging: RelayJudging): readonly Verdict[] {
  const { contract, settings, hasSecondKey } = judging;
  const run = readRun(traffic, judging);
  const requests = new Map([...traffic.front, ...traffic.upstream].map(({ id, request }) => [id, request]));
  return run.cases.flatMap((evidence) =>
    evidence.case.expect.map((expectation) => {
      const clause = contract.clause(expectation.clause);
      if (!clause || clause.level === 'none') throw new Error(`${expectation.clause} cannot be judged`);
      const level = settings.levels[clause.id] ?? clause.level;
      return verdictOn(
        { case: evidence.case.id, clause, level, check: expectation.check },
        resultOf(expectation, evidence, run, hasSecondKey),
        evidence.asked.map(({ front }) => front.id),
        { asked: (exchange) => requests.get(exchange), strict: settings.strict },
      );
    }),
  );
}

export function readRun(
  traffic: RelayTraffic,
  { cases, contract, settings }: Pick<RelayJudging, 'cases' | 'contract' | 'settings'>,
): RelayRun {
  const calls = traffic.upstream.map(readUpstreamCall);
  const asked = traffic.front
    .filter(({ request }) => request.endpoint === 'chat')
    .map((front) =>
      readAsked(
        front,
        calls.filter(({ exchange }) => exchange.cause === front.id),
      ),
    );
  const byId = new Map(asked.map((question) => [question.front.id, question]));
  return {
    traffic,
    contract,
    settings,
    cases: cases.map((testCase) => evidenceOf(testCase, traffic, byId)),
    asked,
    calls,
    byMark: new Map(calls.flatMap((call) => [...call.marks].map((mark) => [mark, call] as const))),
  };
}

function evidenceOf(testCase: RelayCase, traffic: RelayTraffic, byId: ReadonlyMap<string, Asked>): CaseEvidence {
  const known = traffic.cases.find(({ case: id }) => id === testCase.id);
  return {
    case: testCase,
    asked: (known?.asked ?? []).flatMap((id) => byId.get(id) ?? []),
    control: known?.control ?? 'unanswered',
    ...(known?.unrecovered !== undefined && { unrecovered: known.unrecovered }),
  };
}

function resultOf(
  expectation: ReadExpectation,
  evidence: CaseEvidence,
  run: RelayRun,
  hasSecondKey: boolean,
): CheckResult {
  const { calls } = evidence.case;
  const { model, ending } = run.traffic;
  if (calls === 'two-keys' && !hasSecondKey) return skipped({ kind: 'needs', settings: ['second-key'] });
  if ((calls === 'silence' || calls === 'idle') && !run.settings.patient) {
    return skipped({ kind: 'needs', settings: ['patient'] });
  }
  if (calls === 'models' && !canCompareModels(namedModels(run.settings))) {
    return skipped({ kind: 'needs', settings: ['upstream-model'] });
  }
  if (model === undefined) return inconclusive({ kind: 'run-ended', ending });
  if (calls !== 'none' && evidence.asked.length === 0) {
    if (ending.kind === 'complete') return inconclusive({ kind: 'control-unanswered' });
    return inconclusive({ kind: 'run-ended', ending });
  }
  const check = (RELAY_CHECKS as Readonly<Record<string, RelayCheck>>)[expectation.check];
  if (!check) throw new Error(`There is no check ${expectation.check}.`);
  return check.execute(evidence, run, expectation);
}
