/** Shrinks a draw that fails, and finds the nearest form that passes. */
import type { Exchange } from '../exchange/exchange.ts';
import { lastAnswer } from '../exchange/reading/answered.ts';
import { violationIn } from './any-violation.ts';
import {
  asDrawn,
  type Cause,
  type CauseContext,
  type FailingDraw,
  featuresOfCause,
  type Occasion,
  pair,
  saidBy,
} from './cause.ts';
import { approach } from './approach.ts';
import { classify } from './classify.ts';
import { differenceOf, distanceOf } from './difference.ts';
import { type Draw, keepFirst } from './drawn-request.ts';
import { MOST_PER_FINDING } from './looking-limits.ts';
import { edgesOf, isBeyondEdge } from './passing-numbers.ts';
import { asIntermittent, repeat, type Repeats } from './repeats.ts';
import { isSaidLike, type Said, saidIn } from './said.ts';
import { smallerForms, withoutLast } from './smaller.ts';
import type { Symptom } from './symptoms.ts';

/** Forms that are asked once more until one passes again. */
const MOST_NEIGHBOURS = 2;

/** More places than any two requests differ in. */
const OTHER_ANSWER = 1_000;
/** For the counts of one that also passes. */
const MORE = 3;

interface Tried {
  readonly draw: Draw;
  readonly exchanges: readonly Exchange[];
  /** The symptom in question first; empty if it does not show. */
  readonly symptoms: readonly Symptom[];
  /** Whether nothing at all is wrong with it. */
  readonly isPassed: boolean;
}

export class Shrinking {
  readonly #failing: FailingDraw;
  readonly #context: CauseContext;
  /** What the draw showed when it was asked again; the same as at first if it did not have to be. */
  readonly #again: Symptom;
  /** What its answers say. */
  readonly #said: readonly Said[];
  readonly #tried = new Map<string, Tried>();
  /** What was done to forms that passed. In a smaller form, it is tried again only in the end. */
  readonly #passed = new Set<string>();
  #requests = 0;
  /** What is looked for. It becomes that of a valid request if the violation turns out not to matter. */
  #wanted: Pick<Symptom, 'key' | 'plainKey'>;
  #isOver = false;

  constructor(failing: FailingDraw, again: Symptom, context: CauseContext) {
    this.#failing = failing;
    this.#again = again;
    this.#context = context;
    this.#said = saidBy(failing.symptom, again);
    this.#wanted = failing.symptom;
  }

  async run(): Promise<Cause> {
    const { draw, symptom, asked } = this.#failing;
    const first = asked.findIndex(({ exchange }) => exchange.id === symptom.exchange);
    const { smallest, isShrunk } = await this.#shrink(keepFirst(draw, first + 1));
    const again = await this.#ask(smallest, 'asked-twice');
    const last = again ?? this.#tried.get(JSON.stringify(smallest.requests));
    const [shown, ...others] = last?.symptoms ?? [];
    // What a retry may hide counts only if it was tried again.
    const isHidden = symptom.isPassing ?? shown?.finding.actualType === '5xx';
    if (!shown || (isHidden && !again)) return this.#asDrawn();
    const cause: Cause = {
      draw,
      smallest,
      symptoms: [shown, ...others],
      difference: [],
      requests: this.#requests,
      isShrunk: isShrunk && again !== undefined,
      draws: [draw.number],
      features: new Set(),
      said: saidBy(symptom, shown),
    };
    if (!again) return cause;
    const repeats = await this.#repeat(smallest, this.#lastRepeats(smallest));
    if (repeats.failed < repeats.asked) {
      const { failed, asked: more } = await this.#repeat(smallest, MORE);
      const counts = { failed: 1 + repeats.failed + failed, asked: 1 + repeats.asked + more };
      return asIntermittent({ ...cause, requests: this.#requests }, counts);
    }
    const neighbour = await this.#neighbourOf(smallest);
    return {
      ...cause,
      ...(neighbour && { neighbour }),
      difference: neighbour ? differenceOf(smallest, neighbour.draw) : [],
      requests: this.#requests,
      features: featuresOfCause({ draw, smallest }, neighbour?.draw, this.#context.contract),
    };
  }

  /** No smaller form fails every time, and the draw may not do so either. */
  async #asDrawn(): Promise<Cause> {
    const { symptom } = this.#failing;
    const drawn = asDrawn(this.#failing, symptom, this.#requests);
    const { failed, asked } = await this.#repeat(drawn.smallest, MORE);
    const cause = { ...drawn, requests: this.#requests };
    const before = this.#again === symptom ? 1 : 2;
    return failed === asked ? cause : asIntermittent(cause, { failed: before + failed, asked: before + asked });
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

  /** First without what is known to pass in a larger form, then with it: smaller forms may differ. */
  async #shrink(start: Draw): Promise<{ readonly smallest: Draw; readonly isShrunk: boolean }> {
    let smallest = start;
    for (;;) {
      for (let next: Draw | undefined = smallest; next; next = await this.#firstFailing(next, false)) smallest = next;
      if (this.#isOver) return { smallest, isShrunk: false };
      const next = await this.#firstFailing(smallest, true);
      // Nothing is known to be left out, even if not all could be tried again.
      if (!next) return { smallest: await this.#approach(smallest), isShrunk: true };
      smallest = next;
    }
  }

  #approach(smallest: Draw): Promise<Draw> {
    const { contract, usualTokens } = this.#context;
    const fails = async (form: Draw): Promise<boolean | undefined> => {
      const tried = await this.#try(form);
      return tried && tried.symptoms.length > 0;
    };
    return approach(smallest, this.#passing(), { contract, usualTokens, fails });
  }

  /** Forms that do not show it. */
  #passing(): readonly Draw[] {
    return [...this.#tried.values()].flatMap(({ symptoms, draw }) => (symptoms.length === 0 ? [draw] : []));
  }

  async #firstFailing(draw: Draw, isThorough: boolean): Promise<Draw | undefined> {
    const edges = edgesOf(draw, this.#passing());
    for (const { way, draw: form, isLarger } of smallerForms(draw, this.#context.contract)) {
      if (isLarger || (this.#passed.has(way) && !isThorough) || isBeyondEdge(form, draw, edges)) continue;
      // It led here: numbers become rounder, and then nearer to what passes.
      if ((this.#tried.get(JSON.stringify(form.requests))?.symptoms ?? []).length > 0) continue;
      const tried = await this.#try(form);
      if (!tried) return undefined;
      const [shown] = tried.symptoms;
      if (shown) {
        this.#wanted = shown;
        return form;
      }
      this.#passed.add(way);
    }
    return undefined;
  }

  /** Undefined if the budget has run out. */
  async #try(draw: Draw): Promise<Tried | undefined> {
    const key = JSON.stringify(draw.requests);
    const known = this.#tried.get(key);
    if (known) return known;
    if (this.#isOver || this.#requests + this.#closing(draw) > MOST_PER_FINDING) {
      this.#isOver = true;
      return undefined;
    }
    const tried = await this.#ask(draw);
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

  async #ask(draw: Draw, occasion: Occasion = 'smaller'): Promise<Tried | undefined> {
    const exchanges = await this.#context.ask(draw, occasion);
    if (!exchanges) return undefined;
    this.#requests += draw.requests.length;
    const { key, plainKey } = this.#wanted;
    const last = exchanges.at(-1)?.id;
    const found = this.#context.symptomsOf(pair(draw, exchanges)).filter(({ exchange }) => exchange === last);
    const alike = found.filter((symptom) => isSaidLike(this.#said, saidIn(symptom), ['status', 'code']));
    const shown = alike.find((symptom) => symptom.key === key) ?? alike.find((symptom) => symptom.key === plainKey);
    const symptoms = shown ? [shown, ...found.filter((symptom) => symptom !== shown)] : [];
    return { draw, exchanges, symptoms, isPassed: found.length === 0 && isPassedBy(draw, exchanges, this.#context) };
  }

  /** The form that passed and differs least, or the same without what is special about it. */
  async #neighbourOf(smallest: Draw): Promise<Cause['neighbour']> {
    const passed = [...this.#tried.values()].filter(({ isPassed }) => isPassed);
    const forms = [...passed.map(({ draw }) => draw), withoutLast(smallest, this.#context.contract)]
      .map((draw) => ({ draw, distance: distanceOf(differenceOf(smallest, draw)) + this.#otherAnswer(draw) }))
      .toSorted((a, b) => a.distance - b.distance);
    const isMended = passed.length === 0 && violationIn(smallest.requests.at(-1), this.#context.contract) !== undefined;
    for (const { draw } of forms.slice(0, MOST_NEIGHBOURS)) {
      const tried = await this.#passesAgain(draw);
      if (tried) return { draw, exchange: tried.exchanges.at(-1)?.id ?? '', isMended };
    }
    return undefined;
  }

  /** The body of an error is best compared with that of another error: without its violation, a request has none. */
  #otherAnswer(draw: Draw): number {
    const last = this.#tried.get(JSON.stringify(draw.requests))?.exchanges.at(-1);
    const isError = (last && lastAnswer(last)?.status !== 200) ?? false;
    return this.#failing.symptom.finding.status === undefined || isError ? 0 : OTHER_ANSWER;
  }

  /** Once more, beside the one that fails. It is taken as it was if nothing more may be sent. */
  async #passesAgain(draw: Draw): Promise<Tried | undefined> {
    const again = (await this.#ask(draw, 'asked-twice')) ?? this.#tried.get(JSON.stringify(draw.requests));
    return again?.isPassed ? again : undefined;
  }
}

/** All were answered. The last one got a 200, unless it has a violation, which is to be refused. */
function isPassedBy({ requests }: Draw, exchanges: readonly Exchange[], { contract }: CauseContext): boolean {
  const answers = exchanges.map(lastAnswer);
  const isViolation = requests.slice(-1).every((request) => classify(request, contract).kind === 'invalid');
  return answers.every((answer) => answer !== undefined) && (isViolation || answers.at(-1)?.status === 200);
}
