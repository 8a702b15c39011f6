/** The exchanges of a run, as checks look them up, and those that each case is judged by. */

import type { Exchange } from '../../exchange/exchange.ts';
import { isOtherWay, makeExchangeId } from '../../exchange/identity.ts';
import { lastAnswer, refusalTimes, wasAnswered, wasEndedAtText, wasHeard } from '../../exchange/reading/answered.ts';
import { findBlocked } from '../../exchange/reading/blocked-keys.ts';
import { readChunks } from '../../exchange/reading/chunks.ts';
import { readJson } from '../../exchange/reading/json-text.ts';
import type { Traffic } from '../../exchange/traffic.ts';
import { hasErrorMember, isObject } from '../../json.ts';
import { MAY_BE_SELECTED } from '../../plan/make-steps.ts';
import type { Plan } from '../../plan/plan.ts';
import { STEPS } from '../../plan/known-steps.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Settings } from '../../settings.ts';
import type { Ask, Case, Selection } from '../../suite/case.ts';
import type { Checks, RunView } from '../check.ts';
import { answerOutcome, outcomeOfAttempt } from './outcome.ts';

/** What the answers of a selection have in common, beyond the request. */
const HAS_ANSWER: Record<Selection, (exchange: Exchange) => boolean> = {
  // A connection that is closed instead is judged as an error without a body.
  '*': ({ attempts }) => attempts.some((tried) => wasHeard(tried) || outcomeOfAttempt(tried).kind === 'closed'),
  // Only a request with the key in its proper place must get a list. Answers to others are only observed.
  lists: (exchange) =>
    isOk(exchange) && (exchange.request.key === 'full' || exchange.seeks === 'answer' || wasAnswered(exchange)),
  replies: isOk,
  completions: (exchange) => isOk(exchange) && !isSomethingElse(exchange),
  streams: (exchange) => isOk(exchange) && isMeantAsStream(exchange),
};

function isSelectedBy(name: Selection, exchange: Exchange): boolean {
  const { request, seeks } = exchange;
  return MAY_BE_SELECTED[name](request, seeks) && !isOfAnotherForm(exchange) && HAS_ANSWER[name](exchange);
}

function isOk(exchange: Exchange): boolean {
  return lastAnswer(exchange)?.status === 200;
}

/** A key in the query may select another form of the answer. Only its own case judges that. */
function isOfAnotherForm({ request, attempts }: Exchange): boolean {
  const outcome = attempts.at(-1)?.outcome;
  return request.key === 'query' && outcome?.kind === 'answer' && outcome.answer.status < 300;
}

/** If the request may be refused, a 200 without choices is not judged as a broken stream. Nor is one that was not read. */
function isMeantAsStream(exchange: Exchange): boolean {
  const answer = lastAnswer(exchange);
  if (answer && wasEndedAtText(answer)) return false;
  return exchange.seeks === 'answer' || (answer !== undefined && readChunks(answer).choices.length > 0);
}

/** Not JSON, or an object with an error or without choices: no completion at all, rather than one with wrong fields. */
function isSomethingElse(exchange: Exchange): boolean {
  const answer = lastAnswer(exchange);
  const reading = answer && readJson(answer.body);
  if (reading?.kind !== 'json') return true;
  const { value } = reading;
  return isObject(value) && (hasErrorMember(value) || !Object.hasOwn(value, 'choices'));
}

/** The exchanges of each round, or of all rounds at once if the case judges them together. Never empty. */
export function roundsOf(testCase: Case, plan: Plan, run: RunView): readonly (readonly Exchange[])[] {
  const [only, ...more] = testCase.over;
  if (only !== undefined) {
    const found = lookOver(only, plan, run);
    return [more.length === 0 ? found : [...found, ...more.flatMap((name) => lookOver(name, plan, run))]];
  }
  const { ask, id } = testCase;
  if (!ask) return [[]];
  const first = ownExchanges(testCase, plan, run);
  if (ask.sample || ask.repeat || ask.patient || ask.filler === 'larger' || run.lastRound === 1) return [first];
  const steps = plan.stepsOf[id] ?? [];
  const later = Array.from({ length: run.lastRound - 1 }, (_, place) => sampleOf(testCase, steps, place + 2, run));
  return [first, ...later].filter((exchanges, place) => place === 0 || exchanges.length > 0);
}

/** A later round has the case's own exchange, otherwise one that covers it. */
function sampleOf({ ask }: Case, steps: readonly string[], now: number, run: RunView): readonly Exchange[] {
  const sent = run.exchangesIn(now).filter(({ step }) => steps.includes(step));
  if (ask?.confirms !== undefined) return sent;
  const own = sent.find(({ step }) => step === ownStep(steps));
  const cover = sent.find(ask?.unlessRefused === undefined ? wasAnswered : wasRefused);
  return own ? [own] : cover ? [cover] : [];
}

/** Answers with status 200 that were replaced by a retry, each as an exchange that ended there. */
export function replacedOf(testCase: Case, judged: readonly Exchange[], run: RunView): readonly Exchange[] {
  if (testCase.over.length === 0) return judged.flatMap(replacedAnswers);
  const selections = testCase.over.filter((name): name is Selection => name !== '*' && Object.hasOwn(HAS_ANSWER, name));
  const replaced = selectOnce(run, 'replaced', () => run.traffic.exchanges.flatMap(replacedAnswers));
  return selections.flatMap((name) => replaced.filter((exchange) => isSelectedBy(name, exchange)));
}

/** Cached, because many cases share a selection. */
function selectOnce({ selections }: RunView, name: string, select: () => readonly Exchange[]): readonly Exchange[] {
  const found = selections?.get(name) ?? select();
  selections?.set(name, found);
  return found;
}

function replacedAnswers(exchange: Exchange): readonly Exchange[] {
  if (exchange.attempts.length < 2) return [];
  return exchange.attempts.slice(0, -1).flatMap((_, place) => {
    const ended = { ...exchange, attempts: exchange.attempts.slice(0, place + 1) };
    return isOk(ended) && isJudgedIfReplaced(ended) ? [withWholeText(ended)] : [];
  });
}

/** A JSON text that came whole is judged, even if Content-Length promised more. */
function withWholeText(exchange: Exchange): Exchange {
  const last = exchange.attempts.at(-1);
  if (exchange.request.mode !== 'plain' || last?.outcome.kind !== 'answer') return exchange;
  const { answer } = last.outcome;
  if (answer.body.end.kind !== 'cut' || readJson(answer.body).kind !== 'json') return exchange;
  const whole = { ...answer, body: { ...answer.body, end: { kind: 'complete' as const } } };
  const outcome = { ...last.outcome, answer: whole };
  return { ...exchange, attempts: [...exchange.attempts.slice(0, -1), { ...last, outcome }] };
}

/** The stream of an edit is replaced only if it broke off before any text: then the edit was not answered. */
function isJudgedIfReplaced(exchange: Exchange): boolean {
  const bytes = lastAnswer(exchange)?.body.bytes.length ?? 0;
  return bytes > 0 && (exchange.seeks === 'answer' || exchange.request.mode === 'plain');
}

function lookOver(name: string, plan: Plan, run: RunView): readonly Exchange[] {
  if (Object.hasOwn(HAS_ANSWER, name)) return selectExchanges(name as Selection, plan, run);
  const other = plan.cases.find(({ id }) => id === name);
  if (other) return ownExchanges(other, plan, run);
  // The user did not select this case; it was sent because another one looks at it.
  const answer = answerTo(plan.stepsOf[name] ?? [], run);
  return answer ? [answer] : [];
}

/** All of them count, not only the last. */
function hasSeveralSteps({ parallel, patient, filler }: Ask): boolean {
  return parallel === true || patient === true || filler === 'larger';
}

function ownExchanges({ id, ask }: Case, plan: Plan, run: RunView): readonly Exchange[] {
  const steps = plan.stepsOf[id] ?? [];
  if (ask?.sample) {
    // Includes the listed models that were tried as the control and did not answer.
    const control = exchangesFor([STEPS.control], run).filter(({ occasion }) => occasion !== 'control-again');
    return [...control, ...exchangesFor(steps, run), ...restrictedCalls(run)];
  }
  if (ask?.confirms !== undefined) return exchangesFor(steps, run).filter(({ round }) => round === undefined);
  if (ask && hasSeveralSteps(ask)) return exchangesFor(steps, run);
  if (ask?.repeat) {
    const { until } = ask.repeat;
    const sent = exchangesFor(steps, run);
    const reached = sent.find((exchange) => lastAnswer(exchange)?.status === until);
    return reached ? [reached] : sent.slice(-1);
  }
  const answer = ask?.unlessRefused === undefined ? answerTo(steps, run) : refusalTo(steps, run);
  return answer ? [...refusedBefore(answer, run), answer] : [];
}

/**
 * A case that was not sent because a milder one was refused is judged by that refusal. If the milder one was not refused,
 * only its own request shows anything, and the run may have ended before that.
 */
function refusalTo(steps: readonly string[], run: RunView): Exchange | undefined {
  const sent = steps.map((step) => run.exchange(step));
  return run.exchange(ownStep(steps)) ?? sent.find((exchange) => exchange && wasRefused(exchange));
}

/** The opposite of the condition `unrefused` of a step. */
function wasRefused(exchange: Exchange): boolean {
  return answerOutcome(exchange).kind === 'client-error';
}

function selectExchanges(name: Selection, plan: Plan, run: RunView): readonly Exchange[] {
  const isSelected = (exchange: Exchange): boolean => isSelectedBy(name, exchange);
  return selectOnce(run, name, () => inOrderOfPlan(run.traffic.exchanges.filter(isSelected), plan));
}

/**
 * A finding names the first exchange that shows it, and a rerun sends that one again. Which of several requests under way
 * together was written first differs from run to run. Requests that are not in the plan stay as they were sent.
 */
function inOrderOfPlan(exchanges: readonly Exchange[], { steps }: Plan): readonly Exchange[] {
  const places = new Map(steps.map(({ id }, place) => [id, place]));
  const placeOf = ({ step }: Exchange): number => places.get(step) ?? places.size;
  return exchanges.toSorted((a, b) => (a.round ?? 1) - (b.round ?? 1) || placeOf(a) - placeOf(b));
}

function exchangesFor(steps: readonly string[], run: RunView): readonly Exchange[] {
  return run.traffic.exchanges.filter(({ step }) => steps.includes(step));
}

/** The first of these steps that was answered; otherwise the case's own step, which is the last. */
export function answerTo(steps: readonly string[], run: RunView): Exchange | undefined {
  const sent = steps.map((step) => run.exchange(step));
  return sent.find((exchange) => exchange && wasAnswered(exchange)) ?? run.exchange(ownStep(steps));
}

/** A control proves something if it was answered in any round. */
export function controlFrom(steps: readonly string[], run: RunView): Exchange | undefined {
  const first = answerTo(steps, run);
  if (run.lastRound === 1 || (first && wasAnswered(first))) return first;
  return steps.map((step) => run.answeredLater(step)).find((exchange) => exchange) ?? first;
}

/** `run.exchange` resolves the bare control as well. */
function ownStep(steps: readonly string[]): string {
  return steps[0] === STEPS.control ? STEPS.control : (steps.at(-1) ?? '');
}

// Requests that were sent again in another way: with another model, or because the first one was refused.

/** A control that was refused at first and answered later was refused for no reason. */
function refusedBefore({ step, occasion, number = 1 }: Exchange, { traffic }: RunView): readonly Exchange[] {
  if (occasion !== 'second-try') return [];
  const first = makeExchangeId({ step, ...(number > 1 && { occasion: 'other-model', number }) });
  return traffic.exchanges.filter(({ id }) => id === first);
}

/** Models of the restricted key's list that were refused before another one answered. */
function restrictedCalls(run: RunView): readonly Exchange[] {
  const calls = run.traffic.exchanges.filter(
    ({ request, seeks, round }) =>
      request.key === 'restricted' &&
      request.endpoint === 'chat' &&
      request.mode === 'plain' &&
      seeks === 'answer' &&
      round === undefined,
  );
  const list = run.exchange(STEPS.restrictedList);
  return list && wasAnswered(list) && calls.some(wasAnswered) ? calls : [];
}

// With `--detect`: a refusal proves nothing if a smaller request, which this one contains, is also refused intermittently.

/** Whether any request that this one contains was sent in several rounds, and refused in one. */
export function isBasisUnsteady(testCase: Case, plan: Plan, { traffic, lastRound }: RunView, checks: Checks): boolean {
  if (lastRound === 1) return false;
  const covered = plan.cases.filter(({ ask }) => ask?.coveredBy === testCase.id);
  const steps = new Set([testCase, ...covered].flatMap((each) => stepsIn(each, plan, checks)));
  // A part that is refused alone explains its combination, which is skipped then.
  for (const each of [testCase, ...covered]) steps.delete(ownOf(each, plan));
  const asked = traffic.exchanges.filter(({ step }) => steps.has(step));
  return asked.some(({ round }) => round !== undefined) && asked.some(gotNoReply);
}

/** The steps of its control or basis and of what that builds on, and those of cases all of whose changes it also makes. */
function stepsIn(testCase: Case, plan: Plan, checks: Checks): readonly string[] {
  const own = ownOf(testCase, plan);
  const isBrief = plan.steps.some(({ id, needs }) => id === own && needs.includes(STEPS.brief));
  const smaller = plan.cases.filter((other) => isPartOf(other, testCase, checks)).map((other) => ownOf(other, plan));
  return [...stepsBelow(testCase, plan), ...smaller, ...(isBrief ? [STEPS.brief] : [])];
}

/** The control or basis, the basis of that, and so on down to the plain chat request. */
function stepsBelow({ ask }: Case, plan: Plan): readonly string[] {
  if (!ask) return [];
  const name = ask.control ?? ask.basis;
  if (name === undefined) return ask.base.path === '/chat/completions' ? [STEPS.control] : [];
  const other = plan.cases.find(({ id }) => id === name);
  return other ? [ownOf(other, plan), ...stepsBelow(other, plan)] : [name];
}

/** A valid request with fewer changes, each of which the larger one makes as well. */
function isPartOf({ ask, expect }: Case, { ask: larger }: Case, checks: Checks): boolean {
  if (!ask || !larger || ask.edits.length === 0 || ask.edits.length >= larger.edits.length) return false;
  const changes = new Set(larger.edits.map((edit) => JSON.stringify(edit)));
  return (
    expect.some(({ check }) => checks[check]?.expectsAnswer) &&
    ask.edits.every((edit) => changes.has(JSON.stringify(edit)))
  );
}

function ownOf({ id }: Case, plan: Plan): string {
  return ownStep(plan.stepsOf[id] ?? []);
}

function gotNoReply(exchange: Exchange): boolean {
  const status = lastAnswer(exchange)?.status;
  return status !== undefined && status !== 429 && !wasAnswered(exchange);
}

// The run, by step and by round, with the control that was answered.

export function viewRun(
  traffic: Traffic,
  contract: Contract,
  settings: Settings,
  carried?: Map<string, unknown>,
): RunView {
  const byId = new Map(traffic.exchanges.map((exchange) => [exchange.id, exchange]));
  const control = controlOf(traffic);
  const byRound = new Map<number, Exchange[]>();
  for (const exchange of traffic.exchanges) {
    if (exchange.round === undefined) continue;
    const others = byRound.get(exchange.round) ?? [];
    byRound.set(exchange.round, others);
    others.push(exchange);
  }
  // A step that was sent in other ways is answered for by the first one that was answered.
  const tries = traffic.exchanges.filter((exchange) => isOtherWay(exchange) && wasAnswered(exchange));
  const answeredTries = new Map(tries.toReversed().map((exchange) => [exchange.step, exchange]));
  const lastRound = Math.max(1, ...byRound.keys());
  return {
    traffic,
    contract,
    settings,
    exchange: (step) => (step === STEPS.control ? control : (answeredTries.get(step) ?? byId.get(step))),
    lastRound,
    exchangesIn: (round) => byRound.get(round) ?? [],
    answeredLater: (step) =>
      traffic.exchanges.find((each) => each.round !== undefined && each.step === step && wasAnswered(each)),
    blocked: new Set(lastRound === 1 ? [] : findBlocked(traffic.exchanges).map(({ id }) => id)),
    refusalTimes: refusalTimes(traffic.exchanges),
    selections: new Map(),
    ...(carried && { carried }),
  };
}

/** The control that was answered: with the first model, with another listed one, or without max_tokens. */
function controlOf({ exchanges }: Traffic): Exchange | undefined {
  const controls = exchanges.filter(({ step }) => step === STEPS.control || step === STEPS.bareControl);
  const again = controls.find((exchange) => exchange.occasion === 'second-try' && wasAnswered(exchange));
  return again ?? controls.find((exchange) => wasAnswered(exchange)) ?? controls[0];
}
