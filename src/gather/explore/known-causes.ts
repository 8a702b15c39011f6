/** How a cause is known again in another draw: by what the draw has, or by asking for that alone. */
import type { Contract } from '../../contract/contract.ts';
import { type JsonObject, pointerTokens } from '../../json.ts';
import type { DrawCause, FailingDraw } from './cause.ts';
import { withBody } from './change-request.ts';
import { classify, violationIn } from './classify.ts';
import { isOfLength, maskedPlace, SPELLING, triggerOf } from './difference.ts';
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

/** The fields that a cause is about, and of messages the members; an empty one stands for whole messages. */
function fieldsOfCause({ difference, beside }: DrawCause) {
  const places = [...difference, ...beside].map((place) => pointerTokens(maskedPlace(place)));
  const names = places.map(([name = '']) => name);
  const members = places.flatMap(([name, , member = '']) => (name === 'messages' ? [member] : []));
  const isIn = (all: readonly string[], name: string): boolean =>
    all.includes(name) || (isUnknownName(name) && all.some(isUnknownName));
  return { names, members, isIn };
}

const pick = (object: JsonObject, isMeant: (name: string) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => isMeant(name)));

/** The smallest request with what the draw has in the places of the cause. Undefined if that is nothing special. */
export function implant({ draw, request }: FailingDraw, cause: DrawCause, contract: Contract): Draw | undefined {
  const [own, passing] = [cause.smallest, cause.neighbour?.draw].map((each) => each?.requests.at(-1));
  const { names, members, isIn } = fieldsOfCause(cause);
  if (!own || isSequence(cause) || names.length === 0 || (request.mistake ?? own.mistake) !== undefined)
    return undefined;
  const isMeant = (name: string): boolean => isIn(names, name);
  if (Object.keys(own.body).some((name) => names.includes(name) && !(name in request.body))) return undefined;
  const body = { ...pick(own.body, (name) => !isMeant(name)), ...pick(request.body, isMeant) };
  const messages = specialMessages(request, cause).map((message) => ({
    ...pick(USUAL_MESSAGE, (name) => !isIn(members, name)),
    ...pick(message, (name) => isIn(members, name)),
  }));
  if ('messages' in body && members.length > 0 && messages.length === 0) return undefined;
  const { spellings, written } = names.includes(SPELLING) ? request : own;
  const form = withBody(
    { body, spellings, written: { ...written, ...(pick(request.written, isMeant) as typeof written) } },
    'messages' in body && members.length > 0 ? { ...body, messages } : body,
  );
  const usual = [usualRequest(form, contract), passing].map((each) => JSON.stringify(each));
  return usual.includes(JSON.stringify(form)) ? undefined : { ...draw, requests: [form] };
}

/** If only texts matter, those that are special, or the longest. */
function specialMessages(request: DrawnRequest, cause: DrawCause): readonly JsonObject[] {
  const messages = messagesIn(request);
  const { members } = fieldsOfCause(cause);
  if (!members.every((member) => member === 'content')) return messages;
  const lengthOf = ({ content }: JsonObject): number => (typeof content === 'string' ? content.length : 0);
  if (cause.difference.some(isOfLength)) return messages.toSorted((a, b) => lengthOf(b) - lengthOf(a)).slice(0, 1);
  return messages.filter(({ content }) => typeof content !== 'string' || !isPlainText(content)).slice(-MOST_MESSAGES);
}

/** The draw with the passing values in the places of the cause: what fails even so has another one. */
export function mend({ draw, request, place }: FailingDraw, cause: DrawCause): Draw | undefined {
  const passing = cause.neighbour?.draw.requests.at(-1);
  const { names, members, isIn } = fieldsOfCause(cause);
  if (!passing || isSequence(cause) || request.mistake !== undefined) return undefined;
  const body = {
    ...pick(request.body, (name) => !isIn(names, name)),
    ...pick(passing.body, (name) => isIn(names, name)),
  };
  const number = members.includes('') ? messagesIn(passing).length : Infinity;
  const messages = messagesIn(request)
    .slice(0, number)
    .map((message) => ({
      ...pick(message, (name) => !isIn(members, name)),
      ...pick(USUAL_MESSAGE, (name) => members.includes(name)),
    }));
  const isSpelled = !names.includes(SPELLING);
  const written = isSpelled ? pick(request.written, (name) => !isIn(names, name)) : {};
  const mended = withBody(
    { body, spellings: isSpelled ? request.spellings : [], written: written as DrawnRequest['written'] },
    members.length > 0 ? { ...body, messages } : body,
  );
  return { ...draw, requests: [...draw.requests.slice(0, place), mended] };
}

/** Whether its length may be what is wrong with a text, although the cause is in texts: none as long as it is right. */
export function isTooLong(cause: DrawCause, { request }: FailingDraw, right: readonly DrawnRequest[]): boolean {
  const isOfText = [...cause.difference, ...cause.beside].some(
    (place) => maskedPlace(place).endsWith('/content') && !isOfLength(place),
  );
  const longest = (each: DrawnRequest): number => Math.max(0, ...textsIn(each).map((text) => text.length));
  return isOfText && longest(request) > Math.max(...right.map(longest));
}
