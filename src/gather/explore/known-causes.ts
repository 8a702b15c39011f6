/** How a cause is known again in another draw: by what the draw has, or by asking for that alone. */
import type { Contract } from '../../contract/contract.ts';
import { type JsonObject, pointerTokens } from '../../json.ts';
import type { DrawCause, FailingDraw } from './cause.ts';
import { withBody } from './change-request.ts';
import { classify, violationIn } from './classify.ts';
import { isOfLength, placeOf, SPELLING, triggerOf } from './difference.ts';
import { type Draw, type DrawnRequest, messagesIn, textsIn } from './drawn-request.ts';
import { featuresOf } from './features.ts';
import { isUnknownName } from './requests.ts';
import { isWithin, USUAL_MESSAGE, usualRequest } from './simpler.ts';
import type { Symptom } from './symptoms.ts';
import { isPlainText } from './topics.ts';

export const isSequence = ({ smallest }: DrawCause): boolean => smallest.requests.length > 1;

/** A 5xx to a violation may be the one that valid requests get. */
export function isShownIn(symptoms: readonly Symptom[], { key, plainKey }: Symptom): boolean {
  return symptoms.some((symptom) => symptom.key === key || symptom.key === plainKey);
}

/** Two draws that were shrunk to requests which fail in the same way, for what they have in the same places. */
export function isSame(cause: DrawCause, other: DrawCause): boolean {
  if (!cause.symptoms.some(({ key }) => key === other.symptoms[0].key)) return false;
  if (JSON.stringify(cause.smallest.requests) === JSON.stringify(other.smallest.requests)) return true;
  const [places, others] = [cause, other].map((each) => JSON.stringify(isSequence(each) || triggerOf(each)));
  return cause.isShrunk && other.isShrunk && places === others;
}

/** Whether the draw fails in the same way, and has something of its own in the places of the cause. */
export function isAlike(cause: DrawCause, failing: FailingDraw, contract: Contract): boolean {
  if (!isShownIn(cause.symptoms, failing.symptom)) return false;
  const { draw, request } = failing;
  if (cause.alike) return violationIn(request, contract) !== undefined;
  const hasAll = (): boolean => isWithin(cause.smallest, { ...draw, requests: [request] }, contract);
  return !cause.neighbour || isSequence(cause) || hasAll() || implant(failing, cause, contract) !== undefined;
}

/** Something that a request may have. */
type Sign = (request: DrawnRequest) => boolean;

/** What a cause may be known by. A sign is none if a request that has it is right, although it may show the same. */
interface Signs {
  readonly all: readonly Sign[];
  readonly mayShow: Sign;
}

/** All of the smallest request, or something about it that the passing one lacks. */
export function signsOf({ smallest, neighbour, symptoms }: DrawCause, contract: Contract): Signs {
  const [own, passing] = [smallest, neighbour?.draw].map((draw) => draw?.requests.at(-1));
  const clause = violationIn(own, contract);
  const featuresIn = (request: DrawnRequest): readonly string[] =>
    featuresOf(request, contract).map(({ group, is }) => `${group}: ${is}`);
  const usual = passing ? featuresIn(passing) : [];
  const special = own && passing ? featuresIn(own).filter((feature) => !usual.includes(feature)) : [];
  const needed = Object.keys(own?.body ?? {}).filter((name) => name !== 'max_tokens' && !isUnknownName(name));
  return {
    all: [
      (request) => isWithin(smallest, { ...smallest, requests: [request] }, contract),
      ...special.map((feature): Sign => (request) => {
        return needed.every((name) => name in request.body) && featuresIn(request).includes(feature);
      }),
    ],
    mayShow: (request) => {
      const other = classify(request, contract);
      if (clause === undefined) return other.kind === 'valid' || other.kind === 'tolerant';
      return other.kind === 'invalid' && (!symptoms[0].isOfTopic || other.clause === clause);
    },
  };
}

/** Messages of which the texts are special: more may fail for their number. */
const MOST_MESSAGES = 2;

/** The smallest request with what the draw has in the places of the cause. Undefined if that is nothing special. */
export function implant({ draw, request }: FailingDraw, cause: DrawCause, contract: Contract): Draw | undefined {
  const own = cause.smallest.requests.at(-1);
  const all = [...cause.difference, ...cause.beside];
  const places = all.map((place) => pointerTokens(placeOf(place)));
  if (!own || isSequence(cause) || all.length === 0 || (request.mistake ?? own.mistake) !== undefined) return undefined;
  const names = places.map(([name = '']) => name);
  const isMeant = (name: string): boolean =>
    names.includes(name) || (isUnknownName(name) && names.some(isUnknownName));
  if (Object.keys(own.body).some((name) => !isUnknownName(name) && isMeant(name) && !(name in request.body)))
    return undefined;
  const kept = Object.entries(own.body).filter(([name]) => !isMeant(name));
  const taken = Object.entries(request.body).filter(([name]) => isMeant(name));
  const members = places.flatMap(([name, , member = '']) => (name === 'messages' ? [member] : []));
  const body = Object.fromEntries([...kept, ...taken]);
  const messages = takeMembers(messagesIn(request), members, all.some(isOfLength));
  const from = names.includes(SPELLING) ? request : own;
  const written = { ...from.written, ...Object.fromEntries(Object.entries(request.written).filter(([name]) => isMeant(name))) };
  const form = withBody({ body, written, spellings: from.spellings }, 'messages' in body && members.length > 0 ? { ...body, messages } : body);
  const usual = [usualRequest(form, contract), cause.neighbour?.draw.requests.at(-1)];
  const isUsual = usual.some((each) => JSON.stringify(each) === JSON.stringify(form)) || (members.length > 0 && messages.length === 0);
  return isUsual ? undefined : { ...draw, requests: [form] };
}

/** Messages with nothing special but these members. If only texts matter, those that are special, or the longest. */
function takeMembers(messages: readonly JsonObject[], members: readonly string[], isLength: boolean): readonly JsonObject[] {
  const isTaken = (name: string): boolean => members.includes(name) || (isUnknownName(name) && members.some(isUnknownName));
  const lengthOf = ({ content }: JsonObject): number => (typeof content === 'string' ? content.length : 0);
  const longest = messages.toSorted((a, b) => lengthOf(b) - lengthOf(a)).slice(0, 1);
  const special = messages.filter(({ content }) => typeof content !== 'string' || !isPlainText(content));
  const isOfTexts = members.length > 0 && members.every((member) => member === 'content');
  const chosen = !isOfTexts ? messages : isLength ? longest : special.slice(-MOST_MESSAGES);
  return chosen.map((message) => {
    const taken = Object.entries(message).filter(([name]) => isTaken(name));
    const usual = Object.entries(USUAL_MESSAGE).filter(([name]) => !isTaken(name));
    return Object.fromEntries([...usual, ...taken]);
  });
}

/** Whether its length may be what is wrong with a text, although the cause is in texts: none as long as it is right. */
export function isTooLong(cause: DrawCause, { request }: FailingDraw, right: readonly DrawnRequest[]): boolean {
  const isOfText = [...cause.difference, ...cause.beside].some((place) => placeOf(place).endsWith('/content') && !isOfLength(place));
  const longest = (each: DrawnRequest): number => Math.max(0, ...textsIn(each).map((text) => text.length));
  return isOfText && longest(request) > Math.max(...right.map(longest));
}
