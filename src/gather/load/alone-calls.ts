/** Calls before, between and after the stages: one at a time, and judged only by whether they are answered. */
import { describeAnswer } from '../../exchange/answer-status.ts';
import { askUntil, type UntilEnough } from '../../exchange/channel/control.ts';
import {
  endWithoutUpstream,
  findUnreachable,
  LIST_REQUEST,
  modelsToTry,
} from '../../exchange/channel/first-contact.ts';
import { retryAfter } from '../../exchange/channel/retry.ts';
import type { Ending } from '../../exchange/ending.ts';
import type { Answer, Exchange } from '../../exchange/exchange.ts';
import type { LoadEnd, RecoveryAnswer } from '../../exchange/load-traffic.ts';
import { isRejection, lastAnswer, lastFailure, timeLimitOf, wasAnswered } from '../../exchange/reading/answered.ts';
import { explainNoModel, pickCandidates, readModelList } from '../../exchange/reading/model-list.ts';
import { withoutUndefined } from '../../json.ts';
import { UPSTREAM_MODEL } from '../../scripted/scripted-server.ts';
import type { KeyUse } from '../../suite/case.ts';
import { finding } from '../../verdict/finding.ts';
import { statusFound } from '../../verdict/reading/answers.ts';
import { failureFound } from '../../verdict/reading/body-content.ts';
import type { Finding } from '../../verdict/verdict.ts';
import { namedModels } from '../relay/named-models.ts';
import type { Generator } from './generator.ts';
import { GivingUp, wasGivenUp } from './send-call.ts';

/** Controls in a row without an answer that end the ramp. */
const MAX_UNANSWERED = 3;
/** Times that the control is asked with a model before the load. */
const TRIES = 2;
/** Milliseconds between two controls after the load. */
const INTERVAL = 500;

/** A model list. Undefined if the run ended. `most`: milliseconds. */
export async function askList(
  { parts: { channel, connections, judge } }: Generator,
  key: KeyUse,
  when: 'before' | 'after',
  most = Infinity,
): Promise<Exchange | undefined> {
  const step = `load/list-${when}`;
  const request = { ...LIST_REQUEST, key };
  const described = connections.main.describe(request);
  const givingUp = new GivingUp(channel.signal, most);
  const sent = await givingUp.during(channel.send(request, { described, signal: givingUp.signal }));
  if (sent.kind !== 'sent' || channel.signal.aborted) return undefined;
  const attempts = [sent.attempt];
  const exchange: Exchange = { id: `${step}-${key}`, step, seeks: 'answer', request: described, attempts };
  if (wasAnswered(exchange)) judge.setList(exchange, when);
  return exchange;
}

/**
 * The list and one call at a time, with one model after the other until one is answered: that is the model of the calls
 * that follow. Returns the call, or why the run ends.
 */
export async function firstContact(generator: Generator): Promise<Exchange | Ending> {
  const { settings, channel, upstream, called } = generator.parts;
  const list = await untilSettled(generator, () => askList(generator, 'full', 'before'));
  if (!list) return { kind: 'interrupted' };
  const unreachable = findUnreachable(list);
  if (unreachable) return unreachable;
  const answer = lastAnswer(list);
  if (answer?.status === 401 || isRejected(list)) return endingByRefusal(answer);
  const given = (upstream && namedModels(settings)[0]?.front) ?? settings.model;
  // Without a readable list, the name of our own upstream's model is worth a try.
  const models = modelsToTry(list, { given, unlisted: upstream && UPSTREAM_MODEL });
  const [model] = models;
  if (model === undefined) return { kind: 'no-model', reason: explainNoModel(list) };
  let last: Exchange | undefined;
  for (const each of models) {
    called.model = each;
    const tried = await askUntil({
      ask: () => untilSettled(generator, () => generator.ask()),
      isEnough: (exchange) => wasAnswered(exchange) && (!upstream || upstream.calls > 0),
      most: TRIES,
      signal: channel.signal,
    });
    ({ last } = tried);
    if (!last) return { kind: 'interrupted' };
    if (tried.isEnough) return last;
  }
  return endingOf(generator, last, model);
}

function endingOf({ parts: { upstream } }: Generator, last: Exchange | undefined, model: string): Ending {
  if (upstream?.calls === 0) return endWithoutUpstream(last, { upstream: upstream.url, model, others: [] });
  const failure = last && lastFailure(last);
  const limit = (last && timeLimitOf(last)) ?? (failure?.kind === 'timeout' ? 'timeout' : undefined);
  if (limit !== undefined) return { kind: 'chat-unanswered', limit };
  return failure ? { kind: 'unreachable', failure } : endingByRefusal(last && lastAnswer(last));
}

/** A rejection says nothing yet: it is asked again, as in a run (rule 3). */
async function untilSettled({ parts: { settings, channel } }: Generator, ask: () => Promise<Exchange | undefined>) {
  const { retries, retryPauses, maxRetryWait } = settings;
  const { last } = await askUntil({
    ask,
    isEnough: (exchange) => !isRejected(exchange),
    pauseAfter: (times, exchange) => {
      const pause = askedToWait(exchange) ?? retryPauses[times - 1] ?? retryPauses.at(-1) ?? 0;
      return pause > maxRetryWait ? undefined : pause;
    },
    most: retries + 1,
    signal: channel.signal,
  });
  return last;
}

/** The list of the second key, and one call of a model of that list, are its control before the load. */
export async function meetOtherKey(generator: Generator): Promise<void> {
  const { model, otherKey } = generator.parts.called;
  if (!otherKey) return;
  const most = generator.parts.drain;
  const list = await askList(generator, otherKey.role, 'before', most);
  const reading = list && readModelList(list);
  if (reading?.kind !== 'list') return;
  otherKey.model = reading.models.some(({ id }) => id === model) ? model : pickCandidates(reading.models)[0];
  if (otherKey.model === undefined) return;
  const control = await generator.ask(most, true);
  if (!control || !wasAnswered(control)) otherKey.model = undefined;
}

/** `last`: the last control; `failed`: its connection was closed or refused, as if the target were down. */
export interface SilenceAlone {
  readonly kind: 'silent' | 'failed';
  readonly last: Exchange;
  /** When the first control was sent, by `performance.now()`. */
  readonly since: number;
}

/** Three controls in a row are not answered, or as many as `most` milliseconds allow. A proper rejection is an answer. */
export async function findSilenceAlone(
  generator: Pick<Generator, 'ask'>,
  most: number,
): Promise<SilenceAlone | undefined> {
  const since = performance.now();
  let last: Exchange | undefined;
  for (let asked = 0, left = most; asked < MAX_UNANSWERED && left > 0; asked++) {
    last = await generator.ask(left);
    if (!last || isHeard(last)) return undefined;
    left = most - (performance.now() - since);
  }
  return last && { kind: lastFailure(last) && !hasHung(last) ? 'failed' : 'silent', last, since };
}

/**
 * One control at a time until one is answered, or for as long as `--recovery` allows (rule 36). `before`: the same call.
 * `silence`: of controls that were sent just before, so that their time counts.
 */
export async function awaitRecovery(
  generator: Generator,
  before: Exchange,
  silence?: SilenceAlone,
): Promise<Pick<LoadEnd, 'recovery' | 'unrecovered'>> {
  const { settings, channel } = generator.parts;
  const longest = settings.relay.recovery;
  const began = silence?.since ?? performance.now();
  const elapsed = (): number => performance.now() - began;
  const isTooLong = (wait: number): boolean => elapsed() + wait > longest;
  const waiting: UntilEnough<Exchange> = {
    ask: () => generator.ask(Math.max(INTERVAL, longest - elapsed())),
    isEnough: wasAnswered,
    pauseAfter: (_times, exchange) => {
      const wait = askedToWait(exchange) ?? 0;
      return isTooLong(wait) ? undefined : Math.min(Math.max(INTERVAL, wait), longest);
    },
    signal: channel.signal,
  };
  const isUp = silence && isTooLong(0);
  const { isEnough, last } = isUp ? { isEnough: false, last: silence.last } : await askUntil(waiting);
  const after = Math.round(elapsed());
  if (last && isEnough) return { recovery: { kind: 'recovered', after, ...timesOf(last, before) } };
  if (!last || channel.signal.aborted) return { recovery: { kind: 'not-asked' } };
  const wait = askedToWait(last);
  const said = describeLast(last);
  const what = { after, last: said };
  if (wait !== undefined && isTooLong(wait)) return { recovery: { kind: 'rejecting', ...what, retryAfter: wait } };
  if (said.status === 429) return { recovery: { kind: 'rejecting', ...what } };
  return { recovery: { kind: 'not-recovered', ...what }, unrecovered: last };
}

function isRejected(exchange: Exchange): boolean {
  return isRejection(lastAnswer(exchange)?.status);
}

/** Milliseconds that a rejection asks to wait. */
function askedToWait(exchange: Exchange): number | undefined {
  const answer = isRejected(exchange) ? lastAnswer(exchange) : undefined;
  return answer && retryAfter(answer);
}

function describeLast(exchange: Exchange): RecoveryAnswer {
  if (hasHung(exchange)) return { failure: 'timeout' };
  return withoutUndefined({ status: lastAnswer(exchange)?.status, failure: lastFailure(exchange)?.kind });
}

/** Headers alone are no answer. */
function isHeard(exchange: Exchange): boolean {
  const { status = 500 } = lastAnswer(exchange) ?? {};
  return !hasHung(exchange) && (status < 500 || status === 503);
}

/** The answer did not come, or did not end, within the time limits or until it was given up. */
function hasHung(exchange: Exchange): boolean {
  return wasGivenUp(exchange) || timeLimitOf(exchange) !== undefined;
}

function endingByRefusal(given: Answer | undefined): Ending {
  if (!given) return { kind: 'refused-alone' };
  const answer = describeAnswer(given);
  return given.status === 401 ? { kind: 'key-refused', status: 401, answer } : { kind: 'refused-alone', answer };
}

function timesOf(...exchanges: readonly [now: Exchange, before: Exchange]) {
  const [took, before] = exchanges.map((exchange) => lastAnswer(exchange)?.endAt);
  if (took === undefined || before === undefined) return {};
  return { took: Math.round(took), before: Math.round(before) };
}

/** `time`: milliseconds without an answer. */
export function recoveryFinding(exchange: Exchange, time: number): Finding {
  const answer = lastAnswer(exchange);
  const isLate = hasHung(exchange);
  if (answer && !isLate) return finding(exchange, statusFound(answer, 'answer-again'));
  const failure = lastFailure(exchange) ?? { kind: 'closed', code: '', detail: '' };
  const actualType = isLate ? 'timeout' : failure.kind;
  const actual = isLate ? ({ kind: 'unanswered', time } as const) : failureFound(failure);
  return finding(exchange, { mismatch: 'unanswered', expected: 'answer-again', actualType, actual });
}
