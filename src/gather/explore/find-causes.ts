/**
 * Finds out what in a draw makes it fail: asks again, shrinks, and looks for the nearest request that passes. It asks
 * through a function, so that a recording answers in the same way as the target did. Draws that show the same in the same
 * places have one cause.
 */
import type { Contract } from '../../contract/contract.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { findAlike } from './any-violation.ts';
import { MOST_PER_FINDING, MOST_SHRUNK } from './ask-again.ts';
import {
  type Alike,
  asDrawn,
  type AskDraw,
  type CauseContext,
  type DrawCause,
  type FailingDraw,
  pair,
} from './cause.ts';
import { classify } from './classify.ts';
import type { Draw, DrawnRequest } from './drawn-request.ts';
import { featureNames } from './features.ts';
import { implant, isAlike, isSame, isSequence, isShownIn, mend, type Sign, signsOf } from './known-causes.ts';
import { confirm, countsAsDrawn, isSteady, Shrinking, staysSteady } from './shrink.ts';
import { isBarest } from './simpler.ts';
import type { AskedRequest, Symptom } from './symptoms.ts';

export interface Causes {
  readonly causes: readonly DrawCause[];
  /** Draws that failed once and passed when asked again, by number, with the exchanges that passed. */
  readonly passed: ReadonlyMap<number, readonly Exchange[]>;
  /** Draws that failed, and could not be asked again. */
  readonly open: readonly FailingDraw[];
}

/** A draw whose cause is sought. */
export interface Looking {
  readonly draw: number;
  /** The place among all failures, from 1. */
  readonly place: number;
  readonly all: number;
}

interface Given extends Omit<CauseContext, 'ask'> {
  readonly ask: AskDraw;
  readonly symptomsOf: (asked: readonly AskedRequest[]) => readonly Symptom[];
  readonly onLook?: (looking: Looking) => void;
}

export async function findCauses(failing: readonly FailingDraw[], given: Given): Promise<Causes> {
  const search = new Search(given, failing.length);
  for (const alike of findAlike(failing, given)) await search.lookAtAlike(alike);
  let waiting = inOrderOfWeight(failing, given.contract);
  while (waiting.length > 0) waiting = await search.lookAtAll(waiting);
  return search;
}

const LEVELS = ['must', 'should', 'observe'];

/** Musts first, then what is certain, then the smallest. A violation is blamed for a 5xx only if no valid request gets it. */
function inOrderOfWeight(failing: readonly FailingDraw[], contract: Contract): readonly FailingDraw[] {
  const weight = ({ symptom, draw: { requests } }: FailingDraw): number => {
    const isOpen = requests.some((request) => classify(request, contract).kind === 'open');
    const isDoubtful = symptom.isPassing ?? symptom.plainKey !== undefined;
    const kind = LEVELS.indexOf(symptom.level) * 1e9 + Number(isDoubtful) * 5e8 + Number(isOpen) * 1e8;
    return kind + requests.length * 1e6 + JSON.stringify(requests).length;
  };
  return failing.toSorted((a, b) => weight(a) - weight(b));
}

/** Draws that failed in one way and then passed: what they show hangs on the calls before, which sequences repeat. */
const MOST_PASSED = 3;

/** Requests for one of the draws that are shrunk in turn. */
const TURN = 6;

/** Draws that have something in common by more than chance. */
const SEVERAL = 3;

/** A draw that is being shrunk. */
interface Begun {
  readonly failing: FailingDraw;
  readonly shrinking: Shrinking;
  /** How often it failed so far. */
  readonly times: number;
}

class Search implements Causes {
  readonly causes: DrawCause[] = [];
  readonly passed = new Map<number, readonly Exchange[]>();
  readonly open: FailingDraw[] = [];
  readonly #context: CauseContext;
  readonly #given: Given;
  readonly #all: number;
  /** Draws that passed, by what they had shown. */
  readonly #passes = new Map<string, number>();
  /** Requests that were sent for each symptom. */
  readonly #spent = new Map<string, number>();
  /** Requests with nothing wrong. */
  readonly #right: DrawnRequest[];
  /** What each cause is known by, by its smallest form, and how many right requests were looked at for it. */
  readonly #signs = new Map<Draw, ReturnType<typeof signsOf> & { readonly seen: number }>();
  /** Signs that a draw was asked for alone. */
  readonly #sure = new Set<Sign>();
  /** Draws that were asked again. */
  readonly #done = new Set<FailingDraw>();
  #looking = '';

  constructor(given: Given, all: number) {
    const forms = new Map<string, number>();
    this.#given = given;
    this.#all = all;
    this.#right = given.sent.flatMap(({ draw: { requests }, symptoms }) => (symptoms.length === 0 ? requests : []));
    this.#context = {
      ...given,
      ask: async (draw, occasion = 'smaller') => {
        add(this.#spent, this.#looking, draw.requests.length);
        // The forms of a draw are counted, so that each has an id of its own.
        const exchanges = await given.ask(draw, occasion, add(forms, `${draw.number} ${occasion}`, 1));
        const symptoms = exchanges && given.symptomsOf(pair(draw, exchanges));
        if (symptoms?.length === 0) this.#right.push(...draw.requests);
        return exchanges && symptoms && { exchanges, symptoms };
      },
    };
  }

  /**
   * One cause for all of them. The lightest is shrunk, unless it does not fail again. If it needs more than its violation, that
   * is the cause.
   */
  async lookAtAlike({ all: given, isOne }: Alike): Promise<void> {
    const { contract } = this.#context;
    const all = inOrderOfWeight(given, contract).filter((each) => this.#indexOfKnown(each) === -1);
    const [first] = all;
    if (!first) return;
    this.#tell(first);
    const again = await confirm(first, this.#context);
    if (again.kind !== 'failed') return;
    const cause = await new Shrinking(first, this.#context).run(again.times);
    const { neighbour: _neighbour, ...rest } = cause;
    const needsMore = cause.isShrunk && !cause.smallest.requests.every((request) => isBarest(request, contract));
    if (cause.intermittent || needsMore) {
      this.causes.push(cause);
      return;
    }
    const byKey = new Map(all.toReversed().map((each) => [each.symptom.key, each]));
    byKey.delete(first.symptom.key);
    const others = [...byKey.values()];
    const [shown, ...more] = cause.symptoms;
    const draws = [...new Set(all.map(({ draw }) => draw.number))];
    const symptoms = [shown, ...more, ...others.map(({ symptom }) => symptom)] as const;
    this.causes.push({ ...rest, symptoms, difference: [], beside: [], alike: { isOne, others }, draws });
  }

  /**
   * Shrinks draws in turn, so that the last becomes as small as the first if not all can be. Returns those that have to wait:
   * what is known by then may explain them, or no longer do so.
   */
  async lookAtAll(waiting: readonly FailingDraw[]): Promise<readonly FailingDraw[]> {
    const { contract } = this.#context;
    const begun: Begun[] = [];
    const isAsRule = (each: FailingDraw): boolean =>
      this.#passesAsARule(each) || this.causes.some((cause) => isAlike(cause, each, contract));
    const mayBeOne = this.#comparing(waiting);
    // What may have a cause that is known is asked only if nothing else is left.
    for (const isLast of [false, true]) {
      for (const each of begun.length > 0 ? [] : waiting) {
        const isBegun = begun.some(({ failing }) => mayBeOne(failing, each));
        if (this.#done.has(each) || isBegun || this.#indexOfKnown(each) !== -1 || (!isLast && isAsRule(each))) continue;
        const next = await this.#lookAt(each);
        if (next) begun.push(next);
      }
    }
    for (let active: readonly Begun[] = begun; active.length > 0;) {
      const next: Begun[] = [];
      for (const each of active) {
        this.#tell(each.failing);
        const known = this.#indexOfKnown(each.failing);
        if (known !== -1) this.#attribute(known, each.failing);
        else if (await each.shrinking.goOn(TURN)) next.push(each);
        else await this.#close(each);
      }
      active = next;
    }
    const left = waiting.filter((each) => !this.#done.has(each));
    return begun.length > 0 ? left : await this.#attributeKnown(left);
  }

  /**
   * Whether two draws may fail for one reason: they fail in one way, and not each for something else that several of them have,
   * and no right request.
   */
  #comparing(waiting: readonly FailingDraw[]): (each: FailingDraw, other: FailingDraw) => boolean {
    const { contract } = this.#context;
    const namesIn = (request: DrawnRequest): readonly string[] => featureNames(request, contract);
    const isRight = (request: DrawnRequest): boolean =>
      ['valid', 'tolerant'].includes(classify(request, contract).kind);
    const right = new Set(this.#right.filter(isRight).flatMap(namesIn));
    const carriers = new Map<string, number>();
    for (const { request } of waiting) for (const name of new Set(namesIn(request))) add(carriers, name, 1);
    const isOdd = (name: string): boolean => !right.has(name) && (carriers.get(name) ?? 0) >= SEVERAL;
    return (each, other) => {
      if (!isShownIn([each.symptom], other.symptom)) return false;
      const [first = [], second = []] = [each, other].map(({ request }) => namesIn(request).filter(isOdd));
      return first.length === 0 || second.length === 0 || first.some((name) => second.includes(name));
    };
  }

  /** Those that are not explained after all: the first with a sign is asked for it alone. */
  async #attributeKnown(known: readonly FailingDraw[]): Promise<readonly FailingDraw[]> {
    const unexplained: FailingDraw[] = [];
    for (const each of known) {
      const first = this.#indexOfKnown(each);
      const cause = this.causes[first];
      const signs = cause && this.#signs.get(cause.smallest);
      const unsure = signs?.all.filter((isIn) => isIn(each.request) && !this.#sure.has(isIn)) ?? [];
      if (cause && unsure.length > 0 && (await this.#isDueTo(cause, each)) !== false)
        for (const sign of unsure) this.#sure.add(sign);
      const own = this.#indexOfKnown(each);
      if (own === -1) unexplained.push(each);
      else this.#attribute(own, each);
    }
    return unexplained;
  }

  /** Whether what the draw has in the places of the cause fails alone. Undefined if that is not known. */
  async #isDueTo(cause: DrawCause, each: FailingDraw): Promise<boolean | undefined> {
    const form = implant(each, cause, this.#context.contract);
    const asked = form && (await this.#context.ask(form));
    return asked && isShownIn(asked.symptoms, each.symptom);
  }

  #tell({ draw, symptom }: FailingDraw): void {
    this.#looking = symptom.key;
    this.#given.onLook?.({ draw: draw.number, place: Math.max(1, this.#done.size), all: this.#all });
  }

  #passesAsARule({ draw, symptom }: FailingDraw): boolean {
    const isKnown = this.causes.some(({ symptoms: [{ key }], intermittent }) => intermittent && key === symptom.key);
    return draw.requests.length === 1 && (isKnown || (this.#passes.get(symptom.key) ?? 0) >= MOST_PASSED);
  }

  /** What has to be shrunk; undefined if its cause is known, or if none can be found. */
  async #lookAt(each: FailingDraw): Promise<Begun | undefined> {
    this.#done.add(each);
    this.#tell(each);
    const own = await this.#indexOfImplanted(each);
    const likely = this.#causesAlike(each);
    const alike = likely[0] ? this.causes.indexOf(likely[0]) : -1;
    const known = own === -1 && this.#isSpent(each.symptom) ? await this.#indexOfLikely(likely, each) : own;
    if (known !== -1) {
      this.#attribute(known, each);
      return undefined;
    }
    const again = await confirm(each, this.#context);
    const isIntermittent = this.causes[alike]?.intermittent !== undefined;
    if (again.kind === 'passed' && !isIntermittent) await this.#pass(each, again.exchanges);
    else if (again.kind === 'passed') this.#attribute(alike, each);
    else if (again.kind === 'open') this.#leaveOpen(each);
    else if (isIntermittent && !(await isSteady(each, this.#context))) this.#attribute(alike, each);
    else if (this.causes.length >= MOST_SHRUNK) this.#keep(each, asDrawn(each, again.times - 1));
    else return { failing: each, shrinking: this.#shrink(each), times: again.times };
    return undefined;
  }

  #shrink(each: FailingDraw): Shrinking {
    return new Shrinking(each, this.#context, (draw) => {
      const [request = each.request] = draw.requests.slice(-1);
      return draw.requests.length === 1 && this.#indexOfKnown({ ...each, draw, request }) !== -1;
    });
  }

  /** A cause that the draw has all of, as far as one can tell without asking. */
  #indexOfKnown(each: FailingDraw): number {
    return this.causes.findIndex((cause) => this.#explains(cause, each));
  }

  /** If it passes with all that is known mended: the cause that what the draw has in its places shows alone. */
  async #indexOfImplanted(each: FailingDraw): Promise<number> {
    const { draw, place, request, symptom } = each;
    const shown = this.causes.filter(({ symptoms }) => isShownIn(symptoms, symptom));
    const mended = shown.reduce(mend, request);
    if (JSON.stringify(mended) === JSON.stringify(request)) return -1;
    const asked = await this.#context.ask({ ...draw, requests: [...draw.requests.slice(0, place), mended] });
    if (!asked || isShownIn(asked.symptoms, symptom)) return -1;
    return this.#indexOfDue(shown, each);
  }

  async #indexOfDue(causes: readonly DrawCause[], each: FailingDraw): Promise<number> {
    for (const cause of causes) if (await this.#isDueTo(cause, each)) return this.causes.indexOf(cause);
    return -1;
  }

  /** If several causes show in the same way, one that was asked for alone. */
  async #indexOfLikely(likely: readonly DrawCause[], each: FailingDraw): Promise<number> {
    const only = this.#onlyCause(each);
    return only ? this.causes.indexOf(only) : this.#indexOfDue(likely, each);
  }

  #explains(cause: DrawCause, { draw, symptom, request }: FailingDraw): boolean {
    const { contract } = this.#context;
    const { draws, smallest, alike, isShrunk } = cause;
    if (!isShownIn(cause.symptoms, symptom)) return false;
    if (draws.includes(draw.number)) return true;
    if (alike) return alike.isOne(request);
    if (!isShrunk) return false;
    if (isSequence(cause)) return draw.requests.length >= smallest.requests.length;
    const { all, mayShow, seen } = this.#signs.get(smallest) ?? { ...signsOf(cause, contract), seen: 0 };
    const right = this.#right.slice(seen).filter(mayShow);
    const signs = all.filter((isIn) => !right.some(isIn));
    this.#signs.set(smallest, { all: signs, mayShow, seen: this.#right.length });
    return signs.some((isIn) => isIn(request));
  }

  /** Whether each cause of a symptom has had its requests, and one more that was not found. */
  #isSpent({ key }: Symptom): boolean {
    const found = this.causes.filter(({ symptoms }) => symptoms.some((symptom) => symptom.key === key)).length;
    return (this.#spent.get(key) ?? 0) >= MOST_PER_FINDING * (found + 1);
  }

  async #close({ failing, shrinking, times }: Begun): Promise<void> {
    this.#tell(failing);
    const cause = await shrinking.close(times);
    const isDoubtful = this.#passes.has(cause.symptoms[0].key);
    this.#keep(failing, isDoubtful ? await staysSteady(cause, this.#context) : cause);
  }

  /** As a cause of its own, unless it is known. */
  #keep(each: FailingDraw, cause: DrawCause): void {
    const { contract } = this.#context;
    const same = this.causes.findIndex((other) => isSame(other, cause));
    const alike = this.causes.findIndex((other) => isAlike(other, each, contract));
    if (same !== -1) this.#attribute(same, each);
    else if (alike !== -1 && !cause.isShrunk) this.#attribute(alike, each);
    else if (each.symptom.isPassing && !cause.isShrunk) this.passed.set(each.draw.number, []);
    else this.causes.push(cause);
  }

  /** What could not be asked again belongs to the cause that shows in the same way, if there is but one. */
  #leaveOpen(each: FailingDraw): void {
    const { symptom } = each;
    const alike = this.#causesAlike(each);
    // What was not shrunk shows no more than that its own case is broken: the contract may not promise that for the draw.
    const isOwnCase = (cause: DrawCause): boolean =>
      !isFound(cause) && cause.symptoms.some((shown) => shown.case === symptom.case);
    const own = this.#onlyCause(each) ?? alike.find(isOwnCase);
    if (own) this.#attribute(this.causes.indexOf(own), each);
    else if (!alike.some(isFound) && countsAsDrawn(each)) this.causes.push(asDrawn(each, 0));
    // What a retry hides went away in other draws.
    else if (symptom.isPassing && this.#passes.has(symptom.key)) this.passed.set(each.draw.number, []);
    else this.open.push(each);
  }

  #causesAlike(each: FailingDraw): readonly DrawCause[] {
    return this.causes.filter((cause) => isAlike(cause, each, this.#context.contract));
  }

  /** The cause that the draw may have, if no other one shows in the same way. */
  #onlyCause(each: FailingDraw): DrawCause | undefined {
    const [only, ...more] = this.causes.filter((cause) => isFound(cause) && isShownIn(cause.symptoms, each.symptom));
    return only && more.length === 0 && this.#causesAlike(each).includes(only) ? only : undefined;
  }

  /** A cause that was found before draws of its kind passed when they were asked again may be as unsteady. */
  async #pass({ draw, symptom }: FailingDraw, exchanges: readonly Exchange[]): Promise<void> {
    this.passed.set(draw.number, exchanges);
    if (add(this.#passes, symptom.key, 1) > 1) return;
    for (const [index, cause] of this.causes.entries()) {
      if (cause.symptoms[0].key === symptom.key) this.causes[index] = await staysSteady(cause, this.#context);
    }
  }

  #attribute(index: number, { draw }: FailingDraw): void {
    const cause = this.causes[index];
    if (cause) this.causes[index] = { ...cause, draws: [...new Set([...cause.draws, draw.number])] };
  }
}

/** Whether it is known what the cause is. */
const isFound = ({ isShrunk, intermittent }: DrawCause): boolean => isShrunk || intermittent !== undefined;

/** The number under this name, with so many more. */
function add(counts: Map<string, number>, name: string, more: number): number {
  const count = (counts.get(name) ?? 0) + more;
  counts.set(name, count);
  return count;
}
