/** Judges what was gathered at both ends. Pure: the same evidence and settings give the same verdicts. */
import type { Contract } from '../../../contract/contract.ts';
import { contractOf } from '../../../contract/profile/apply-profile.ts';
import type { Exchange } from '../../../exchange/exchange.ts';
import { lastAnswer } from '../../../exchange/reading/answered.ts';
import type { CheckedRelay, RelayTraffic } from '../../../exchange/traffic.ts';
import { memberOf } from '../../../json.ts';
import { oncePer } from '../../../once-per.ts';
import type { Mode } from '../../../plan/plan.ts';
import type { Check, RunView } from '../../../verdict/check.ts';
import { inconclusive, skipped, noOccasion } from '../../../verdict/check-result.ts';
import { CHECKS } from '../../../verdict/checks/index.ts';
import { judgeCases } from '../../../verdict/judge-cases.ts';
import { jsonOf } from '../../../verdict/reading/answers.ts';
import { viewRun } from '../../../verdict/reading/pick-exchanges.ts';
import type { CheckResult, NotJudged, Verdict } from '../../../verdict/verdict.ts';
import {
  type FrontExpectation,
  type RelayCase,
  injectsFailure,
  loadRelayCases,
  missingFor,
} from '../read-relay-suite.ts';
import {
  type Asked,
  comparedCall,
  looksWhole,
  readAsked,
  readUpstreamCall,
  sourceOf,
  type UpstreamCall,
  usageSent,
} from './both-ends.ts';
import { FAILOVER_CHECKS } from './failover.ts';
import { FAILURE_CHECKS } from './failures.ts';
import { FORWARDING_CHECKS, RELAY_KEY_CHECKS } from './forwarding.ts';
import { SEEN_RELAY_CHECKS } from './observations.ts';
import { type CaseEvidence, relayCheck, type RelayCheck, type RelayRun } from './relay-check.ts';
import { REPLY_CHECKS } from './replies.ts';

export function judgeRelay(checked: CheckedRelay, cases: readonly RelayCase[], contract: Contract): readonly Verdict[] {
  const { traffic, settings, hasSecondKey } = checked;
  const run = readRun(checked, cases, contract);
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
  { traffic: received, settings }: Pick<CheckedRelay, 'traffic' | 'settings'>,
  cases: readonly RelayCase[],
  contract: Contract,
): RelayRun {
  // What the end of the run cut short answers no question.
  const traffic = { ...received, front: received.front.filter(({ givenUp }) => givenUp === undefined) };
  const calls = traffic.upstream.map(readUpstreamCall);
  const asked = traffic.front
    .filter(({ request }) => request.endpoint === 'chat')
    .map((front) => ({ front, own: calls.filter(({ exchange }) => exchange.cause === front.id) }))
    .map(({ front, own }) => readAsked(front, own));
  const byId = new Map(asked.map((question) => [question.front.id, question]));
  return {
    traffic,
    contract,
    settings,
    cases: cases.map((testCase) => evidenceOf(testCase, traffic, byId)),
    asked,
    calls,
    hasFallback: callsBoth(traffic.upstream),
    byMark: new Map(calls.flatMap((call) => [...call.marks].map((mark) => [mark, call] as const))),
  };
}

/** A gateway that calls one of two upstreams in no case of the run has no fallback. */
export function callsBoth(upstream: readonly Exchange[]): boolean {
  return new Set(upstream.flatMap(({ upstream: name }) => name ?? [])).size > 1;
}

function evidenceOf(testCase: RelayCase, { cases }: RelayTraffic, byId: ReadonlyMap<string, Asked>): CaseEvidence {
  const { asked, ...known } = cases.find(({ case: id }) => id === testCase.id) ?? { asked: [], control: 'unanswered' };
  return { ...known, case: testCase, asked: asked.flatMap((id) => byId.get(id) ?? []) };
}

function whyNotJudged(evidence: CaseEvidence, run: RelayRun, hasSecondKey: boolean): NotJudged | undefined {
  const { model, ending } = run.traffic;
  const setting = missingFor(evidence.case, run.settings, hasSecondKey);
  if (setting !== undefined) return skipped({ kind: 'needs', settings: [setting] });
  const isMissing = evidence.case.calls !== 'none' && evidence.asked.length === 0;
  if (model === undefined || wasStopped(evidence, ending) || (isMissing && ending.kind !== 'complete'))
    return inconclusive({ kind: 'run-ended', ending });
  return isMissing ? inconclusive({ kind: 'control-unanswered' }) : undefined;
}

/** The end of the gateway is a finding of its own, and cut every answer under way. */
function wasStopped({ case: { id }, asked }: CaseEvidence, ending: RelayTraffic['ending']): boolean {
  if (ending.kind !== 'not-recovered' || !ending.isRefused || !ending.inFlight?.includes(id)) return false;
  return asked.some(({ reading }) => reading.kind === 'cut');
}

// A gateway's own clauses, judged over its answers to the client by the checks of `wirecheck run`. Left out is what an odd
// upstream may have caused, and what a clause for relays already covers, so that each fault is reported once.

const front = relayCheck(
  "A clause of the gateway's own contract holds for its answers to the client.",
  (_evidence, run, { front: expectation }) => {
    if (!expectation) throw new Error('The check front needs a case of the gateway.');
    const compared = COMPARED.find(({ clauses }) => clauses.test(expectation.clause));
    const exchanges = selectAnswers(expectation, run, compared?.differs);
    if (exchanges.length > 0) return judgeFront(expectation, exchanges, answersOf(run).view);
    // If every answer breaks a clause for relays, it may still keep this one: dropped counts have no wrong type.
    const all = selectAnswers(expectation, run);
    const result = all.length === 0 ? undefined : judgeFront(expectation, all, answersOf(run).view);
    return result?.kind === 'holds' ? result : noOccasion('front-answer');
  },
);

function judgeFront(expectation: FrontExpectation, exchanges: readonly Exchange[], run: RunView): CheckResult {
  const { clause, check: name, options } = expectation;
  const check = (CHECKS as Readonly<Record<string, Check>>)[name];
  if (!check) throw new Error(`There is no check ${name}.`);
  return check.execute({ clause, options, exchanges, run });
}

/** Read once for a run: every clause needs the same. */
const answersOf = oncePer(readAnswers);

function readAnswers(run: RelayRun) {
  const { traffic, settings } = run;
  const bindings = { sample: [], replyTokens: 0, streamTokens: 0, briefTokens: 0, withoutMaxTokens: false };
  const seen = { ...traffic, exchanges: traffic.front, bindings, keys: [] };
  const view = viewRun(seen, contractOf(settings), settings);
  return {
    view,
    lists: traffic.front.filter(
      (exchange) => exchange.request.endpoint === 'models' && lastAnswer(exchange)?.status === 200,
    ),
    /** Replies of upstream calls that behaved properly. */
    replies: run.asked.filter((asked) => looksWhole(asked.reading) && hasProperSource(asked, view)),
    errors: withoutJudged(
      traffic.front.filter((exchange) => (lastAnswer(exchange)?.status ?? 0) >= 400),
      run,
    ),
  };
}

/** The call that gave the reply, even if its text was altered, kept all that is judged at the front. */
function hasProperSource(asked: Asked, view: RunView): boolean {
  const call = comparedCall(asked);
  return (
    call !== undefined &&
    !expectationsFor(call).some((each) => judgeFront(each, [call.exchange], view).kind === 'broken')
  );
}

const MODE_OF: Readonly<Record<string, Mode>> = { replies: 'plain', completions: 'plain', streams: 'stream' };

/** The whole suite counts: what is proper does not depend on the cases that were chosen. */
function expectationsFor({ exchange }: UpstreamCall): readonly FrontExpectation[] {
  return loadRelayCases()
    .flatMap(({ expect }) => expect.flatMap(({ front: own }) => own ?? []))
    .filter(({ over }) => over.some((selection) => MODE_OF[selection] === exchange.request.mode));
}

/**
 * `relay.failure-form` judges the errors that failures become. If it finds one that is wrong, the errors of cases that it
 * does not judge are wrong for the same reason.
 */
function withoutJudged(errors: readonly Exchange[], { cases, contract }: RelayRun): readonly Exchange[] {
  const isWrong = (exchange: Exchange): boolean => {
    const answer = lastAnswer(exchange);
    return answer !== undefined && contract.validate('v1/error', jsonOf(answer) ?? null).length > 0;
  };
  const answersTo = (some: readonly CaseEvidence[]): ReadonlySet<Exchange> =>
    new Set(some.flatMap(({ asked }) => asked.map(({ front: own }) => own)));
  const failures = cases.filter(({ case: testCase }) => injectsFailure(testCase));
  const formed = failures.filter(({ case: { expect } }) => expect.some(({ check }) => check === 'failure-form'));
  const judged = answersTo(formed);
  const covered = errors.some((exchange) => judged.has(exchange) && isWrong(exchange)) ? answersTo(failures) : judged;
  return errors.filter((exchange) => !covered.has(exchange) || !isWrong(exchange));
}

/** Whether a clause for relays already covers an answer. */
type IsCovered = (asked: Asked) => boolean;

function selectAnswers({ over }: FrontExpectation, run: RelayRun, isCovered?: IsCovered): readonly Exchange[] {
  const { lists, replies, errors } = answersOf(run);
  const left = replies.flatMap((asked) => (isCovered?.(asked) ? [] : [asked.front]));
  const ofMode = (mode: Mode): readonly Exchange[] => left.filter(({ request }) => request.mode === mode);
  return over.flatMap((selection) => {
    if (selection === '*') return [...lists, ...ofMode('plain'), ...ofMode('stream'), ...errors];
    if (selection === 'lists') return lists;
    return ofMode(MODE_OF[selection] ?? 'plain');
  });
}

/** What is compared with the upstream: a reply that differs from it there breaks a clause for relays. */
const COMPARED: readonly { readonly clauses: RegExp; readonly differs: IsCovered }[] = [
  {
    clauses: /^(?:stream\.(?:increments|whole-characters|delta-content)|choice\.message-content)$/,
    differs: (asked) => sourceOf(asked) === undefined,
  },
  {
    clauses: /^(?:stream\.(?:finish-once|finishes|nothing-after-finish)|choice\.finish-reason-.*)$/,
    // Text of another choice brings its end along.
    differs: (asked) => asked.reading.finish !== sourceOf(asked)?.reading.finish,
  },
  { clauses: /^(?:usage\..*|completion\.usage-.*)$/, differs: hasOtherUsage },
];

function hasOtherUsage(asked: Asked): boolean {
  const call = comparedCall(asked);
  const sent = (call && usageSent(call)) ?? {};
  return Object.entries(sent).some(([name, count]) => memberOf(asked.reading.usage, name) !== count);
}

// All checks of both ends, by the name that `suites/relay.yaml` uses.

export const RELAY_CHECKS = {
  ...REPLY_CHECKS,
  ...FORWARDING_CHECKS,
  ...SEEN_RELAY_CHECKS,
  ...FAILURE_CHECKS,
  ...FAILOVER_CHECKS,
  ...RELAY_KEY_CHECKS,
  front,
} as const satisfies Record<string, RelayCheck>;
