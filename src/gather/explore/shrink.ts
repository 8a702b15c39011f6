/**
 * Asks the very same request again: a refusal counts if it comes twice, and what also passes fails for no reason that is in it.
 * Then shrinks a draw that fails, and finds the nearest form that passes.
 */
import type { Exchange } from '../../exchange/exchange.ts';
import type { Contract } from '../../contract/contract.ts';
import { lastAnswer } from '../../exchange/reading/answered.ts';
import { asDrawn, type AskedDraw, type CauseContext, type DrawCause, type FailingDraw, upToFailing } from './cause.ts';
import { besideOf, differenceOf, distanceOf } from './difference.ts';
import { MOST_PER_FINDING } from './ask-again.ts';
import { generalTopic } from './topics.ts';
import { mendRequest, violationIn } from './classify.ts';
import type { Draw, DrawnRequest } from './drawn-request.ts';
import { isWithin, simplerForms, usualRequest } from './simpler.ts';
import type { Symptom } from './symptoms.ts';

/** Forms that are asked once more until one passes again. */
const MOST_NEIGHBOURS = 2;

/** More places than any two requests differ in. */
const OTHER_ANSWER = 1_000;
/** How often a request that also passes is asked again, for its counts. */
const MORE = 3;

/** `symptoms`: the one in question first; empty if it does not show. */
interface Tried extends AskedDraw {
  readonly draw: Draw;
  /** Whether nothing at all is wrong with it. What fails in another way says nothing of its parts. */
  readonly isRight: boolean;
  /** Whether it was answered too, as far as that is due. */
  readonly isPassed: boolean;
}

const textOf = ({ requests }: Draw): string => JSON.stringify(requests);

export class Shrinking {
  readonly #failing: FailingDraw;
  readonly #context: CauseContext;
  readonly #tried = new Map<string, Tried>();
  #smallest: Draw;
  #requests = 0;
  /** It stops at so many requests, and may go on. */
  #most = Infinity;
  /** What is looked for. It becomes that of a valid request if the violation turns out not to matter. */
  #wanted: Pick<Symptom, 'key' | 'plainKey'>;
  #isShrunk = false;
  #isOver = false;

  /** What fails for a reason that is known already is no smaller form of this one. */
  readonly #isKnown: (form: Draw) => boolean;

  constructor(failing: FailingDraw, context: CauseContext, isKnown: (form: Draw) => boolean = () => false) {
    this.#failing = failing;
    this.#context = context;
    this.#wanted = failing.symptom;
    this.#smallest = upToFailing(failing);
    this.#isKnown = isKnown(this.#smallest) ? () => false : isKnown;
  }

  /** Shrinks with so many requests more. Whether there is more to do. */
  async goOn(more: number): Promise<boolean> {
    this.#most = this.#requests + more;
    this.#isShrunk = await this.#shrink();
    return !this.#isShrunk && !this.#isOver;
  }

  /** `times`: how often it failed so far. */
  async run(times: number): Promise<DrawCause> {
    await this.goOn(Infinity);
    return this.close(times);
  }

  /** Asks the smallest once more, and beside it what passes. */
  async close(times: number): Promise<DrawCause> {
    const { symptom } = this.#failing;
    const smallest = this.#smallest;
    const { symptoms, isSure } = await this.#showAgain(times);
    const [shown, ...others] = symptoms;
    // What a retry may hide counts only if it was tried again.
    const isHidden = symptom.isPassing ?? shown?.finding.actualType === '5xx';
    if (!shown || (isHidden && !isSure)) return this.#asDrawn(times);
    const cause: DrawCause = {
      ...asDrawn(this.#failing, this.#requests),
      smallest,
      symptoms: [shown, ...others],
      isShrunk: this.#isShrunk && isSure,
    };
    if (!isSure) return cause;
    const repeats = await this.#repeat(smallest, this.#lastRepeats(smallest));
    if (repeats.failed < repeats.asked) {
      const { failed, asked: more } = await this.#repeat(smallest, MORE);
      const counts = { failed: 1 + repeats.failed + failed, asked: 1 + repeats.asked + more };
      return asIntermittent({ ...cause, requests: this.#requests }, counts);
    }
    const neighbour = await this.#neighbourOf(smallest);
    if (!neighbour) return { ...cause, requests: this.#requests };
    const difference = differenceOf(smallest, neighbour.draw);
    const beside = cause.isShrunk ? besideOf(smallest, difference) : [];
    return { ...cause, neighbour, difference, beside, requests: this.#requests };
  }

  /** `isSure`: it was asked once more. The draw itself was, if it failed more than once. */
  async #showAgain(times: number): Promise<Pick<Tried, 'symptoms'> & { readonly isSure: boolean }> {
    const again = await this.#ask(this.#smallest, 'asked-twice');
    if (again) return { symptoms: again.symptoms, isSure: true };
    const isDraw = textOf(this.#smallest) === textOf(upToFailing(this.#failing));
    if (times > 1 && isDraw) return { symptoms: [this.#failing.symptom], isSure: true };
    return { symptoms: this.#tried.get(textOf(this.#smallest))?.symptoms ?? [], isSure: false };
  }

  /** No simpler form fails every time, and the draw may not do so either. */
  async #asDrawn(times: number): Promise<DrawCause> {
    const drawn = asDrawn(this.#failing, this.#requests);
    const { failed, asked } = await this.#repeat(drawn.smallest, MORE);
    const cause = { ...drawn, requests: this.#requests };
    return failed === asked ? cause : asIntermittent(cause, { failed: times + failed, asked: times + asked });
  }

  /** A hang takes long, and is not judged. */
  async #repeat(draw: Draw, times: number): Promise<Repeats> {
    const fails = async (form: Draw): Promise<boolean | undefined> => {
      if (this.#requests + form.requests.length > MOST_PER_FINDING) return undefined;
      const tried = await this.#ask(form);
      return tried && tried.symptoms.length > 0;
    };
    return repeat(draw, this.#failing.symptom.silence === 'timeout' ? 0 : times, fails, this.#context.contract);
  }

  /**
   * First without what is part of any form that passed. In the end that counts only for forms which are part of the smallest.
   * Whether nothing is left to try.
   */
  async #shrink(): Promise<boolean> {
    for (;;) {
      for (let next: Draw | undefined = this.#smallest; next; next = await this.#firstFailing(next, false))
        this.#smallest = next;
      if (this.#hasStopped()) return false;
      const next = await this.#firstFailing(this.#smallest, true);
      // Nothing is known to be left out, even if not all could be tried again.
      if (!next) return this.#isOver || !this.#hasStopped();
      this.#smallest = next;
    }
  }

  #hasStopped(): boolean {
    return this.#isOver || this.#requests >= this.#most;
  }

  async #firstFailing(draw: Draw, isThorough: boolean): Promise<Draw | undefined> {
    const { contract } = this.#context;
    const passed = [...this.#tried.values()].filter(({ isRight }) => isRight).map((tried) => tried.draw);
    const known = isThorough ? passed.filter((each) => isWithin(each, draw, contract)) : passed;
    for (const form of simplerForms(draw, contract)) {
      // Its first requests alone do not end with the one that fails.
      const isHead = form.requests.length < draw.requests.length && form.requests.at(-1) !== draw.requests.at(-1);
      if (isHead || this.#isKnown(form) || known.some((each) => isWithin(form, each, contract))) continue;
      const tried = await this.#try(form);
      if (!tried) return undefined;
      const [shown] = tried.symptoms;
      if (shown) {
        this.#wanted = shown;
        return form;
      }
      if (tried.isRight && (!isThorough || isWithin(form, draw, contract))) known.push(form);
    }
    return undefined;
  }

  /** Undefined if the budget has run out. */
  async #try(draw: Draw): Promise<Tried | undefined> {
    const key = textOf(draw);
    const known = this.#tried.get(key);
    if (known) return known;
    if (this.#requests >= this.#most) return undefined;
    this.#isOver ||= this.#requests + this.#closing(draw) > MOST_PER_FINDING;
    const tried = this.#isOver ? undefined : await this.#ask(draw);
    if (tried) this.#tried.set(key, tried);
    else this.#isOver = true;
    return tried;
  }

  /** Requests that a form of this size may still take: it is asked now, in the end, again and again, and beside its neighbour. */
  #closing(draw: Draw): number {
    const { length } = draw.requests;
    return length * (3 + this.#lastRepeats(draw)) + (length > 1 ? 1 : 0);
  }

  /** How often the smallest form is asked at the end, after the time that the report shows. A refusal costs nothing. */
  #lastRepeats({ requests }: Draw): number {
    const { isOfTopic, check } = this.#failing.symptom;
    return requests.length === 1 && isOfTopic && check !== 'refused' ? 4 : 2;
  }

  async #ask(...[draw, occasion]: Parameters<CauseContext['ask']>): Promise<Tried | undefined> {
    const asked = await this.#context.ask(draw, occasion);
    if (!asked) return undefined;
    this.#requests += draw.requests.length;
    const { exchanges } = asked;
    const { key, plainKey } = this.#wanted;
    const found = symptomsOfLast(asked);
    const shown = found.find((symptom) => symptom.key === key) ?? found.find((symptom) => symptom.key === plainKey);
    const symptoms = shown ? [shown, ...found.filter((symptom) => symptom !== shown)] : [];
    const isRight = found.length === 0;
    return { draw, exchanges, symptoms, isRight, isPassed: isRight && isPassedBy(draw, exchanges, this.#context) };
  }

  /** The form that passed and differs least, or the same without what is special about it. */
  async #neighbourOf(smallest: Draw): Promise<DrawCause['neighbour']> {
    const passed = [...this.#tried.values()].filter(({ isPassed }) => isPassed);
    const forms = [...passed.map(({ draw }) => draw), this.#withoutLast(smallest)]
      .map((draw) => ({ draw, distance: distanceOf(differenceOf(smallest, draw)) + this.#otherAnswer(draw) }))
      .toSorted((a, b) => a.distance - b.distance);
    for (const { draw } of forms.slice(0, MOST_NEIGHBOURS)) {
      // Once more, beside the one that fails. It is taken as it was if nothing more may be sent.
      const tried = (await this.#ask(draw, 'asked-twice')) ?? this.#tried.get(textOf(draw));
      if (tried?.isPassed) return { draw, exchange: tried.exchanges.at(-1)?.id ?? '' };
    }
    return undefined;
  }

  /** The last request without its violation; as usual if it has none. */
  #withoutLast(draw: Draw): Draw {
    const { contract } = this.#context;
    const mended = draw.requests
      .slice(-1)
      .map((request) =>
        violationIn(request, contract) === undefined
          ? usualRequest(request, contract)
          : mendRequest(request, contract).mended,
      );
    return { ...draw, requests: [...draw.requests.slice(0, -1), ...mended] };
  }

  /** The body of an error is best compared with that of another error: without its violation, a request has none. */
  #otherAnswer(draw: Draw): number {
    const last = this.#tried.get(textOf(draw))?.exchanges.at(-1);
    const isError = (last && lastAnswer(last)?.status !== 200) ?? false;
    return this.#failing.symptom.finding.status === undefined || isError ? 0 : OTHER_ANSWER;
  }
}

/** All were answered. The last one got a 200, unless it has a violation, which is to be refused. */
function isPassedBy({ requests }: Draw, exchanges: readonly Exchange[], { contract }: CauseContext): boolean {
  const answers = exchanges.map(lastAnswer);
  const isViolation = violationIn(requests.at(-1), contract) !== undefined;
  return answers.every((answer) => answer !== undefined) && (isViolation || answers.at(-1)?.status === 200);
}

/** How often a 5xx has to come again that a retry hides: with the first, as often as a request is tried. */
const OF_PASSING = 2;

type Confirmed =
  /** `times`: how often so far. */
  | { readonly kind: 'failed'; readonly times: number }
  | { readonly kind: 'passed'; readonly exchanges: readonly Exchange[] }
  | { readonly kind: 'open' };

/** A refusal counts if it comes twice, and a sequence is repeated whole. A wrong answer is wrong the first time. */
export async function confirm({ draw, symptom, place }: FailingDraw, { ask }: CauseContext): Promise<Confirmed> {
  if (draw.requests.length === 1 && isWrongAnswer(symptom)) return { kind: 'failed', times: 1 };
  const more = symptom.isPassing ? OF_PASSING : 1;
  for (let time = 0; time < more; time += 1) {
    const again = await ask(draw, 'asked-twice');
    if (!again) return { kind: 'open' };
    const { exchanges, symptoms } = again;
    const isShown = symptoms.some(
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
export function countsAsDrawn({ exchange, symptom }: FailingDraw): boolean {
  if (symptom.isPassing || symptom.silence !== undefined) return false;
  return isWrongAnswer(symptom) || (symptom.finding.actualType === '5xx' && exchange.attempts.length > 1);
}

type Repeats = NonNullable<DrawCause['intermittent']>;

/** Undefined if nothing more may be sent. */
type Fails = (draw: Draw) => Promise<boolean | undefined>;

/**
 * A sequence comes at once, and then after a request alone: a fault of every third call would otherwise always meet the same
 * one of three.
 */
async function repeat(draw: Draw, times: number, fails: Fails, contract: Contract): Promise<Repeats> {
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

const symptomsOfLast = ({ exchanges, symptoms }: AskedDraw): readonly Symptom[] =>
  symptoms.filter(({ exchange }) => exchange === exchanges.at(-1)?.id);

function failsWith(wanted: string, { ask }: CauseContext): Fails {
  return async (draw) => {
    const asked = await ask(draw);
    return asked && symptomsOfLast(asked).some(({ key }) => key === wanted);
  };
}

/** How often a draw is asked again if a cause is known to be intermittent. */
const OF_DRAW = 2;

/** Whether a draw that failed twice fails every time. */
export async function isSteady(failing: FailingDraw, context: CauseContext): Promise<boolean> {
  const fails = failsWith(failing.symptom.key, context);
  const { failed, asked } = await repeat(upToFailing(failing), OF_DRAW, fails, context.contract);
  return failed === asked;
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
function asIntermittent({ neighbour: _neighbour, ...cause }: DrawCause, intermittent: Repeats): DrawCause {
  const last = cause.smallest.requests.at(-1);
  const [first, ...others] = cause.symptoms.map((symptom) => (last ? inGeneral(symptom, last) : symptom));
  const symptoms = first ? ([first, ...others] as const) : cause.symptoms;
  return { ...cause, symptoms, difference: [], beside: [], isShrunk: false, intermittent };
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
