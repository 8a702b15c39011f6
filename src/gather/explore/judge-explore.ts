/** Judges an exploration: the ordinary checks on every answer, and each finding shown by the smallest request. */
import type { Contract } from '../../contract/contract.ts';
import { contractOf } from '../../contract/profile/apply-profile.ts';
import { isPlainServerError } from '../../exchange/channel/retry.ts';
import type { Exchange, SentRequest } from '../../exchange/exchange.ts';
import { lastAnswer, wasLost } from '../../exchange/reading/answered.ts';
import type { Traffic } from '../../exchange/traffic.ts';
import type { Plan } from '../../plan/plan.ts';
import { withoutUndefined } from '../../json.ts';
import { groupBy, isBroken } from '../../report/counts.ts';
import type { Settings } from '../../settings.ts';
import { CHECKS } from '../../verdict/checks/index.ts';
import { fingerprintOf } from '../../verdict/finding.ts';
import { judgeGateway } from '../../verdict/judge.ts';
import { outcomeOfAttempt, whyNoAnswer } from '../../verdict/reading/outcome.ts';
import type { Reason } from '../../verdict/reason.ts';
import type { Verdict } from '../../verdict/verdict.ts';
import { topicOf } from './explore-cases.ts';
import { casesOfTopics, type LookedAt, topicsOf, topicsOfUsual } from './topics.ts';
import { classify, isForwarded, violationIn } from './classify.ts';
import { exchangesOf, limitOfAsking } from './ask-again.ts';
import { type AskDraw, type DrawCause, type FailingDraw, pair } from './cause.ts';
import { triggerOf } from './difference.ts';
import type { Draw } from './drawn-request.ts';
import { type Causes, findCauses, type Looking } from './find-causes.ts';
import type { PlannedDraws } from './plan-explore.ts';
import { type Ends, judgeForwarding } from './relay/forwarding.ts';
import { type AskedRequest, chatsIn, controlsIn, type Symptom, symptomFinder, symptomOf } from './symptoms.ts';

/** A draw that was sent whole, and what is wrong with its answers. */
export interface SentDraw {
  readonly draw: Draw;
  readonly asked: readonly AskedRequest[];
  readonly symptoms: readonly Symptom[];
}

export interface Investigation extends Causes {
  readonly sent: readonly SentDraw[];
}

/** How to ask again, and with an upstream of ours behind the gateway what arrived there. */
export interface AskingAgain {
  readonly ask: AskDraw;
  readonly ends?: Ends | undefined;
  readonly onLook?: (looking: Looking) => void;
}

/** Without `ask`, the traffic has what was asked. */
export async function investigate(
  { plan, draws }: PlannedDraws,
  traffic: Traffic,
  settings: Settings,
  { ask, ends, onLook }: Partial<AskingAgain>,
): Promise<Investigation> {
  const find = exchangesOf(traffic, settings);
  const symptomsOf = symptomFinder(plan, traffic, settings, ends);
  const sent = draws.flatMap((draw): readonly SentDraw[] => {
    const asked = pair(draw, find(draw, {}) ?? []);
    return asked.length === 0 ? [] : [{ draw, asked, symptoms: symptomsOf(asked) }];
  });
  const given = { contract: contractOf(settings), symptomsOf, sent, ...withoutUndefined({ onLook }) };
  const recorded: AskDraw = (draw, occasion, number) => Promise.resolve(find(draw, { occasion, number }));
  return { ...(await findCauses(sent.flatMap(failingIn), { ...given, ask: ask ?? recorded })), sent };
}

/** Each symptom once, at the first request that shows it. */
function failingIn({ draw, asked, symptoms }: SentDraw): readonly FailingDraw[] {
  const first = new Map(symptoms.toReversed().map((symptom) => [symptom.key, symptom]));
  return [...first.values()].flatMap((symptom) => {
    const place = asked.findIndex(({ exchange }) => exchange.id === symptom.exchange);
    const own = asked[place];
    return own ? [{ ...own, draw, symptom, place }] : [];
  });
}

/** All that an exploration sent, and the calls that it led to at an upstream of ours. */
export interface ExploreTraffic {
  readonly traffic: Traffic;
  readonly calls: readonly Exchange[];
}

export interface JudgedExplore {
  /** The cases of the draws are in it. */
  readonly plan: Plan;
  readonly verdicts: readonly Verdict[];
  readonly found: Investigation;
}

/** What was found, and in what. */
interface Explored extends Investigation {
  readonly traffic: Traffic;
  readonly settings: Settings;
  readonly contract: Contract;
}

/** The same traffic and settings give the same verdicts. */
export async function judgeExplore(
  made: PlannedDraws,
  { traffic, calls }: ExploreTraffic,
  settings: Settings,
): Promise<JudgedExplore> {
  const contract = contractOf(settings);
  const byCause = groupBy(calls, ({ cause = '' }) => cause);
  const callsOf = ({ id }: Exchange): readonly Exchange[] => byCause.get(id) ?? [];
  const ends = settings.explore?.upstreamUrl === undefined ? undefined : { callsOf, soFar: () => traffic };
  const found = await investigate(made, traffic, settings, { ends });
  const explored = { ...found, traffic, settings, contract };
  const ids = Object.fromEntries(traffic.exchanges.map(({ id }) => [id, [id]]));
  const topics = casesOfTopics(lookedAt(explored), contract);
  const cases = [...made.plan.cases, ...topics];
  const unshown = new Set(topics.flatMap(({ id, over }) => (over.length === 0 ? [id] : [])));
  const plan = { ...made.plan, cases, stepsOf: { ...ids, ...made.plan.stepsOf } };
  const verdicts = judgeGateway(plan, settledIn(explored), { contract, settings, checks: CHECKS });
  const forwarded = ends ? judgeForwarding(forwardedIn(explored), ends, settings) : [];
  const sent = new Map([...traffic.exchanges, ...calls].map(({ id, request }) => [id, request]));
  const shown = [...verdicts, ...forwarded].map((verdict) => showCauses(verdict, found, sent));
  const settle = (verdict: Verdict): Verdict => {
    const left = leaveOpen(verdict, explored);
    const isUnshown = left === verdict && unshown.has(verdict.case);
    return isUnshown ? { ...verdict, verdict: 'skipped', reason: { kind: 'no-occasion', of: 'drawn' } } : left;
  };
  return { plan, verdicts: shown.map(settle), found };
}

/** What was left open, or got no answer unless it was tried again alone, shows neither that a clause is broken nor kept. */
function leaveOpen(verdict: Verdict, explored: Explored): Verdict {
  if (isBroken(verdict)) return verdict;
  const reason = whyOpen(verdict, explored);
  return reason ? { ...verdict, verdict: 'inconclusive', reason, flaky: false } : verdict;
}

function whyOpen(verdict: Verdict, { open, causes, traffic, settings }: Explored): Reason | undefined {
  const isOwn = ({ case: id, clause }: Symptom): boolean => id === verdict.case && clause === verdict.clause;
  const failed = open.filter(({ symptom }) => symptom.silence === undefined && isOwn(symptom));
  const draws = new Set(failed.map(({ draw }) => draw.number)).size;
  if (draws > 0) {
    const limit = limitOfAsking(failed, traffic, settings);
    return limit === 'run' ? { kind: 'run-ended', ending: traffic.ending } : { kind: 'not-asked-again', draws, limit };
  }
  const firsts = causes.map(({ symptoms: [first] }) => first);
  const dropped = firsts.find((first) => first.silence && first.isPassing && isOwn(first));
  const [attempt] = traffic.exchanges.find(({ id }) => id === dropped?.exchange)?.attempts ?? [];
  const outcome = attempt && outcomeOfAttempt(attempt);
  return outcome && 'failure' in outcome ? whyNoAnswer(outcome) : undefined;
}

/**
 * The 5xx that were not tried again, and that no cause explains, are left out: they may have been chance. So are
 * connections that were closed on violations, where they are closed on valid requests too.
 */
function settledIn({ traffic, sent, causes }: Explored): Traffic {
  const shown = new Set(causes.flatMap(({ symptoms }) => symptoms.map(({ exchange }) => exchange)));
  const silent = causes.filter(({ symptoms: [{ silence }] }) => silence === 'closed');
  const numbers = new Set(silent.flatMap(({ draws }) => draws));
  const closed = new Set(
    sent.flatMap(({ draw, asked }) => (numbers.has(draw.number) ? asked.map(({ exchange }) => exchange.step) : [])),
  );
  const isKept = (each: Exchange): boolean =>
    shown.has(each.id) || (!isUnsettled(each) && !(closed.has(each.step) && wasLost(each)));
  return { ...traffic, exchanges: traffic.exchanges.filter(isKept) };
}

/** A form of a draw that got a 5xx and was not tried again, or whose connection was closed. */
function isUnsettled(exchange: Exchange): boolean {
  const { occasion, attempts } = exchange;
  if (occasion !== 'smaller' && occasion !== 'asked-twice') return false;
  const answer = lastAnswer(exchange);
  return answer ? attempts.length === 1 && isPlainServerError(answer) : wasLost(exchange);
}

/** The controls, the draws that have to arrive as they were sent, and the smallest request of each cause. */
function forwardedIn({ sent, causes, traffic, contract }: Explored): readonly Exchange[] {
  const drawn = sent.flatMap(({ asked }) =>
    asked.filter(({ request }) => isForwarded(request, contract)).map(({ exchange }) => exchange),
  );
  const isKept = ({ smallest }: DrawCause): boolean =>
    smallest.requests.slice(-1).every((last) => isForwarded(last, contract));
  const shown = new Set(causes.filter(isKept).map(({ symptoms: [first] }) => first.exchange));
  const smallest = traffic.exchanges.filter(({ id }) => shown.has(id));
  return [...new Set([...chatsIn(controlsIn(traffic)), ...drawn, ...smallest])];
}

/** The exchanges of each topic: answers to draws that passed, and the smallest request of each cause. */
function lookedAt(explored: Explored): readonly LookedAt[] {
  const { contract } = explored;
  const ofSymptom = ({ isOfTopic, case: id, finding }: Symptom): readonly LookedAt[] =>
    isOfTopic ? [{ topic: topicOf(id.replace('explore/', '')), ids: [finding.exchange] }] : [];
  const open = explored.open.flatMap(({ symptom }) => ofSymptom(symptom).map((own) => ({ ...own, ids: [] })));
  const shown = explored.causes.flatMap(({ symptoms }) => symptoms.flatMap(ofSymptom));
  // What was drawn was in the run, also if no answer says anything of it.
  const drawn = explored.sent.flatMap(({ asked }) =>
    asked.flatMap(({ request }) => topicsOf(request, classify(request, contract)).map((topic) => ({ topic, ids: [] }))),
  );
  return [...explored.sent.flatMap((sent) => passedIn(sent, explored)), ...open, ...shown, ...drawn];
}

function passedIn({ draw, asked, symptoms }: SentDraw, { passed, causes, contract }: Explored): readonly LookedAt[] {
  const again = passed.get(draw.number);
  // Silence without a known cause leaves its own topics open, and so does silence to a violation: it was not refused.
  const own = causes.filter(({ draws }) => draws.includes(draw.number));
  const isExplained =
    again !== undefined || own.some(({ smallest }) => violationIn(smallest.requests.at(-1), contract) === undefined);
  const failed = symptoms.filter(
    ({ isOfTopic, isPassing, silence }) => isOfTopic && !isPassing && (silence === undefined || isExplained),
  );
  const broken = new Set(failed.map(({ finding }) => finding.exchange));
  return asked.flatMap(({ request, exchange }, place) => {
    const counted = broken.has(exchange.id) ? again?.[place] : exchange;
    if (!counted || isUnsettled(counted)) return [];
    const isRefused = (lastAnswer(counted)?.status ?? 200) !== 200;
    const topics = (isRefused ? topicsOfUsual : topicsOf)(request, classify(request, contract));
    return topics.map((topic) => ({ topic, ids: [counted.id] }));
  });
}

/** A finding for each cause, with the request that was shrunk, in place of those that were drawn. */
function showCauses(verdict: Verdict, { causes }: Causes, sent: ReadonlyMap<string, SentRequest>): Verdict {
  if (!isBroken(verdict)) return verdict;
  const isShown = ({ case: id, clause, check }: Symptom): boolean =>
    id === verdict.case && clause === verdict.clause && check === verdict.check;
  const shown = causes.flatMap((cause) => cause.symptoms.filter(isShown).map((symptom) => ({ cause, symptom })));
  if (shown.length === 0) return verdict;
  const keys = new Set(shown.map(({ symptom }) => symptom.key));
  const others = verdict.findings.filter(
    (finding) => !shown.some(({ symptom }) => keys.has(symptomOf(verdict, finding, symptom.isOfTopic))),
  );
  const findings = shown.map(({ cause, symptom }) => {
    const trigger = triggerOf(cause);
    const others = cause.alike?.others ?? [];
    const isOther = others.some((each) => each.symptom === symptom);
    const more = isOther ? 0 : cause.draws.length - 1 - others.length;
    const counts = { more, ...(more > 0 && { moreAnswers: more }) };
    const finding = { ...symptom.finding, ...(trigger.length > 0 && { trigger }), ...counts };
    const fingerprint = fingerprintOf(verdict.clause, verdict.case, finding, sent.get(finding.exchange));
    return { ...finding, fingerprint };
  });
  // Requests differ, so that some answers are right and others are not. That is not intermittent.
  const { intermittent: _intermittent, answers: _answers, ...judged } = verdict;
  return {
    ...judged,
    findings: [...findings, ...others],
    exchanges: shown.map(({ symptom }) => symptom.exchange).slice(0, 3),
  };
}
