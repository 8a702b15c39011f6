/** What drawn requests have to keep on their way through a gateway: the checks of `wirecheck relay` on both ends of each. */
import type { ChosenContract } from '../../contract/profile/apply-profile.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { RelayTraffic } from '../../exchange/relay-traffic.ts';
import type { Traffic } from '../../exchange/traffic.ts';
import { isObject, type JsonObject, memberOf, parseJson } from '../../json.ts';
import { type Asked as BothEnds, readAsked, readUpstreamCall, type UpstreamCall } from '../../relay/judge/both-ends.ts';
import { RELAY_CHECKS } from '../../relay/judge/checks.ts';
import type { CaseEvidence, RelayCheck, RelayRun } from '../../relay/judge/relay-check.ts';
import { messagesOf } from '../../relay/messages.ts';
import { loadRelayContract } from '../../relay/relay-contract.ts';
import type { RelayCase } from '../../relay/relay-case.ts';
import { DEFAULT_SCRIPT } from '../../relay/upstream-script.ts';
import { findWords } from '../../relay/words.ts';
import type { Settings } from '../../settings.ts';
import { inconclusive, skipped } from '../../verdict/finding.ts';
import { judgeCases } from '../../verdict/judge-cases.ts';
import { worstResult } from '../../verdict/reading/each-exchange.ts';
import type { CheckResult, Verdict } from '../../verdict/verdict.ts';

interface Forwarding {
  readonly label: string;
  readonly title: string;
  readonly clause: string;
  readonly check: keyof typeof RELAY_CHECKS;
  /** Whether a request with this body can show it. Default: any. */
  readonly shows?: (body: JsonObject) => boolean;
}

const FORWARDED: readonly Forwarding[] = [
  {
    label: 'messages',
    title: 'The text of every drawn message reaches the upstream',
    clause: 'relay.messages',
    check: 'messages',
  },
  {
    label: 'message-list',
    title: 'Drawn messages are not added to, merged or reordered',
    clause: 'relay.message-list',
    check: 'message-list',
  },
  { label: 'roles', title: 'Drawn messages keep their roles', clause: 'relay.roles', check: 'roles' },
  {
    label: 'token-limit',
    title: 'A drawn token limit reaches the upstream, or a smaller one',
    clause: 'relay.token-limit',
    check: 'token-limit',
    shows: (body) => typeof body['max_tokens'] === 'number',
  },
  {
    label: 'sampling',
    title: 'Drawn values of temperature and top_p reach the upstream',
    clause: 'relay.sampling',
    check: 'sampling',
  },
  { label: 'model', title: 'A drawn request reaches the model it names', clause: 'relay.model', check: 'models' },
  { label: 'text', title: 'The reply to a drawn request is passed on', clause: 'relay.text', check: 'text' },
  {
    label: 'own-reply',
    title: 'The reply to a drawn request is its own',
    clause: 'relay.own-reply',
    check: 'own-reply',
  },
  {
    label: 'finish-reason',
    title: 'The finish_reason of a reply to a drawn request is passed on',
    clause: 'relay.finish-reason',
    check: 'finish-reason',
  },
  {
    label: 'usage',
    title: 'The token counts of a reply to a drawn request are passed on',
    clause: 'relay.usage',
    check: 'usage',
  },
];

const idOf = (label: string): string => `explore/forwarded[${label}]`;

const CASES: readonly RelayCase[] = FORWARDED.map(({ label, title, clause, check }) => ({
  id: idOf(label),
  suite: 'explore',
  title,
  source: { file: 'src/explore/relay/forwarding.ts', line: 1 },
  expect: [{ clause, check, options: {} }],
  mode: 'plain',
  calls: 'one',
  messages: [],
  request: {},
  key: 'full',
  script: DEFAULT_SCRIPT,
  modifiers: [],
}));

/** Those that this contract judges. */
export function forwardingCases(chosen: ChosenContract): readonly RelayCase[] {
  const contract = loadRelayContract(chosen);
  const isJudged = (clause: string): boolean => (contract.clause(clause)?.level ?? 'none') !== 'none';
  return CASES.filter(({ expect }) => expect.every(({ clause }) => isJudged(clause)));
}

/** Both ends of a gateway. */
export interface Ends {
  /** The calls at the upstream that an exchange led to. */
  readonly callsOf: (exchange: Exchange) => readonly Exchange[];
  /** All that was sent so far: a reply may be that of another request. */
  readonly sofar: () => Traffic;
}

const read = new WeakMap<Exchange, UpstreamCall>();

function readCall(exchange: Exchange): UpstreamCall {
  const known = read.get(exchange) ?? readUpstreamCall(exchange);
  read.set(exchange, known);
  return known;
}

/** All calls so far, made once for all that is judged at that time. */
interface Known {
  readonly calls: readonly UpstreamCall[];
  readonly byMark: RelayRun['byMark'];
  /** What was asked, by exchange. */
  readonly questions: ReadonlyMap<string, string>;
}

const known = new WeakMap<readonly Exchange[], Known>();

function readAll({ callsOf, sofar }: Ends): Known {
  const { exchanges } = sofar();
  const made = known.get(exchanges);
  if (made) return made;
  const calls = exchanges.flatMap((front) => callsOf(front).map(readCall));
  const all: Known = {
    calls,
    byMark: new Map(calls.flatMap((call) => [...call.marks].map((mark) => [mark, call] as const))),
    questions: new Map(exchanges.map(({ id, request }) => [id, questionOf(request)])),
  };
  known.set(exchanges, all);
  return all;
}

/** Verdicts on these exchanges. */
export function judgeForwarding(exchanges: readonly Exchange[], ends: Ends, settings: Settings): readonly Verdict[] {
  const contract = loadRelayContract(settings);
  const asked = exchanges.map((front) => readAsked(front, ends.callsOf(front).map(readCall)));
  const { calls, byMark, questions } = readAll(ends);
  const traffic = asRelayTraffic(ends.sofar(), exchanges, calls);
  const run: RelayRun = { traffic, contract, settings, cases: [], asked, calls, byMark };
  const requests = new Map(
    [...exchanges, ...asked.flatMap((each) => each.calls.map(({ exchange }) => exchange))].map(({ id, request }) => [
      id,
      request,
    ]),
  );
  return judgeCases<CaseEvidence, RelayCheck>(
    forwardingCases(settings).map((testCase) => ({ case: testCase, asked, control: 'answered' })),
    {
      contract,
      settings,
      checks: RELAY_CHECKS,
      whyNot: () => (calls.length === 0 ? inconclusive({ kind: 'relay-not-forwarded' }) : undefined),
      execute: (evidence, check, expectation) => {
        const judge = (each: BothEnds): CheckResult => {
          const own = ownCase(each, evidence.case, (reply) => isInvented(reply, byMark, questions));
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
function ownCase(asked: BothEnds, testCase: RelayCase, isForeign: (asked: BothEnds) => boolean): RelayCase | undefined {
  const body = parseJson(asked.front.request.body);
  const { shows } = FORWARDED.find(({ label }) => testCase.id === idOf(label)) ?? {};
  if (!isObject(body) || (shows && !shows(body))) return undefined;
  // Without a call, the gateway refused by itself, which other clauses judge, or answered from a cache.
  if (asked.calls.length === 0 && !isForeign(asked)) return undefined;
  return { ...testCase, mode: asked.front.request.mode, request: body };
}

/** A reply that the upstream never gave to this request: without a mark, or with that of another request. */
function isInvented({ front, reading }: BothEnds, byMark: RelayRun['byMark'], questions: Known['questions']): boolean {
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

function asRelayTraffic(traffic: Traffic, front: readonly Exchange[], calls: readonly UpstreamCall[]): RelayTraffic {
  const { ending, used, notices, startedAt, endedAt, bindings } = traffic;
  return {
    cases: [],
    front,
    upstream: calls.map(({ exchange }) => exchange),
    otherRequests: { count: 0, first: [] },
    overflow: 0,
    ending,
    ...(bindings.model !== undefined && { model: bindings.model }),
    used,
    notices,
    knowsUpstreamKey: false,
    startedAt,
    endedAt,
  };
}
