/** Judges what was gathered at both ends. Pure: the same evidence and settings give the same verdicts. */
import type { Contract } from '../../contract/contract.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Settings } from '../../settings.ts';
import { inconclusive, skipped } from '../../verdict/finding.ts';
import { verdictOn } from '../../verdict/judge.ts';
import type { CheckResult, Verdict } from '../../verdict/verdict.ts';
import type { CaseEvidence, Gathered } from '../evidence.ts';
import { exchangeOf, type UpstreamCall } from '../upstream/upstream-call.ts';
import { RELAY_CHECKS } from './checks.ts';
import type { RelayCheck, RelayRun } from './relay-check.ts';

export interface RelayJudgement {
  readonly verdicts: readonly Verdict[];
  /** The upstream's calls as exchanges, in the order of arrival. */
  readonly upstream: readonly Exchange[];
}

export function judgeRelay(
  gathered: Gathered,
  contract: Contract,
  settings: Settings,
  hasSecondKey: boolean,
): RelayJudgement {
  const exchanges = new Map<UpstreamCall, Exchange>();
  const run: RelayRun = {
    ...gathered,
    contract,
    byMark: new Map(gathered.calls.map((call) => [call.mark, call])),
    exchangeOf(call) {
      const known = exchanges.get(call) ?? exchangeOf(call, gathered.began, settings.limits.depth);
      exchanges.set(call, known);
      return known;
    },
  };
  const upstream = gathered.calls.map((call) => run.exchangeOf(call));
  const requests = new Map([...gathered.front, ...upstream].map(({ id, request }) => [id, request]));
  const verdicts = gathered.cases.flatMap((evidence) =>
    evidence.case.expect.map((expectation) => {
      const clause = contract.clause(expectation.clause);
      if (!clause || clause.level === 'none') throw new Error(`${expectation.clause} cannot be judged`);
      const level = settings.levels[clause.id] ?? clause.level;
      const result = resultOf(expectation.check, evidence, run, hasSecondKey);
      return verdictOn(
        { case: evidence.case.id, clause, level, check: expectation.check },
        result,
        evidence.asked.map(({ front }) => front.id),
        { asked: (exchange) => requests.get(exchange), strict: settings.strict },
      );
    }),
  );
  return { verdicts, upstream };
}

function resultOf(name: string, evidence: CaseEvidence, run: RelayRun, hasSecondKey: boolean): CheckResult {
  const { calls } = evidence.case;
  if (calls === 'two-keys' && !hasSecondKey) return skipped({ kind: 'needs', settings: ['second-key'] });
  if (run.model === undefined) return inconclusive({ kind: 'run-ended', ending: run.ending });
  if (calls !== 'none' && evidence.asked.length === 0) {
    if (run.ending.kind === 'complete') return inconclusive({ kind: 'control-unanswered' });
    return inconclusive({ kind: 'run-ended', ending: run.ending });
  }
  const check = (RELAY_CHECKS as Readonly<Record<string, RelayCheck>>)[name];
  if (!check) throw new Error(`There is no check ${name}.`);
  return check.execute(evidence, run);
}
