/** Tells whether a draw fails for a cause that is known. */
import type { Contract } from '../contract/contract.ts';
import { pointerTokens } from '../json.ts';
import { areAnyViolations, lacksViolation } from './any-violation.ts';
import {
  type Cause,
  type CauseContext,
  type FailingDraw,
  featuresIn,
  featuresKept,
  pair,
  saidBy,
  triggerOf,
} from './cause.ts';
import { classify } from './classify.ts';
import type { Difference } from './difference.ts';
import { type Draw, type DrawnRequest, messagesIn, textsIn, withBody, without } from './drawn-request.ts';
import { isOnFailingSide, lacksField, mayShareEdge } from './failing-side.ts';
import { ASTRAL, changeOfText, replacementOf } from './relay/changed-text.ts';
import { isForwarding } from './relay/forwarding-cases.ts';
import { isSaidLike } from './said.ts';
import { isLike } from './smaller-requests.ts';
import type { Symptom } from './symptoms.ts';
import { isPlaceOfUnknown, withoutUnknown } from './unknown-fields.ts';

const hasKey = (symptoms: readonly Symptom[], wanted: string): boolean => symptoms.some(({ key }) => key === wanted);

/** A 5xx to a violation may be the one that valid requests get. */
export function isShownIn(symptoms: readonly Symptom[], { key, plainKey }: Symptom): boolean {
  return hasKey(symptoms, key) || (plainKey !== undefined && hasKey(symptoms, plainKey));
}

/** The causes of one symptom that are told apart. */
const MOST_OF_A_KIND = 6;
/** From so many draws on, the fields of a cause are enough to know it again. */
const WELL_KNOWN = 3;

/** By what the draw has, or by what becomes of it if it is mended as the passing neighbour was. */
export async function indexOfCause(
  causes: readonly Cause[],
  failing: FailingDraw,
  context: CauseContext,
): Promise<number> {
  const { symptom } = failing;
  const known = causes.findIndex(
    (cause) => explains(cause, failing, context.contract) || isChangedAs(cause, failing.symptom, context),
  );
  if (known !== -1) return known;
  const alike = causes.flatMap((cause, index) => (isAlike(cause, failing, context.contract) ? [{ cause, index }] : []));
  const [first] = alike;
  if (first && alike.length >= MOST_OF_A_KIND) return first.index;
  for (const { cause, index } of alike) {
    const mended = mend(failing, cause);
    if (!mended) continue;
    if (cause.draws.length >= WELL_KNOWN && isOnFailingSide(cause, requestsOf(failing, cause))) return index;
    const exchanges = await context.ask(mended, 'smaller');
    const shown = exchanges && context.symptomsOf(pair(mended, exchanges));
    if (shown && !isShownIn(shown, symptom)) return index;
  }
  return -1;
}

/** A cause that shows in the same way. Which one it is could not be found out. */
export function indexOfAlike(causes: readonly Cause[], failing: FailingDraw, contract: Contract): number {
  return causes.findIndex((cause) => isAlike(cause, failing, contract));
}

/** Whether the draw fails in the same way, and has the fields or the violation that the cause takes. */
function isAlike(cause: Cause, failing: FailingDraw, contract: Contract): boolean {
  const [said] = saidBy(failing.symptom);
  if (!isShownIn(cause.symptoms, failing.symptom) || !isSaidLike(cause.said, said)) return false;
  const requests = requestsOf(failing, cause);
  return !lacksField(cause, requests) && !lacksViolation(cause, requests.at(-1), contract);
}

/** Those that may be the reason: the one that fails, or in a sequence all up to it. */
function requestsOf({ draw, asked, symptom }: FailingDraw, { smallest }: Cause): readonly DrawnRequest[] {
  const place = asked.findIndex(({ exchange }) => exchange.id === symptom.exchange);
  return draw.requests.slice(smallest.requests.length > 1 ? 0 : place, place + 1);
}

/** Without what makes the cause fail. */
function mend({ draw, asked, symptom }: FailingDraw, cause: Cause): Draw | undefined {
  const place = asked.findIndex(({ exchange }) => exchange.id === symptom.exchange);
  const request = draw.requests[place];
  const mended = request && (isOfUnknown(cause) ? mendUnknown(request, cause) : mendFields(request, cause));
  return mended && { ...draw, requests: [...draw.requests.slice(0, place), mended] };
}

/** Without any unknown field at the places of the cause. */
function mendUnknown(request: DrawnRequest, cause: Cause): DrawnRequest | undefined {
  const places = triggerOf(cause);
  const top = places.some((place) => pointerTokens(place).length === 1) ? withoutUnknown(request.body) : request.body;
  const isInside = places.some((place) => place.startsWith('/messages/'));
  const body = isInside ? { ...top, messages: messagesIn(request).map(withoutUnknown) } : top;
  return JSON.stringify(body) === JSON.stringify(request.body) ? undefined : withBody(request, body);
}

/** With the passing values of single fields. Texts have too many features for one to stand for another. */
function mendFields(request: DrawnRequest, { difference }: Cause): DrawnRequest | undefined {
  const names = difference.map(({ pointer }) => pointerTokens(pointer));
  const areFields = names.length > 0 && names.every(([name, ...more]) => more.length === 0 && name !== 'messages');
  if (!areFields) return undefined;
  const kept = names.flat().reduce(without, request.body);
  const passing = difference.flatMap((place, index) =>
    place.passing === undefined ? [] : [[names[index]?.[0] ?? '', place.passing] as const],
  );
  const body = { ...kept, ...Object.fromEntries(passing) };
  if (JSON.stringify(body) === JSON.stringify(request.body)) return undefined;
  const plain = { ...request, written: names.flat().reduce(withoutWritten, request.written) };
  return withBody(plain, body);
}

function withoutWritten(written: DrawnRequest['written'], name: string): DrawnRequest['written'] {
  return Object.fromEntries(Object.entries(written).filter(([field]) => field !== name));
}

/** Whether a draw has all that makes the cause fail, and fails in the same way. */
function explains(cause: Cause, failing: FailingDraw, contract: Contract): boolean {
  const { draw, symptom } = failing;
  if (!isShownIn(cause.symptoms, symptom)) return false;
  if (cause.draws.includes(draw.number)) return true;
  if (!cause.isShrunk || draw.requests.length < cause.smallest.requests.length || !isAlike(cause, failing, contract))
    return false;
  if (cause.isAnyViolation) return true;
  const requests = requestsOf(failing, cause);
  const own = featuresIn({ requests }, contract);
  const hasAll = [...cause.features].every((feature) => own.has(feature));
  if (!hasKey(cause.symptoms, symptom.key)) return hasAll && cause.features.size > 0;
  // Every smaller form fails, so that nothing beside the violation counts.
  if (!cause.neighbour || cause.neighbour.isMended) return cause.symptoms.some((shown) => shown.case === symptom.case);
  return hasAll && isOnFailingSide(cause, requests);
}

/** Two draws that were shrunk to requests which fail at the same places for a reason in common. */
export function isSame(cause: Cause, other: Cause, context: CauseContext): boolean {
  const [said] = other.said;
  if (!hasKey(cause.symptoms, other.symptoms[0].key) || !isSaidLike(cause.said, said, ['status', 'code'])) return false;
  if (JSON.stringify(cause.smallest.requests) === JSON.stringify(other.smallest.requests)) return true;
  if (!cause.neighbour || !other.neighbour) return false;
  if (placesIn(cause) !== placesIn(other)) return false;
  if (isChangedAs(cause, other.symptoms[0], context) || isOfUnknown(cause)) return true;
  // A gateway that changes a number on its way does so to many, whatever is special about each.
  if (isForwarding(cause.symptoms[0]) && [...cause.difference, ...other.difference].every(isOfNumbers)) return true;
  return haveOneEdge(cause, other) || haveFeatures(cause, other, context);
}

/**
 * A gateway that trims texts does so to all of them, whatever they end with. One that cannot store characters beyond the
 * basic plane replaces all of them, unless some arrive.
 */
export function isChangedAs(cause: Cause, symptom: Symptom, context: CauseContext): boolean {
  const [first] = cause.symptoms;
  if (!isForwarding(first) || first.key !== symptom.key) return false;
  const change = changeOfText(first);
  if (change !== undefined) return change === changeOfText(symptom);
  const replacement = replacementOf(first);
  const isAstral = (request: DrawnRequest): boolean => textsIn(request).some((text) => ASTRAL.test(text));
  return replacement !== undefined && replacement === replacementOf(symptom) && !passesWith(isAstral, cause, context);
}

/** Whether a request that has this does not show the cause. */
function passesWith(
  has: (request: DrawnRequest) => boolean,
  { smallest, symptoms: [{ key }] }: Cause,
  { contract, sent }: CauseContext,
): boolean {
  const [request] = smallest.requests.slice(-1);
  const standing = request && classify(request, contract);
  return sent.some(({ draw: { requests }, keys }) => {
    const [only, ...more] = requests;
    if (!only || !standing || more.length > 0 || keys.has(key)) return false;
    return isLike(classify(only, contract), standing) && has(only);
  });
}

function placesIn(cause: Cause): string {
  return JSON.stringify(triggerOf(cause));
}

/** Names and values of unknown fields are drawn: a gateway that refuses some is told apart by their places alone. */
function isOfUnknown(cause: Cause): boolean {
  const places = triggerOf(cause);
  return places.length > 0 && places.every(isPlaceOfUnknown);
}

/** Whether violations of several kinds show in one way. */
export function isAlikeInAny(cause: Cause, other: Cause, contract: Contract): boolean {
  const [said] = other.said;
  const isShown = hasKey(cause.symptoms, other.symptoms[0].key) && isSaidLike(cause.said, said, ['status', 'code']);
  return isShown && areAnyViolations(cause, other, contract);
}

function isOfNumbers({ failing, passing }: Difference): boolean {
  return typeof failing === 'number' && (passing === undefined || typeof passing === 'number');
}

/** A text that is too long has nothing special but its length. */
function haveOneEdge(cause: Cause, other: Cause): boolean {
  const areTexts = [cause, other].some(({ difference }) => !difference.every(isOfNumbers));
  if (areTexts && cause.features.size + other.features.size > 0) return false;
  return (
    cause.difference.length > 0 &&
    cause.difference.every((place, index) => {
      const there = other.difference[index];
      return there !== undefined && mayShareEdge(place, there);
    })
  );
}

/** Whether both have something in common that no request has which passes. Of sequences, the requests before it count too. */
function haveFeatures(cause: Cause, other: Cause, context: CauseContext): boolean {
  const { contract } = context;
  if (cause.smallest.requests.length > 1) {
    const isAny = cause.features.size === 0 || other.features.size === 0;
    return isAny || [...cause.features].some((feature) => other.features.has(feature));
  }
  const others = featuresKept(other, contract);
  const common = [...featuresKept(cause, contract)].filter((feature) => others.has(feature));
  if (![...cause.features].some((feature) => common.includes(feature))) return false;
  const hasCommon = (request: DrawnRequest): boolean => {
    const features = featuresIn({ requests: [request] }, contract);
    return common.every((feature) => features.has(feature));
  };
  return !passesWith(hasCommon, cause, context);
}
