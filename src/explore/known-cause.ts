/** Tells whether a draw fails for a cause that is known: in the same way, for what it has in the same places. */
import type { Contract } from '../contract/contract.ts';
import { type JsonObject, pointerTokens } from '../json.ts';
import { type Cause, type CauseContext, type FailingDraw, pair, triggerOf } from './cause.ts';
import { violationIn } from './classify.ts';
import { type Difference, SPELLING, WRITTEN } from './difference.ts';
import { type Draw, type DrawnRequest, messagesIn, textsIn, withBody, without } from './drawn-request.ts';
import { kindsOfText } from './features.ts';
import { USUAL_MESSAGE } from './simpler.ts';
import type { Symptom } from './symptoms.ts';
import { isUnknownName, withoutUnknown } from './unknown-fields.ts';

/** A 5xx to a violation may be the one that valid requests get. */
function isShownIn(symptoms: readonly Symptom[], { key, plainKey }: Symptom): boolean {
  return symptoms.some((symptom) => symptom.key === key || symptom.key === plainKey);
}

/** The causes of one symptom that are told apart. */
const MOST_OF_A_KIND = 6;
/** From so many draws on, the places of a cause are enough to know it again. */
const WELL_KNOWN = 3;

/** By what the draw has in the places of the cause, or by what becomes of it if these are as in the neighbour, which passes. */
export async function indexOfCause(
  causes: readonly Cause[],
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
    if (isSure && isOnFailingSide(cause, requestsOf(failing, cause))) return index;
    const exchanges = await context.ask(mended, 'smaller');
    const shown = exchanges && context.symptomsOf(pair(mended, exchanges));
    if (shown && !isShownIn(shown, failing.symptom)) return index;
  }
  return -1;
}

/** A cause that shows in the same way. Which one it is could not be found out. */
export function indexOfAlike(causes: readonly Cause[], failing: FailingDraw, contract: Contract): number {
  return causes.findIndex((cause) => isAlike(cause, failing, contract));
}

/** Whether the draw fails in the same way, and has the fields or the violation that the cause takes. */
function isAlike(cause: Cause, failing: FailingDraw, contract: Contract): boolean {
  const requests = requestsOf(failing, cause);
  const lacks = (place: Difference): boolean => {
    const [name = ''] = tokensIn(place, cause);
    const isField = name !== '' && name !== 'messages' && name !== SPELLING && place.failing !== undefined;
    return isField && !requests.some((request) => isField && hasField(request.body, name));
  };
  const isSingle = cause.smallest.requests.length === 1;
  if (!isShownIn(cause.symptoms, failing.symptom) || (isSingle && cause.difference.some(lacks))) return false;
  const own = violationIn(requests.at(-1), contract);
  if (cause.isAnyViolation) return own !== undefined;
  const clause = violationIn(cause.smallest.requests.at(-1), contract);
  const isNeeded = cause.neighbour && violationIn(cause.neighbour.draw.requests.at(-1), contract) === undefined;
  return clause === undefined || !isNeeded || own === clause;
}

/** Another name stands for the unknown one that was drawn. */
function hasField(object: JsonObject, name: string): boolean {
  return isUnknownName(name) ? Object.keys(object).some(isUnknownName) : object[name] !== undefined;
}

/** Those that may be the reason: the one that fails, or in a sequence all up to it. */
function requestsOf({ draw, asked, symptom }: FailingDraw, { smallest }: Cause): readonly DrawnRequest[] {
  const place = asked.findIndex(({ exchange }) => exchange.id === symptom.exchange);
  return draw.requests.slice(smallest.requests.length > 1 ? 0 : place, place + 1);
}

/** A place in a request. Of a sequence, its pointer begins with the place of the request. */
function tokensIn({ pointer }: Difference, { smallest }: Cause): readonly string[] {
  const tokens = pointerTokens(pointer);
  return smallest.requests.length > 1 ? tokens.slice(1) : tokens;
}

/** Whether a draw has all that makes the cause fail, and fails in the same way. */
function explains(cause: Cause, failing: FailingDraw, contract: Contract): boolean {
  const { draw, symptom } = failing;
  if (!isShownIn(cause.symptoms, symptom)) return false;
  if (cause.draws.includes(draw.number)) return true;
  const isLonger = draw.requests.length >= cause.smallest.requests.length;
  if (!cause.isShrunk || !isLonger || !isAlike(cause, failing, contract)) return false;
  if (cause.isAnyViolation) return true;
  if (!cause.neighbour) return cause.symptoms.some((shown) => shown.case === symptom.case);
  return isOnFailingSide(cause, requestsOf(failing, cause));
}

function hasKinds({ kindsOfText: kinds }: Cause, requests: readonly DrawnRequest[]): boolean {
  const own = kindsOfText({ requests });
  return kinds.every((kind) => own.includes(kind));
}

/** Whether one of these requests is on the failing side in every place of the difference. */
function isOnFailingSide(cause: Cause, requests: readonly DrawnRequest[]): boolean {
  const { difference } = cause;
  const isThere = (place: Difference): boolean =>
    requests.some((request) => isFailingAt(place, tokensIn(place, cause), request, cause));
  return difference.length > 0 && difference.every(isThere) && hasKinds(cause, requests);
}

function isFailingAt(
  { failing, passing }: Difference,
  [name = '', index, member]: readonly string[],
  request: DrawnRequest,
  { smallest, kindsOfText: kinds }: Cause,
): boolean {
  const { body, spellings, written } = request;
  // A request less.
  if (name === '') return true;
  if (name === SPELLING)
    return String(failing)
      .split(', ')
      .every((each) => (spellings as readonly string[]).includes(each));
  if (String(failing).startsWith(WRITTEN)) return name in written;
  if (name !== 'messages') {
    const own = isUnknownName(name) ? hasField(body, name) || undefined : body[name];
    const areNumbers = [own, failing, passing].every((value) => typeof value === 'number');
    if (areNumbers) return (Number(failing) - Number(passing)) * (Number(own) - Number(passing)) > 0;
    return JSON.stringify(own) !== JSON.stringify(passing) && (failing === undefined) === (own === undefined);
  }
  const messages = messagesIn(request);
  const last = smallest.requests.at(-1);
  // A message less.
  if (index === undefined || member === undefined) return messages.length >= (last ? messagesIn(last).length : 0);
  if (isUnknownName(member)) return messages.some((message) => hasField(message, member));
  if (failing === undefined || member === 'role') return messages.some((message) => message[member] === failing);
  if (kinds.length > 0) return true;
  const least = typeof failing === 'string' && typeof passing === 'string' && failing.length > passing.length;
  return least && textsIn(request).some((text) => text.length > passing.length);
}

/** With the passing values in the places of the cause. */
function mend({ draw, asked, symptom }: FailingDraw, cause: Cause): Draw | undefined {
  const place = asked.findIndex(({ exchange }) => exchange.id === symptom.exchange);
  const request = draw.requests[place];
  const passing = cause.neighbour?.draw.requests.at(-1);
  if (!request || !passing || cause.smallest.requests.length > 1) return undefined;
  const mended = cause.difference.reduce((form, { pointer }) => mendAt(form, pointerTokens(pointer), passing), request);
  if (JSON.stringify(mended) === JSON.stringify(request)) return undefined;
  return { ...draw, requests: [...draw.requests.slice(0, place), mended] };
}

function mendAt(request: DrawnRequest, [name = '', , member]: readonly string[], passing: DrawnRequest): DrawnRequest {
  const { body, written } = request;
  if (name === '' || request.raw !== undefined) return request;
  if (name === SPELLING) return { ...request, spellings: [], written: {} };
  if (isUnknownName(name)) return withBody(request, withoutUnknown(body));
  if (name !== 'messages') {
    const value = passing.body[name];
    const numbers = Object.fromEntries(Object.entries(written).filter(([field]) => field !== name));
    return withBody(
      { ...request, written: numbers },
      { ...without(body, name), ...(value !== undefined && { [name]: value }) },
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
export function isSame(cause: Cause, other: Cause): boolean {
  if (!cause.symptoms.some(({ key }) => key === other.symptoms[0].key)) return false;
  if (JSON.stringify(cause.smallest.requests) === JSON.stringify(other.smallest.requests)) return true;
  const [places, others] = [triggerOf(cause), triggerOf(other)];
  return cause.isShrunk && other.isShrunk && JSON.stringify(places) === JSON.stringify(others);
}
