/** Asks the very same request again: a refusal counts if it comes twice, and what also passes fails for no reason that is in it. */
import type { Contract } from '../../contract/contract.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { type DrawCause, type CauseContext, type FailingDraw, pair } from './cause.ts';
import type { Draw, DrawnRequest } from './drawn-request.ts';
import { MOST_PER_FINDING } from './shrink-budget.ts';
import { keepFirst, usualRequest } from './simpler.ts';
import type { Symptom } from './symptoms.ts';
import { generalTopic } from './topics.ts';

/** How often a 5xx has to come again that a retry hides: with the first, as often as a request is tried. */
const OF_PASSING = 2;

type Confirmed =
  /** `times`: how often so far. */
  | { readonly kind: 'failed'; readonly times: number }
  | { readonly kind: 'passed'; readonly exchanges: readonly Exchange[] }
  | { readonly kind: 'open' };

/** A refusal counts if it comes twice, and a sequence is repeated whole. A wrong answer is wrong the first time. */
export async function confirm({ draw, asked, symptom }: FailingDraw, context: CauseContext): Promise<Confirmed> {
  const { ask, symptomsOf } = context;
  if (draw.requests.length === 1 && isWrongAnswer(symptom)) return { kind: 'failed', times: 1 };
  const place = asked.findIndex(({ exchange }) => exchange.id === symptom.exchange);
  const more = symptom.isPassing ? OF_PASSING : 1;
  for (let time = 0; time < more; time += 1) {
    const exchanges = await ask(draw, 'asked-twice');
    if (!exchanges) return { kind: 'open' };
    const isShown = symptomsOf(pair(draw, exchanges)).some(
      ({ key, exchange }) => key === symptom.key && (!symptom.isPassing || exchange === exchanges[place]?.id),
    );
    if (!isShown) return { kind: 'passed', exchanges };
  }
  return { kind: 'failed', times: 1 + more };
}

function isWrongAnswer({ isOfTopic, check, silence }: Symptom): boolean {
  return !isOfTopic || (check === 'refused' && silence === undefined);
}

/** What counts without being asked again: a wrong answer, and a 5xx that stayed over all attempts of its call. */
export function countsAsDrawn({ asked, symptom }: FailingDraw): boolean {
  if (symptom.isPassing || symptom.silence !== undefined) return false;
  const attempts = asked.find(({ exchange }) => exchange.id === symptom.exchange)?.exchange.attempts ?? [];
  return isWrongAnswer(symptom) || (symptom.finding.actualType === '5xx' && attempts.length > 1);
}

export interface Repeats {
  readonly failed: number;
  readonly asked: number;
}

/** Undefined if nothing more may be sent. */
type Fails = (draw: Draw) => Promise<boolean | undefined>;

/**
 * A sequence comes at once, and then after a request alone: a fault of every third call would otherwise always meet the same
 * one of three.
 */
export async function repeat(draw: Draw, times: number, fails: Fails, contract: Contract): Promise<Repeats> {
  const [first, ...more] = draw.requests;
  let [failed, asked] = [0, 0];
  for (; asked < times; asked += 1) {
    if (first && more.length > 0 && asked % 2 === 1)
      await fails({ ...draw, requests: [usualRequest(first, contract)] });
    const isFailing = await fails(draw);
    if (isFailing === undefined) break;
    failed += Number(isFailing);
  }
  return { failed, asked };
}

function failsWith(wanted: string, { ask, symptomsOf }: CauseContext): Fails {
  return async (draw) => {
    const exchanges = await ask(draw, 'smaller');
    const last = exchanges?.at(-1)?.id;
    return (
      exchanges && symptomsOf(pair(draw, exchanges)).some(({ key, exchange }) => key === wanted && exchange === last)
    );
  };
}

/** How often a draw is asked again if a cause is known to be intermittent. */
const OF_DRAW = 2;

/** Whether a draw that failed twice fails every time. */
export async function isSteady({ draw, asked, symptom }: FailingDraw, context: CauseContext): Promise<boolean> {
  const place = asked.findIndex(({ exchange }) => exchange.id === symptom.exchange);
  const start = keepFirst(draw, place + 1);
  const repeats = await repeat(start, OF_DRAW, failsWith(symptom.key, context), context.contract);
  return repeats.failed === repeats.asked;
}

/** Half of the faults that come every other time would pass as steady after fewer. */
const OF_CAUSE = 4;

/** The cause, as an intermittent one if its smallest request also passes. */
export async function staysSteady(cause: DrawCause, context: CauseContext): Promise<DrawCause> {
  const { smallest, symptoms, isShrunk } = cause;
  const [{ key, silence }] = symptoms;
  if (!isShrunk || silence === 'timeout' || smallest.requests.length > 1) return cause;
  const times = Math.min(OF_CAUSE, MOST_PER_FINDING - cause.requests);
  const { failed, asked } = await repeat(smallest, times, failsWith(key, context), context.contract);
  const doubted = { ...cause, requests: cause.requests + asked };
  return failed === asked ? doubted : asIntermittent(doubted, { failed: failed + 1, asked: asked + 1 });
}

/** Nothing in the request is the reason, so that there is nothing to compare it with, and no clause of its own. */
export function asIntermittent({ neighbour: _neighbour, ...cause }: DrawCause, intermittent: Repeats): DrawCause {
  const last = cause.smallest.requests.at(-1);
  const [first, ...others] = cause.symptoms.map((symptom) => (last ? inGeneral(symptom, last) : symptom));
  const symptoms = first ? ([first, ...others] as const) : cause.symptoms;
  return { ...cause, symptoms, difference: [], kindsOfText: [], isShrunk: false, intermittent };
}

/**
 * Puts the symptom of a request that a must promises an answer for under the general clause. A should may be refused
 * intermittently for its own reason.
 */
function inGeneral(symptom: Symptom, request: DrawnRequest): Symptom {
  const { id, expect } = generalTopic(request);
  const [general] = expect;
  const isPromised = symptom.isOfTopic && symptom.level === 'must' && symptom.check === general?.check;
  return isPromised ? { ...symptom, case: id, clause: general.clause } : symptom;
}
