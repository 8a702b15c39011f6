/** What is wrong with the answers to one draw, found by the ordinary checks: what shrinking has to keep. */
import type { Contract } from '../../contract/contract.ts';
import { contractOf } from '../../contract/profile/apply-profile.ts';
import { isPlainServerError } from '../../exchange/channel/retry.ts';
import { type Attempt, type Exchange, findHeader } from '../../exchange/exchange.ts';
import { lastAnswer, timeLimitOf, timesClosed } from '../../exchange/reading/answered.ts';
import type { Traffic } from '../../exchange/traffic.ts';
import type { Mode, Plan } from '../../plan/plan.ts';
import { MAY_BE_SELECTED } from '../../plan/make-steps.ts';
import { STEPS } from '../../plan/known-steps.ts';
import type { Settings } from '../../settings.ts';
import { type Case, type Expectation, isSelection, type Selection } from '../../suite/case.ts';
import { CHECKS } from '../../verdict/checks/index.ts';
import { maskIndices } from '../../verdict/finding.ts';
import { judgeGateway } from '../../verdict/judge.ts';
import { wentAway } from '../../verdict/reading/outcome.ts';
import type { Finding, Verdict } from '../../verdict/verdict.ts';
import { casesOfTopics, topicOfFailure } from './topics.ts';
import { isForwarded } from './classify.ts';
import type { DrawnRequest } from './drawn-request.ts';
import { isOfViolation } from './explore-cases.ts';
import { STREAM_CONTROL } from './plan-explore.ts';
import { type Ends, judgeForwarding } from './relay/forwarding.ts';

export interface Symptom {
  /** The same for the same thing wrong, whichever request shows it. */
  readonly key: string;
  /** The key that a 5xx or a hang-up to a violation has if the request without the violation gets it too. */
  readonly plainKey?: string;
  /** What went away when a request of a sequence was tried again alone. Only the whole sequence shows if it stays. */
  readonly isPassing?: true;
  /** It got no answer, which is not judged. */
  readonly silence?: SilenceKind;
  readonly case: string;
  readonly clause: string;
  readonly level: Verdict['level'];
  readonly check: string;
  /** Found by the topic of the request, and not by a case that looks at all answers. */
  readonly isOfTopic: boolean;
  /** The request that shows it. The finding may be about what the upstream got instead. */
  readonly exchange: string;
  readonly finding: Finding;
}

const CONTROLS: readonly string[] = [STEPS.list, STEPS.control, STEPS.bareControl, STREAM_CONTROL];

/** A request and what came of it. */
export interface AskedRequest {
  readonly request: DrawnRequest;
  readonly exchange: Exchange;
}

export function controlsIn({ exchanges }: Traffic): readonly Exchange[] {
  return exchanges.filter(({ step, occasion }) => CONTROLS.includes(step) && occasion !== 'control-again');
}

interface Judging {
  readonly plan: Plan;
  readonly settings: Settings;
  /** What is known of the run. Its exchanges do not count here. */
  readonly traffic: Traffic;
  readonly controls: readonly Exchange[];
  /** The cases that look at all answers, without what is only observed: that is no symptom. */
  readonly overAll: readonly Case[];
  /** Only an upstream of ours behind the gateway shows both ends. */
  readonly ends: Ends | undefined;
}

type FindSymptoms = (asked: readonly AskedRequest[]) => readonly Symptom[];

/** Finds what is wrong with answers. What the controls show as well is left out: it needs no exploring. */
export function symptomFinder(plan: Plan, traffic: Traffic, settings: Settings, ends: Ends | undefined): FindSymptoms {
  const overAll = casesOverAll(plan, contractOf(settings));
  const judging = { plan, settings, traffic, controls: controlsIn(traffic), overAll, ends };
  const usual = usualSymptoms(judging);
  return (asked) => {
    const modes = new Map(asked.map(({ exchange }) => [exchange.id, exchange.request.mode]));
    return symptomsOf(asked, judging).filter(
      ({ key, exchange }) => modes.has(exchange) && !usual.has(key) && !usual.has(inMode(key, modes.get(exchange))),
    );
  };
}

function casesOverAll({ cases }: Plan, contract: Contract): readonly Case[] {
  const isJudged = ({ clause, level }: Expectation): boolean => (level ?? contract.clause(clause)?.level) !== 'observe';
  return cases.flatMap((each) => (each.ask ? [] : [{ ...each, expect: each.expect.filter(isJudged) }]));
}

function symptomsOf(asked: readonly AskedRequest[], judging: Judging): readonly Symptom[] {
  const contract = contractOf(judging.settings);
  const topics = asked.flatMap(({ request, exchange }) =>
    casesOfTopics([{ topic: topicOfFailure(request, contract, asked.length > 1), ids: [exchange.id] }], contract),
  );
  const first = asked.length > 1 ? asked.map(firstAnswer) : asked;
  const forwarded = asked.flatMap(({ request, exchange }) => (isForwarded(request, contract) ? [exchange] : []));
  const isReplaced = (id: string): boolean =>
    asked.some(({ exchange }, place) => exchange.id === id && exchange !== first[place]?.exchange);
  return [
    ...topics
      .flatMap((topic) => symptomsIn(judgeWith([topic], first, judging), true))
      .map((symptom) => (isReplaced(symptom.exchange) ? { ...symptom, isPassing: true as const } : symptom)),
    ...asked.flatMap((each, place) => silentSymptoms(each, asked[place - 1], contract)),
    ...symptomsOverAll(asked, forwarded, judging),
  ];
}

/** By the cases that look at all answers, and of these at both ends. */
function symptomsOverAll(
  asked: readonly AskedRequest[],
  forwarded: readonly Exchange[],
  judging: Judging,
): readonly Symptom[] {
  const { ends, settings } = judging;
  const cases = asked.length === 0 ? judging.overAll : judging.overAll.filter((each) => looksAt(each, asked));
  const own = symptomsIn(judgeWith(cases, asked, judging), false);
  if (!ends) return own;
  const fronts = new Map(forwarded.flatMap((front) => ends.callsOf(front).map(({ id }) => [id, front.id] as const)));
  const verdicts = forwarded.flatMap((exchange) => judgeForwarding([exchange], ends, settings));
  const atBoth = symptomsIn(verdicts, false);
  return [
    ...own,
    ...atBoth.map((symptom) => ({ ...symptom, exchange: fronts.get(symptom.exchange) ?? symptom.exchange })),
  ];
}

/** Only what is wrong with the requests that were asked is told, so that the others need no judging. */
function looksAt({ over }: Case, asked: readonly AskedRequest[]): boolean {
  const selects = (name: Selection): boolean =>
    asked.some(({ exchange: { request, seeks } }) => MAY_BE_SELECTED[name](request, seeks));
  return over.length === 0 || over.some((name) => !isSelection(name) || selects(name));
}

/**
 * The contract does not say how long an answer may take, so that this is no verdict. What leads to it can be found all the
 * same. `before`: the request before it on the same connection.
 */
function silentSymptoms(asked: AskedRequest, before: AskedRequest | undefined, contract: Contract): readonly Symptom[] {
  const { request, exchange } = asked;
  const { id } = exchange;
  const isPassing = before !== undefined && wasDropped(exchange, before.exchange);
  const silence = isPassing ? 'closed' : silenceIn(exchange);
  const topic = topicOfFailure(request, contract, before !== undefined);
  const [expectation] = topic.expect;
  if (silence === undefined || !expectation) return [];
  const actual = { kind: 'hang-up', times: timesClosed(exchange) || exchange.attempts.length } as const;
  const expected = { kind: 'error-body' } as const;
  const what = { mismatch: 'no-body', expected, actualType: 'absent', actual } as const;
  const finding = { exchange: id, ...what, attempt: 0, more: 0 };
  const { clause, check } = expectation;
  const shown = { key: keyOfSilence(silence), silence, case: topic.id, clause, level: 'observe', check } as const;
  return [{ ...shown, isOfTopic: true, exchange: id, finding, ...(isPassing && { isPassing }) }];
}

/** A sequence is tried again as a whole, so that the first answer of each request counts. */
function firstAnswer(asked: AskedRequest): AskedRequest {
  const { attempts } = asked.exchange;
  const outcome = attempts[0]?.outcome;
  const isFailed = outcome?.kind === 'answer' && isPlainServerError(outcome.answer) && wentAway(asked.exchange, 0);
  if (!isFailed) return asked;
  return { ...asked, exchange: { ...asked.exchange, attempts: attempts.slice(0, 1), controlAfter: 'answered' } };
}

/** The keys of what is wrong with the controls themselves. */
function usualSymptoms(judging: Judging): ReadonlySet<string> {
  const { plan, controls } = judging;
  const asking = plan.cases.filter(({ ask }) => ask);
  const modes = new Map(controls.map(({ id, request }) => [id, request.mode]));
  // Whatever the level: what is only observed of a control is usual, too.
  const refused = judgeWith(asking, [], judging).flatMap((verdict) =>
    verdict.findings.map((finding) => inMode(symptomOf(verdict, finding, true), modes.get(finding.exchange))),
  );
  const others = symptomsOverAll([], chatsIn(controls), judging);
  return new Set([...refused, ...others.map(({ key }) => key)]);
}

/** A stream that is refused as usual says nothing of plain requests. */
function inMode(key: string, mode: Mode | undefined): string {
  return JSON.stringify([mode ?? '', key]);
}

/** Those that have two ends. */
export function chatsIn(exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.filter(({ request }) => request.endpoint === 'chat');
}

function symptomsIn(verdicts: readonly Verdict[], isOfTopic: boolean): readonly Symptom[] {
  const broken = verdicts.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  return broken.flatMap((judged) =>
    judged.findings.map(({ fingerprint: _fingerprint, ...finding }) => {
      const { case: id, clause, level, check } = judged;
      const about = { case: id, clause, level, check, isOfTopic };
      const isRefused = isOfTopic && isOfViolation(id);
      return {
        key: symptomOf(judged, finding, isOfTopic),
        ...(isRefused && finding.actualType === '5xx' && { plainKey: plainKeyOf(finding) }),
        // A connection that is closed on a valid request too is not an error without a body, but no answer.
        ...(finding.actual.kind === 'hang-up' && { plainKey: keyOfSilence('closed') }),
        ...about,
        exchange: finding.exchange,
        finding,
      };
    }),
  );
}

/**
 * A smaller request may belong to another topic, so that neither its clause nor its check counts; a violation stays the
 * same. What arrives in place of a lost message depends on those that follow it.
 */
export function symptomOf(verdict: Pick<Verdict, 'clause' | 'case'>, finding: Finding, isOfTopic: boolean): string {
  const { clause, case: id } = verdict;
  const { mismatch, pointer, actualType, status = '' } = finding;
  if (isOfTopic && isOfViolation(id)) return JSON.stringify([id, mismatch, actualType]);
  if (isOfTopic) return plainKeyOf(finding);
  if (clause.startsWith('relay.')) return JSON.stringify([clause, mismatch, maskIndices(pointer ?? '')]);
  return JSON.stringify([clause, mismatch, pointer === undefined ? '' : maskIndices(pointer), actualType, status]);
}

function plainKeyOf({ mismatch, actualType }: Finding): string {
  return JSON.stringify(['topic', mismatch, actualType]);
}

function judgeWith(cases: readonly Case[], asked: readonly AskedRequest[], judging: Judging): readonly Verdict[] {
  const { plan, settings, traffic, controls } = judging;
  const exchanges = [...controls, ...asked.map(({ exchange }) => exchange)];
  const ids = Object.fromEntries(exchanges.map(({ id }) => [id, [id]]));
  return judgeGateway(
    { ...plan, cases, steps: [], stepsOf: { ...plan.stepsOf, ...ids } },
    // Refusals of a key that ended in mid-run are no symptoms.
    { ...traffic, exchanges, ending: traffic.ending.kind === 'key-ended' ? traffic.ending : { kind: 'complete' } },
    { contract: contractOf(settings), settings, checks: CHECKS },
  );
}

/** No answer in time, or a connection that was closed instead, each time. */
export type SilenceKind = 'timeout' | 'closed';

function keyOfSilence(silence: SilenceKind): string {
  return JSON.stringify(['silence', silence]);
}

/** The silence that all attempts share. A stream that stops in the middle is judged, and so it is none of these. */
export function silenceIn(exchange: Exchange): SilenceKind | undefined {
  if (timesClosed(exchange) > 0) return 'closed';
  const hasTimedOut = (attempt: Attempt): boolean => {
    if (attempt.outcome.kind === 'none') return attempt.outcome.failure.kind === 'timeout';
    return exchange.request.mode === 'plain' && timeLimitOf({ attempts: [attempt] }) !== undefined;
  };
  return exchange.attempts.every(hasTimedOut) ? 'timeout' : undefined;
}

/** Whether a connection that was to stay open was closed on this request, which was then answered on another one. */
export function wasDropped({ attempts }: Pick<Exchange, 'attempts'>, before: Pick<Exchange, 'attempts'>): boolean {
  const [first, ...more] = attempts;
  const kept = before.attempts.at(-1);
  if (first?.outcome.kind !== 'none' || first.outcome.failure.kind !== 'closed' || more.length === 0) return false;
  if (first.connection === undefined || first.connection !== kept?.connection) return false;
  const answer = lastAnswer(before);
  return answer !== undefined && !/\bclose\b/i.test(findHeader(answer.headers, 'connection') ?? '');
}

/** Milliseconds without an answer, over all attempts. */
export function silenceOf({ attempts }: Exchange): number {
  const silences = attempts.map(({ outcome }) => {
    if (outcome.kind === 'none') return outcome.failure.at ?? 0;
    const { end } = outcome.answer.body;
    return end.kind === 'limit' && end.limit === 'idle-timeout' ? outcome.answer.endAt : 0;
  });
  return silences.reduce((sum, silence) => sum + silence, 0);
}
