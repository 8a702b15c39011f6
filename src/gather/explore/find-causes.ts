/**
 * Finds out what in a draw makes it fail: asks again, shrinks, and looks for the nearest request that passes. It asks
 * through a function, so that a recording answers in the same way as the target did. Draws that show the same in the same
 * places have one cause.
 */
import type { Contract } from '../../contract/contract.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { type JsonObject, pointerTokens } from '../../json.ts';
import { asDrawn, type AskDraw, type CauseContext, type DrawCause, type FailingDraw, pair } from './cause.ts';
import { MOST_PER_FINDING, MOST_SHRUNK } from './ask-again.ts';
import { SPELLING, triggerOf } from './difference.ts';
import { classify, violationIn } from './classify.ts';
import { generalTopic } from './topics.ts';
import { type Draw, type DrawnRequest, messagesIn } from './drawn-request.ts';
import { withBody, withMessages, without } from './change-request.ts';
import { confirm, countsAsDrawn, isSteady, Shrinking, staysSteady } from './shrink.ts';
import { isWithin, USUAL_MESSAGE } from './simpler.ts';
import type { AskedRequest, Symptom } from './symptoms.ts';
import { isUnknownName, withoutUnknown } from './requests.ts';

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
  const search = new Search(given);
  const putOff: FailingDraw[] = [];
  let place = 0;
  const look = (each: FailingDraw): Promise<void> => {
    place += 1;
    given.onLook?.({ draw: each.draw.number, place, all: failing.length });
    return search.lookAt(each);
  };
  for (const each of inOrderOfWeight(failing, given.contract)) {
    if (search.passesAsARule(each)) putOff.push(each);
    else await look(each);
  }
  for (const each of putOff) await look(each);
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

class Search implements Causes {
  readonly causes: DrawCause[] = [];
  readonly passed = new Map<number, readonly Exchange[]>();
  readonly open: FailingDraw[] = [];
  readonly #context: CauseContext;
  /** Draws that passed, by what they had shown. */
  readonly #passes = new Map<string, number>();
  /** Requests that were sent for each symptom. */
  readonly #spent = new Map<string, number>();
  #looking = '';

  constructor(given: Given) {
    const forms = new Map<string, number>();
    this.#context = {
      ...given,
      ask: async (draw, occasion = 'smaller') => {
        add(this.#spent, this.#looking, draw.requests.length);
        // The forms of a draw are counted, so that each has an id of its own.
        const exchanges = await given.ask(draw, occasion, add(forms, `${draw.number} ${occasion}`, 1));
        return exchanges && { exchanges, symptoms: given.symptomsOf(pair(draw, exchanges)) };
      },
    };
  }

  passesAsARule({ draw, symptom }: FailingDraw): boolean {
    const isKnown = this.causes.some(({ symptoms: [{ key }], intermittent }) => intermittent && key === symptom.key);
    return draw.requests.length === 1 && (isKnown || (this.#passes.get(symptom.key) ?? 0) >= MOST_PASSED);
  }

  async lookAt(each: FailingDraw): Promise<void> {
    const { contract } = this.#context;
    this.#looking = each.symptom.key;
    const own = await this.#indexOfOwn(each);
    if (own !== -1) return this.#attribute(own, each);
    // What could not be asked again or shrunk is not told apart from what shows in the same way.
    const alike = this.causes.findIndex((cause) => isAlike(cause, each, contract));
    if (alike !== -1 && this.#isSpent(each.symptom)) return this.#attribute(alike, each);
    const again = await confirm(each, this.#context);
    const isIntermittent = this.causes[alike]?.intermittent !== undefined;
    if (again.kind === 'passed' && !isIntermittent) await this.#pass(each, again.exchanges);
    else if (again.kind === 'passed') this.#attribute(alike, each);
    else if (again.kind === 'open') this.#leaveOpen(each, alike);
    else if (isIntermittent && !(await isSteady(each, this.#context))) this.#attribute(alike, each);
    else await this.#seekCause(each, again.times, alike);
  }

  /** A cause is known again by what the draw has, or by what becomes of the draw with the values that pass in its places. */
  async #indexOfOwn(each: FailingDraw): Promise<number> {
    const known = this.causes.findIndex((cause) => explains(cause, each, this.#context.contract));
    if (known !== -1) return known;
    for (const [index, cause] of this.causes.entries()) {
      const mended = isShownIn(cause.symptoms, each.symptom) && mend(each, cause);
      const asked = mended && (await this.#context.ask(mended));
      if (asked && !isShownIn(asked.symptoms, each.symptom)) return index;
    }
    return -1;
  }

  /** Whether each cause of a symptom has had its requests, and one more that was not found. */
  #isSpent({ key }: Symptom): boolean {
    const found = this.causes.filter(({ symptoms }) => symptoms.some((symptom) => symptom.key === key)).length;
    return (this.#spent.get(key) ?? 0) >= MOST_PER_FINDING * (found + 1);
  }

  /** `times`: how often it failed so far. */
  async #seekCause(each: FailingDraw, times: number, alike: number): Promise<void> {
    const canShrink = this.causes.length < MOST_SHRUNK;
    const shrunk = canShrink ? await new Shrinking(each, this.#context).run(times) : asDrawn(each, times - 1);
    const cause = isOfAnyViolation(shrunk, this.#context) ? asAnyViolation(shrunk) : shrunk;
    const same = this.causes.findIndex((other) => isSame(other, cause));
    if (same !== -1) this.#attribute(same, each);
    else if (alike !== -1 && !cause.isShrunk) this.#attribute(alike, each);
    else if (each.symptom.isPassing && !cause.isShrunk) this.passed.set(each.draw.number, []);
    else this.causes.push(this.#passes.has(cause.symptoms[0].key) ? await staysSteady(cause, this.#context) : cause);
  }

  #leaveOpen(each: FailingDraw, alike: number): void {
    const { symptom } = each;
    const known = this.causes[alike];
    // What was not shrunk shows no more than that its own case is broken: the contract may not promise that for the draw.
    const isKnown = known?.isShrunk ?? known?.intermittent !== undefined;
    if (known && (isKnown || known.symptoms.some((shown) => shown.case === symptom.case))) this.#attribute(alike, each);
    else if (countsAsDrawn(each)) this.causes.push(asDrawn(each, 0));
    // What a retry hides went away in other draws.
    else if (symptom.isPassing && this.#passes.has(symptom.key)) this.passed.set(each.draw.number, []);
    else this.open.push(each);
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

/** The number under this name, with so many more. */
function add(counts: Map<string, number>, name: string, more: number): number {
  const count = (counts.get(name) ?? 0) + more;
  counts.set(name, count);
  return count;
}

/** Whether every request that was sent with a violation shows it, of whatever clause, so that none of them is the reason. */
function isOfAnyViolation({ smallest, symptoms: [{ key }] }: DrawCause, { contract, sent }: CauseContext): boolean {
  if (violationIn(smallest.requests.at(-1), contract) === undefined) return false;
  const violations = sent.flatMap(({ draw: { requests }, symptoms }) => {
    const clause = requests.length === 1 ? violationIn(requests[0], contract) : undefined;
    return clause === undefined ? [] : [{ clause, isShown: symptoms.some((symptom) => symptom.key === key) }];
  });
  return new Set(violations.map(({ clause }) => clause)).size > 1 && violations.every(({ isShown }) => isShown);
}

function asAnyViolation({ neighbour: _neighbour, ...cause }: DrawCause): DrawCause {
  return { ...cause, difference: [], isAnyViolation: true };
}

/** A 5xx to a violation may be the one that valid requests get. */
function isShownIn(symptoms: readonly Symptom[], { key, plainKey }: Symptom): boolean {
  return symptoms.some((symptom) => symptom.key === key || symptom.key === plainKey);
}

const isSequence = ({ smallest }: DrawCause): boolean => smallest.requests.length > 1;

/** Whether the draw fails in the same way, and has something of its own in the places of the cause. */
function isAlike(cause: DrawCause, failing: FailingDraw, contract: Contract): boolean {
  if (!isShownIn(cause.symptoms, failing.symptom)) return false;
  if (cause.isAnyViolation) return violationIn(failing.request, contract) !== undefined;
  const isKnown = !cause.neighbour || isSequence(cause) || hasAllOf(cause, failing, contract);
  return isKnown || mend(failing, cause) !== undefined;
}

/** Whether the smallest request that fails is part of this one. */
function hasAllOf({ smallest }: DrawCause, { draw, request }: FailingDraw, contract: Contract): boolean {
  return isWithin(smallest, { ...draw, requests: [request] }, contract);
}

/** From so many draws on, a cause explains all that belong to its case and have something of their own in its places. */
const WELL_KNOWN = 3;

/** Whether a draw fails for this cause, as far as one can tell without asking. */
function explains(cause: DrawCause, failing: FailingDraw, contract: Contract): boolean {
  const { draw, symptom, request } = failing;
  const { draws, smallest, neighbour, isAnyViolation } = cause;
  if (draws.includes(draw.number)) return isShownIn(cause.symptoms, symptom);
  if (!cause.isShrunk || !isAlike(cause, failing, contract)) return false;
  if (isSequence(cause)) return draw.requests.length >= smallest.requests.length;
  if (isAnyViolation || hasAllOf(cause, failing, contract)) return true;
  if (cause.symptoms.every((shown) => shown.case !== symptom.case)) return false;
  // The case of any valid request says nothing of the reason.
  const isSpecial = symptom.isOfTopic && symptom.case !== generalTopic(request).id;
  return !neighbour || (isSpecial && draws.length >= WELL_KNOWN);
}

/** The draw with the passing values in the places of the cause. Undefined if it has nothing of its own in one of them. */
function mend({ draw, request, place: last }: FailingDraw, cause: DrawCause): Draw | undefined {
  const [failed, passing] = [cause.smallest, cause.neighbour?.draw].map((each) => each?.requests.at(-1));
  if (!failed || !passing || isSequence(cause)) return undefined;
  const places = triggerOf(cause).map(pointerTokens);
  const isUsual = (place: readonly string[]): boolean =>
    JSON.stringify(mendAt(request, place, passing)) === JSON.stringify(request);
  const isLacking = ([name = '']: readonly string[]): boolean => name in failed.body && !(name in request.body);
  if (places.some((place) => isUsual(place) || isLacking(place))) return undefined;
  const mended = places.reduce((form, place) => mendAt(form, place, passing), request);
  return { ...draw, requests: [...draw.requests.slice(0, last), mended] };
}

function mendAt(request: DrawnRequest, [name = '', , member]: readonly string[], passing: DrawnRequest): DrawnRequest {
  const { body, written } = request;
  if (name === '' || request.mistake !== undefined) return request;
  if (name === SPELLING) return { ...request, spellings: [], written: {} };
  if (isUnknownName(name)) return withBody(request, withoutUnknown(body));
  if (name !== 'messages') {
    const { [name]: value } = passing.body;
    const rest = without(body, name);
    const changed = value === undefined ? rest : { ...rest, [name]: value };
    return withBody({ ...request, written: without(written, name) }, changed);
  }
  const messages = messagesIn(request);
  if (member === undefined) return withMessages(request, messages.slice(-messagesIn(passing).length));
  const plain = (message: JsonObject): JsonObject =>
    isUnknownName(member) ? withoutUnknown(message) : { ...message, [member]: USUAL_MESSAGE[member as 'role'] };
  return withMessages(request, messages.map(plain));
}

/** Two draws that were shrunk to requests which fail in the same way, for what they have in the same places. */
function isSame(cause: DrawCause, other: DrawCause): boolean {
  if (!cause.symptoms.some(({ key }) => key === other.symptoms[0].key)) return false;
  if (JSON.stringify(cause.smallest.requests) === JSON.stringify(other.smallest.requests)) return true;
  const [places, others] = [cause, other].map((each) => JSON.stringify(isSequence(each) || triggerOf(each)));
  return cause.isShrunk && other.isShrunk && places === others;
}
