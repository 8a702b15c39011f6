/** What drawn requests have to keep on their way through a gateway: the checks of `wirecheck relay` on both ends of each. */
import type { Exchange } from '../../../exchange/exchange.ts';
import type { RelayTraffic, Traffic } from '../../../exchange/traffic.ts';
import { isObject, memberOf, parseJson, withoutUndefined } from '../../../json.ts';
import { oncePer } from '../../../once-per.ts';
import { RELAY_CHECKS } from '../../relay/judge/judge-relay.ts';
import type { CaseEvidence, RelayCheck, RelayRun } from '../../relay/judge/relay-check.ts';
import { type Asked as BothEnds, readAsked, readUpstreamCall } from '../../relay/judge/both-ends.ts';
import { findWords, messagesOf } from '../../relay/words.ts';
import { canCompareModels, namedModels } from '../../relay/named-models.ts';
import { type RelayCase, loadRelayContract } from '../../relay/read-relay-suite.ts';
import type { Settings } from '../../../settings.ts';
import { inconclusive, skipped } from '../../../verdict/check-result.ts';
import { judgeCases } from '../../../verdict/judge-cases.ts';
import { worstResult } from '../../../verdict/reading/each-exchange.ts';
import type { CheckResult, Verdict } from '../../../verdict/verdict.ts';
import { canShow, forwardingCases } from '../explore-cases.ts';

/** Both ends of a gateway. */
export interface Ends {
  /** The calls at the upstream that an exchange led to. */
  readonly callsOf: (exchange: Exchange) => readonly Exchange[];
  /** All that was sent so far: a reply may be that of another request. */
  readonly soFar: () => Traffic;
}

const readCall = oncePer(readUpstreamCall);

/** All calls so far, made once for all that is judged at that time. `questions`: what was asked, by exchange. */
type Known = ReturnType<typeof makeKnown>;
const known = new WeakMap<readonly Exchange[], Known>();

function readAll(ends: Ends): Known {
  const { exchanges } = ends.soFar();
  const all = known.get(exchanges) ?? makeKnown(exchanges, ends);
  known.set(exchanges, all);
  return all;
}

function makeKnown(exchanges: readonly Exchange[], { callsOf }: Ends) {
  const calls = exchanges.flatMap((front) => callsOf(front).map(readCall));
  return {
    calls,
    byMark: new Map(calls.flatMap((call) => [...call.marks].map((mark) => [mark, call] as const))),
    questions: new Map(exchanges.map(({ id, request }) => [id, questionOf(request)])),
  };
}

/** Verdicts on these exchanges. */
export function judgeForwarding(exchanges: readonly Exchange[], ends: Ends, settings: Settings): readonly Verdict[] {
  const contract = loadRelayContract(settings);
  const asked = exchanges.map((front) => readAsked(front, ends.callsOf(front).map(readCall)));
  const all = readAll(ends);
  const { calls, byMark } = all;
  const soFar = ends.soFar();
  const { ending } = soFar;
  const traffic: RelayTraffic = {
    ...soFar,
    cases: [],
    front: exchanges,
    upstream: calls.map(({ exchange }) => exchange),
    otherRequests: { count: 0, first: [] },
    overflow: 0,
    ...withoutUndefined({ model: soFar.bindings.model }),
    knowsUpstreamKey: false,
  };
  const run: RelayRun = { traffic, contract, settings, cases: [], asked, calls, hasFallback: false, byMark };
  const sent = [...exchanges, ...asked.flatMap((each) => each.calls.map(({ exchange }) => exchange))];
  const requests = new Map(sent.map(({ id, request }) => [id, request]));
  return judgeCases<CaseEvidence, RelayCheck>(
    forwardingCases(settings).map((testCase) => ({ case: testCase, asked, control: 'answered' })),
    {
      contract,
      settings,
      checks: RELAY_CHECKS,
      whyNot: ({ case: { expect } }) => {
        const comparesModels = expect.some(({ check }) => check === 'models');
        if (comparesModels && !canCompareModels(namedModels(settings)))
          return skipped({ kind: 'needs', settings: ['upstream-model'] });
        if (calls.length > 0) return undefined;
        // The run may have ended before the gateway could call its upstream.
        const hasEnded = ending.kind === 'interrupted' || ending.kind === 'budget';
        return inconclusive(hasEnded ? { kind: 'run-ended', ending } : { kind: 'relay-not-forwarded' });
      },
      execute: (evidence, check, expectation) => {
        const judge = (each: BothEnds): CheckResult => {
          const own = ownCase(each, evidence.case, all);
          if (!own) return NOTHING;
          const result = check.execute({ case: own, asked: [each], control: 'answered' }, run, expectation);
          return result.kind === 'inconclusive' ? NOTHING : result;
        };
        return { result: worstResult(asked.map(judge), exchanges), exchanges: exchanges.map(({ id }) => id) };
      },
      requestOf: (id) => requests.get(id),
    },
  );
}

const NOTHING: CheckResult = skipped({ kind: 'nothing-to-judge' });

/** The case as this request asked it; undefined if it shows nothing. */
function ownCase(asked: BothEnds, testCase: RelayCase, all: Known): RelayCase | undefined {
  const body = parseJson(asked.front.request.body);
  if (!isObject(body) || !canShow(testCase, body)) return undefined;
  // Without a call, the gateway refused by itself, which other clauses judge, or answered from a cache.
  if (asked.calls.length === 0 && !isInvented(asked, all)) return undefined;
  return { ...testCase, mode: asked.front.request.mode, request: body };
}

/** A reply that the upstream never gave to this request: without a mark, or with that of another request. */
function isInvented({ front, reading }: BothEnds, { byMark, questions }: Known): boolean {
  if (reading.kind !== 'reply') return false;
  const marks = [...reading.texts.values()].flatMap(findWords);
  if (marks.length === 0) return true;
  // A cache may also have a reply from before this run, whose mark nobody knows.
  return marks.some((mark) => {
    const cause = byMark.get(mark)?.exchange.cause;
    return cause !== undefined && questions.get(cause) !== questionOf(front.request);
  });
}

/** What a cache may know a request by: the fields of the contract, however they are written. */
function questionOf({ body }: Exchange['request']): string {
  const value = parseJson(body);
  const fields = ['model', 'max_tokens', 'temperature', 'top_p'].map((name) => memberOf(value, name) ?? null);
  return JSON.stringify([...fields, messagesOf(value)]);
}
