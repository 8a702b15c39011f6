/** Judges what was gathered at both ends. Pure: the same evidence and settings give the same verdicts. */
import type { Contract } from '../../../contract/contract.ts';
import type { RelayTraffic } from '../../../exchange/traffic.ts';
import type { Settings } from '../../../settings.ts';
import { inconclusive, skipped } from '../../../verdict/check-result.ts';
import { judgeCases } from '../../../verdict/judge-cases.ts';
import type { NotJudged, Verdict } from '../../../verdict/verdict.ts';
import { canCompareModels, namedModels } from '../named-models.ts';
import type { RelayCase } from '../relay-case.ts';
import { type CaseEvidence, type RelayCheck, type RelayRun } from './relay-check.ts';
import { type Asked, readAsked, readUpstreamCall } from './both-ends.ts';
import { REPLY_CHECKS } from './replies.ts';
import { FORWARDING_CHECKS } from './forwarding.ts';
import { SEEN_RELAY_CHECKS } from './observations.ts';
import { FAILURE_CHECKS } from './failures.ts';
import { RELAY_KEY_CHECKS } from './keys.ts';
import { FRONT_CHECKS } from './front.ts';

interface RelayJudging {
  readonly cases: readonly RelayCase[];
  readonly contract: Contract;
  readonly settings: Settings;
  readonly hasSecondKey: boolean;
}

export function judgeRelay(traffic: RelayTraffic, judging: RelayJudging): readonly Verdict[] {
  const { contract, settings, hasSecondKey } = judging;
  const run = readRun(traffic, judging);
  const requests = new Map([...traffic.front, ...traffic.upstream].map(({ id, request }) => [id, request]));
  return judgeCases<CaseEvidence, RelayCheck>(run.cases, {
    contract,
    settings,
    checks: RELAY_CHECKS,
    whyNot: (evidence) => whyNotJudged(evidence, run, hasSecondKey),
    execute: (evidence, check, expectation) => ({
      result: check.execute(evidence, run, expectation),
      exchanges: evidence.asked.map(({ front }) => front.id),
    }),
    requestOf: (exchange) => requests.get(exchange),
  });
}

export function readRun(
  received: RelayTraffic,
  { cases, contract, settings }: Pick<RelayJudging, 'cases' | 'contract' | 'settings'>,
): RelayRun {
  // What the end of the run cut short answers no question.
  const traffic = { ...received, front: received.front.filter(({ givenUp }) => givenUp === undefined) };
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

function whyNotJudged(evidence: CaseEvidence, run: RelayRun, hasSecondKey: boolean): NotJudged | undefined {
  const { asked } = evidence;
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
  if (wasStopped(evidence, ending)) return inconclusive({ kind: 'run-ended', ending });
  if (calls === 'none' || asked.length > 0) return undefined;
  return inconclusive(ending.kind === 'complete' ? { kind: 'control-unanswered' } : { kind: 'run-ended', ending });
}

/** The end of the gateway is a finding of its own, and cut every answer under way. */
function wasStopped({ case: { id }, asked }: CaseEvidence, ending: RelayTraffic['ending']): boolean {
  if (ending.kind !== 'not-recovered' || !ending.isRefused || !ending.inFlight?.includes(id)) return false;
  return asked.some(({ reading }) => reading.kind === 'cut');
}

// All checks of both ends, by the name that `suites/relay.yaml` uses.

export const RELAY_CHECKS = {
  ...REPLY_CHECKS,
  ...FORWARDING_CHECKS,
  ...SEEN_RELAY_CHECKS,
  ...FAILURE_CHECKS,
  ...RELAY_KEY_CHECKS,
  ...FRONT_CHECKS,
} as const satisfies Record<string, RelayCheck>;
