/**
 * Finds out what in a draw makes it fail: asks again, shrinks, and looks for the nearest request that passes. It asks
 * through a function, so that a recording answers in the same way as the target did.
 */
import type { Contract } from '../../contract/contract.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { type JsonObject, pointerTokens } from '../../json.ts';
import {
  asDrawn,
  type AskDraw,
  type AskNext,
  type DrawCause,
  type CauseContext,
  type DrawDifference,
  type FailingDraw,
  pair,
  SPELLING,
  triggerOf,
  WRITTEN,
} from './cause.ts';
import { classify, violationIn } from './classify.ts';
import { confirm, countsAsDrawn, isSteady, staysSteady } from './confirm.ts';
import { type Draw, type DrawnRequest, messagesIn, textsIn, withBody, without } from './drawn-request.ts';
import { kindsOfText } from './features.ts';
import { MOST_PER_FINDING, MOST_SHRUNK } from './shrink-budget.ts';
import { Shrinking } from './shrink.ts';
import { USUAL_MESSAGE } from './simpler.ts';
import type { Symptom } from './symptoms.ts';
import { topicsOf } from './topics.ts';
import { isUnknownName, withoutUnknown } from './unknown-fields.ts';

/** The forms of a draw are counted, so that each has an id of its own. */
function numbered(ask: AskDraw): AskNext {
  const counts = new Map<string, number>();
  return (draw, occasion) => {
    const name = `${draw.number} ${occasion}`;
    const number = (counts.get(name) ?? 0) + 1;
    counts.set(name, number);
    return ask(draw, occasion, number);
  };
}

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
  readonly onLook?: (looking: Looking) => void;
}

const LEVELS = ['must', 'should', 'observe'];

export async function findCauses(failing: readonly FailingDraw[], given: Given): Promise<Causes> {
  const search = new Search({ ...given, ask: numbered(given.ask) });
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

  constructor(context: CauseContext) {
    const ask: AskNext = (draw, occasion) => {
      this.#spent.set(this.#looking, (this.#spent.get(this.#looking) ?? 0) + draw.requests.length);
      return context.ask(draw, occasion);
    };
    this.#context = { ...context, ask };
  }

  passesAsARule({ draw, symptom }: FailingDraw): boolean {
    const isKnown = this.causes.some(({ symptoms: [{ key }], intermittent }) => intermittent && key === symptom.key);
    return draw.requests.length === 1 && (isKnown || (this.#passes.get(symptom.key) ?? 0) >= MOST_PASSED);
  }

  async lookAt(each: FailingDraw): Promise<void> {
    this.#looking = each.symptom.key;
    const explained = await indexOfCause(this.causes, each, this.#context);
    if (explained !== -1) return this.#attribute(explained, each);
    const known = indexOfAlike(this.causes, each, this.#context.contract);
    if (known !== -1 && this.#isSpent(each.symptom)) return this.#attribute(known, each);
    const again = await confirm(each, this.#context);
    // What could not be asked again or shrunk is not told apart from what shows in the same way.
    const alike = indexOfAlike(this.causes, each, this.#context.contract);
    const isIntermittent = this.causes[alike]?.intermittent !== undefined;
    if (again.kind === 'passed' && !isIntermittent) await this.#pass(each, again.exchanges);
    else if (again.kind === 'passed') this.#attribute(alike, each);
    else if (again.kind === 'open') this.#leaveOpen(each, alike);
    else if (isIntermittent && !(await isSteady(each, this.#context))) this.#attribute(alike, each);
    else await this.#seekCause(each, again.times, alike);
  }

  /** Whether each cause of a symptom has had its requests, and one more that was not found. */
  #isSpent({ key }: Symptom): boolean {
    const found = this.causes.filter(({ symptoms }) => symptoms.some((symptom) => symptom.key === key)).length;
    return (this.#spent.get(key) ?? 0) >= MOST_PER_FINDING * (found + 1);
  }

  /** `times`: how often it failed so far. */
  async #seekCause(each: FailingDraw, times: number, alike: number): Promise<void> {
    const canShrink = this.causes.length < MOST_SHRUNK;
    const shrunk = canShrink
      ? await new Shrinking(each, times, this.#context).run()
      : asDrawn(each, each.symptom, times - 1);
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
    if (known && breaksCaseOf(known, each, this.#context.contract)) this.#attribute(alike, each);
    else if (countsAsDrawn(each)) this.causes.push(asDrawn(each, symptom, 0));
    // What a retry hides went away in other draws.
    else if (symptom.isPassing && this.#passes.has(symptom.key)) this.passed.set(each.draw.number, []);
    else this.open.push(each);
  }

  /** A cause that was found before draws of its kind passed when they were asked again may be as unsteady. */
  async #pass({ draw, symptom }: FailingDraw, exchanges: readonly Exchange[]): Promise<void> {
    const times = this.#passes.get(symptom.key) ?? 0;
    this.passed.set(draw.number, exchanges);
    this.#passes.set(symptom.key, times + 1);
    if (times > 0) return;
    for (const [index, cause] of this.causes.entries()) {
      if (cause.symptoms[0].key === symptom.key) this.causes[index] = await staysSteady(cause, this.#context);
    }
  }

  #attribute(index: number, { draw }: FailingDraw): void {
    const cause = this.causes[index];
    if (!cause) return;
    const own = kindsOfText(draw);
    const kinds = cause.kindsOfText.filter((kind) => own.includes(kind));
    this.causes[index] = { ...cause, kindsOfText: kinds, draws: [...new Set([...cause.draws, draw.number])] };
  }
}

/** Whether every request that was sent with a violation shows it, of whatever clause, so that none of them is the reason. */
function isOfAnyViolation({ smallest, symptoms: [{ key }] }: DrawCause, { contract, sent }: CauseContext): boolean {
  if (violationIn(smallest.requests.at(-1), contract) === undefined) return false;
  const violations = sent.flatMap(({ draw: { requests }, keys }) => {
    const clause = requests.length === 1 ? violationIn(requests[0], contract) : undefined;
    return clause === undefined ? [] : [{ clause, isShown: keys.has(key) }];
  });
  return new Set(violations.map(({ clause }) => clause)).size > 1 && violations.every(({ isShown }) => isShown);
}

function asAnyViolation({ neighbour: _neighbour, ...cause }: DrawCause): DrawCause {
  return { ...cause, difference: [], kindsOfText: [], isAnyViolation: true };
}

/** What was not shrunk shows no more than that its own case is broken: the contract may not promise that for the draw. */
function breaksCaseOf(cause: DrawCause, { asked, symptom }: FailingDraw, contract: Contract): boolean {
  const request = asked.find(({ exchange }) => exchange.id === symptom.exchange)?.request;
  const topics = request ? topicsOf(request, classify(request, contract)).map(({ id }) => id) : [];
  const cases = cause.symptoms.map((shown) => shown.case);
  if (cause.isShrunk || cause.intermittent) return true;
  return cases.includes(symptom.case) || topics.some((id) => cases.includes(id));
}

/** Musts first, then what is certain, then the smallest. A violation is blamed for a 5xx only if no valid request gets it. */
function inOrderOfWeight(failing: readonly FailingDraw[], contract: Contract): readonly FailingDraw[] {
  const weight = ({ symptom, draw: { requests } }: FailingDraw): number => {
    const isOpen = requests.some((request) => classify(request, contract).kind === 'open');
    const size = JSON.stringify(requests).length;
    const isDoubtful = symptom.plainKey !== undefined;
    const kind = Number(symptom.isPassing ?? isDoubtful) * 5e8 + Number(isOpen) * 1e8;
    return LEVELS.indexOf(symptom.level) * 1e9 + kind + requests.length * 1e6 + size;
  };
  return failing.toSorted((a, b) => weight(a) - weight(b));
}

/** A 5xx to a violation may be the one that valid requests get. */
function isShownIn(symptoms: readonly Symptom[], { key, plainKey }: Symptom): boolean {
  return symptoms.some((symptom) => symptom.key === key || symptom.key === plainKey);
}

/** The causes of one symptom that are told apart. */
const MOST_OF_A_KIND = 6;
/** The places of a cause with this many draws are enough to know it again. */
const WELL_KNOWN = 3;

/**
 * The cause is known by what the draw has in its places, or by what becomes of the draw with the values of the
 * neighbour there.
 */
async function indexOfCause(
  causes: readonly DrawCause[],
  failing: FailingDraw,
  context: CauseContext,
): Promise<number> {
  const known = causes.findIndex((cause) => explains(cause, failing, context.contract));
  if (known !== -1) return known;
  const alike = causes.flatMap((cause, index) => (isAlike(cause, failing, context.contract) ? [{ cause, index }] : []));
  const [first] = alike;
  if (first && alike.length >= MOST_OF_A_KIND) return first.index;
  for (const { cause, index } of alike) {
    const mended = mend(failing, cause);
    if (!mended) continue;
    const isSure = cause.draws.length >= WELL_KNOWN && cause.kindsOfText.length === 0;
    if (isSure && isOnFailingSide(cause, failing)) return index;
    const exchanges = await context.ask(mended, 'smaller');
    const shown = exchanges && context.symptomsOf(pair(mended, exchanges));
    if (shown && !isShownIn(shown, failing.symptom)) return index;
  }
  return -1;
}

/** A cause that shows in the same way. Which one it is could not be found out. */
function indexOfAlike(causes: readonly DrawCause[], failing: FailingDraw, contract: Contract): number {
  return causes.findIndex((cause) => isAlike(cause, failing, contract));
}

/** Whether the draw fails in the same way, and has the fields or the violation that the cause takes. */
function isAlike(cause: DrawCause, failing: FailingDraw, contract: Contract): boolean {
  if (!isShownIn(cause.symptoms, failing.symptom)) return false;
  const request = requestIn(failing);
  const own = violationIn(request, contract);
  if (cause.isAnyViolation) return own !== undefined;
  const clause = violationIn(cause.smallest.requests.at(-1), contract);
  const isNeeded = cause.neighbour && violationIn(cause.neighbour.draw.requests.at(-1), contract) === undefined;
  if (clause !== undefined && isNeeded && own !== clause) return false;
  const hasAll = cause.difference.every(({ pointer, failing: value }) => {
    const [name = ''] = pointerTokens(pointer);
    return ['', 'messages', SPELLING].includes(name) || value === undefined || hasField(request?.body ?? {}, name);
  });
  return isSequence(cause) || hasAll;
}

const isSequence = ({ smallest }: DrawCause): boolean => smallest.requests.length > 1;

/** Another name stands for the unknown one that was drawn. */
function hasField(object: JsonObject, name: string): boolean {
  return isUnknownName(name) ? Object.keys(object).some(isUnknownName) : object[name] !== undefined;
}

/** The one that shows the symptom. */
function requestIn({ asked, symptom }: FailingDraw): DrawnRequest | undefined {
  return asked.find(({ exchange }) => exchange.id === symptom.exchange)?.request;
}

/** Whether a draw has all that makes the cause fail, and fails in the same way. */
function explains(cause: DrawCause, failing: FailingDraw, contract: Contract): boolean {
  const { draw, symptom } = failing;
  if (!isShownIn(cause.symptoms, symptom)) return false;
  if (cause.draws.includes(draw.number)) return true;
  const isLonger = draw.requests.length >= cause.smallest.requests.length;
  if (!cause.isShrunk || !isLonger || !isAlike(cause, failing, contract)) return false;
  if (cause.isAnyViolation || isSequence(cause)) return true;
  if (!cause.neighbour) return cause.symptoms.some((shown) => shown.case === symptom.case);
  return isOnFailingSide(cause, failing);
}

/** Whether the request is on the failing side in every place of the difference. */
function isOnFailingSide(cause: DrawCause, failing: FailingDraw): boolean {
  const request = requestIn(failing);
  const { difference, kindsOfText: kinds } = cause;
  if (!request || difference.length === 0) return false;
  const own = kindsOfText({ requests: [request] });
  if (!kinds.every((kind) => own.includes(kind))) return false;
  return difference.every((place) => {
    const [name = '', ...inside] = pointerTokens(place.pointer);
    return name === 'messages'
      ? isFailingInMessages(place, inside, request, cause)
      : isFieldFailing(place, name, request);
  });
}

function isFieldFailing({ failing, passing }: DrawDifference, name: string, request: DrawnRequest): boolean {
  const { body, spellings, written } = request;
  const ways = typeof failing === 'string' ? failing : '';
  if (name === SPELLING) return ways.split(', ').every((way) => (spellings as readonly string[]).includes(way));
  if (ways.startsWith(WRITTEN)) return name in written;
  if (isUnknownName(name)) return hasField(body, name);
  const own = body[name];
  const areNumbers = [own, failing, passing].every((value) => typeof value === 'number');
  if (areNumbers) return (Number(failing) - Number(passing)) * (Number(own) - Number(passing)) > 0;
  return JSON.stringify(own) !== JSON.stringify(passing) && (failing === undefined) === (own === undefined);
}

function isFailingInMessages(
  { failing, passing }: DrawDifference,
  [, member]: readonly string[],
  request: DrawnRequest,
  { smallest, kindsOfText: kinds }: DrawCause,
): boolean {
  const messages = messagesIn(request);
  // A message less.
  if (member === undefined)
    return messages.length >= Math.max(...smallest.requests.map((each) => messagesIn(each).length));
  if (isUnknownName(member)) return messages.some((message) => hasField(message, member));
  if (failing === undefined || member === 'role') return messages.some((message) => message[member] === failing);
  if (kinds.length > 0) return true;
  const isLonger = typeof failing === 'string' && typeof passing === 'string' && failing.length > passing.length;
  return isLonger && textsIn(request).some((text) => text.length > passing.length);
}

/** The draw with the passing values in the places of the cause. */
function mend(failing: FailingDraw, cause: DrawCause): Draw | undefined {
  const { draw } = failing;
  const request = requestIn(failing);
  const passing = cause.neighbour?.draw.requests.at(-1);
  if (!request || !passing || isSequence(cause)) return undefined;
  const mended = cause.difference.reduce((form, { pointer }) => mendAt(form, pointerTokens(pointer), passing), request);
  if (JSON.stringify(mended) === JSON.stringify(request)) return undefined;
  return { ...draw, requests: [...draw.requests.slice(0, draw.requests.indexOf(request)), mended] };
}

function mendAt(request: DrawnRequest, [name = '', , member]: readonly string[], passing: DrawnRequest): DrawnRequest {
  const { body, written } = request;
  if (name === '' || request.raw !== undefined) return request;
  if (name === SPELLING) return { ...request, spellings: [], written: {} };
  if (isUnknownName(name)) return withBody(request, withoutUnknown(body));
  if (name !== 'messages') {
    const value = passing.body[name];
    const rest = without(body, name);
    return withBody(
      { ...request, written: without(written, name) as DrawnRequest['written'] },
      value === undefined ? rest : { ...rest, [name]: value },
    );
  }
  const messages = messagesIn(request);
  if (member === undefined)
    return withBody(request, { ...body, messages: messages.slice(-messagesIn(passing).length) });
  const plain = (message: JsonObject): JsonObject =>
    isUnknownName(member) ? withoutUnknown(message) : { ...message, [member]: USUAL_MESSAGE[member as 'role'] };
  return withBody(request, { ...body, messages: messages.map(plain) });
}

/** Two draws that were shrunk to requests which fail in the same way, for what they have in the same places. */
export function isSame(cause: DrawCause, other: DrawCause): boolean {
  if (!cause.symptoms.some(({ key }) => key === other.symptoms[0].key)) return false;
  if (JSON.stringify(cause.smallest.requests) === JSON.stringify(other.smallest.requests)) return true;
  const [places, others] = [cause, other].map((each) => JSON.stringify(isSequence(each) || triggerOf(each)));
  return cause.isShrunk && other.isShrunk && places === others;
}
