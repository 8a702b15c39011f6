/** How a cause is known again in another draw: by what the draw has, or by asking for that alone. */
import type { Contract } from '../../contract/contract.ts';
import { type Json, type JsonObject, pointerTokens } from '../../json.ts';
import type { DrawCause, FailingDraw } from './cause.ts';
import { withBody } from './change-request.ts';
import { classify, violationIn } from './classify.ts';
import { isOfLength, maskedPlace, SPELLING, triggerOf } from './difference.ts';
import { type Draw, type DrawnRequest, messagesIn } from './drawn-request.ts';
import { featureNames } from './features.ts';
import { isUnknownName } from './requests.ts';
import { asRun, isWithin, USUAL_MESSAGE, usualRequest } from './simpler.ts';
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
  if (cause.alike) return cause.alike.isOne(request);
  const hasAll = (): boolean => isWithin(cause.smallest, { ...draw, requests: [request] }, contract);
  return !cause.neighbour || isSequence(cause) || hasAll() || implant(failing, cause, contract) !== undefined;
}

/** Something that a request may have. */
export type Sign = (request: DrawnRequest) => boolean;

/** What a cause may be known by. A sign is none if a request that has it is right, although it may show the same. */
interface Signs {
  readonly all: readonly Sign[];
  readonly mayShow: Sign;
}

/** All of the smallest request, or something about it that the passing one lacks. */
export function signsOf({ smallest, neighbour, symptoms }: DrawCause, contract: Contract): Signs {
  const [own, passing] = [smallest, neighbour?.draw].map((draw) => draw?.requests.at(-1));
  const clause = violationIn(own, contract);
  const usual = passing ? featureNames(passing, contract) : [];
  const special = own && passing ? featureNames(own, contract).filter((feature) => !usual.includes(feature)) : [];
  const needed = Object.keys(own?.body ?? {}).filter((name) => name !== 'max_tokens' && !isUnknownName(name));
  return {
    all: [
      (request) => isWithin(smallest, { ...smallest, requests: [request] }, contract),
      ...special.map((feature): Sign => (request) => {
        return needed.every((name) => name in request.body) && featureNames(request, contract).includes(feature);
      }),
    ],
    mayShow: (request) => {
      const other = classify(request, contract);
      if (clause === undefined) return other.kind === 'valid' || other.kind === 'tolerant';
      return other.kind === 'invalid' && (!symptoms[0].isOfTopic || other.clause === clause);
    },
  };
}

/** The fields that a cause is about, and of messages the members; an empty one stands for whole messages. */
function placesOf({ difference, beside }: DrawCause) {
  const places = [...difference, ...beside].map((place) => pointerTokens(maskedPlace(place)));
  const names = places.map(([name = '']) => name);
  const members = places.flatMap(([name, , member = '']) => (name === 'messages' ? [member] : []));
  const isIn =
    (all: readonly string[]) =>
    (name: string): boolean =>
      all.includes(name) || (isUnknownName(name) && all.some(isUnknownName));
  return { names, members, isMeant: isIn(names), isMember: isIn(members) };
}

type IsMeant = (name: string) => boolean;

const not =
  (isMeant: IsMeant): IsMeant =>
  (name) =>
    !isMeant(name);

const pick = <Value>(object: Readonly<Record<string, Value>>, isMeant: IsMeant): Readonly<Record<string, Value>> =>
  Object.fromEntries(Object.entries(object).filter(([name]) => isMeant(name)));

/** The messages as usual, but for members that are kept. */
const usualBut = (messages: readonly JsonObject[], isKept: IsMeant): readonly JsonObject[] =>
  messages.map((message) => ({ ...pick<Json>(USUAL_MESSAGE, not(isKept)), ...pick(message, isKept) }));

/** A request with what another one has in the places of a cause. */
function transplant(
  into: DrawnRequest,
  from: DrawnRequest,
  messages: readonly JsonObject[],
  { names, members, isMeant }: ReturnType<typeof placesOf>,
): DrawnRequest {
  const join = <Value>(own: Readonly<Record<string, Value>>, other: typeof own): typeof own => ({
    ...pick(own, not(isMeant)),
    ...pick(other, isMeant),
  });
  const body = join(into.body, from.body);
  const { spellings } = names.includes(SPELLING) ? from : into;
  const isOfMessages = 'messages' in body && members.length > 0;
  return withBody(
    { ...into, spellings, written: join(into.written, from.written) },
    isOfMessages ? { ...body, messages } : body,
  );
}

/** The smallest request with what the draw has in the places of the cause. Undefined if that is nothing special. */
export function implant({ draw, request }: FailingDraw, cause: DrawCause, contract: Contract): Draw | undefined {
  const [own, passing] = [cause.smallest, cause.neighbour?.draw].map((each) => each?.requests.at(-1));
  const places = placesOf(cause);
  const { names, members } = places;
  if (!own || isSequence(cause) || names.length === 0 || (request.mistake ?? own.mistake) !== undefined)
    return undefined;
  if (Object.keys(own.body).some((name) => names.includes(name) && !(name in request.body))) return undefined;
  const messages = usualBut(specialMessages(request, cause), places.isMember);
  if ('messages' in request.body && members.length > 0 && messages.length === 0) return undefined;
  const form = transplant(own, request, messages, places);
  const usual = [usualRequest(form, contract), passing].map((each) => JSON.stringify(each));
  return usual.includes(JSON.stringify(form)) ? undefined : { ...draw, requests: [form] };
}

/** Messages of which the texts are special: more may fail for their number. */
const MOST_MESSAGES = 2;

const textOf = ({ content }: JsonObject): string => (typeof content === 'string' ? content : '');

/** If only texts matter, those that are special, or the length of the longest. */
function specialMessages(request: DrawnRequest, cause: DrawCause): readonly JsonObject[] {
  const messages = messagesIn(request);
  if (!placesOf(cause).members.every((member) => member === 'content')) return messages;
  const longest = messages.map(textOf).toSorted((a, b) => b.length - a.length);
  if (cause.difference.some(isOfLength)) return longest.slice(0, 1).map((text) => ({ content: asRun(text) }));
  return messages.filter(({ content }) => typeof content !== 'string' || !isPlainText(content)).slice(-MOST_MESSAGES);
}

/** The request with the passing values in the places of the cause: if it fails even so, there is another one. */
export function mend(request: DrawnRequest, cause: DrawCause): DrawnRequest {
  const passing = cause.neighbour?.draw.requests.at(-1);
  const places = placesOf(cause);
  if (!passing || isSequence(cause) || request.mistake !== undefined) return request;
  const number = places.members.includes('') ? messagesIn(passing).length : Infinity;
  const length = cause.difference.find(isOfLength)?.passing as string | undefined;
  // The length of a text may be another cause, and so may what is in it.
  const mendText = (text: string): string => (length === undefined ? asRun(text) : text.slice(0, length.length));
  const messages = messagesIn(request).slice(0, number);
  const texts = places.isMember('content') ? messages.map((message) => mendText(textOf(message))) : [];
  const mended = usualBut(messages, not(places.isMember)).map((message, at) =>
    texts[at] ? { ...message, content: texts[at] } : message,
  );
  return transplant(request, passing, mended, places);
}
