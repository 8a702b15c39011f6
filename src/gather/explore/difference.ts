/** In what a request that fails differs from one that passes. */
import { isObject, type Json, pointerOf, withoutUndefined } from '../../json.ts';
import { maskIndices } from '../../verdict/finding.ts';
import { type Draw, type DrawnRequest, messagesIn, mistakenText } from './drawn-request.ts';
import { isRun, USUAL_MESSAGE, USUAL_TOKENS } from './simpler.ts';
import { placeOfUnknown } from './requests.ts';

/** The places of the difference and of what it needs, without values and names that were drawn: part of the identity of a finding. */
export function triggerOf(cause: Readonly<Record<'difference' | 'beside', Differences>>): readonly string[] {
  const places = [...cause.difference, ...cause.beside].map(
    (place) => `${maskedPlace(place)}${isOfLength(place) ? LENGTH : ''}`,
  );
  return [...new Set(places)].toSorted();
}

/** The place of a text that fails for its length, whatever is in it, has this behind it. */
const LENGTH = ' (length)';

export const isOfLength = ({ failing, passing }: DrawDifference): boolean =>
  [failing, passing].every((value) => typeof value === 'string' && isRun(value));

export const maskedPlace = ({ pointer }: DrawDifference): string => placeOfUnknown(maskIndices(pointer));

/** Absent on the side that lacks the place. */
export interface DrawDifference {
  readonly pointer: string;
  readonly failing?: Json;
  readonly passing?: Json;
}

type Differences = readonly DrawDifference[];

/** The place of a difference that is in how the JSON is written, not in a field. */
export const SPELLING = '(spelling)';
/** A number that is written in another way begins so. */
const WRITTEN = 'written as';

/** Pointers into a sequence begin with the place of the request, from 1. */
export function differenceOf(failing: Draw, passing: Draw): Differences {
  const isSingle = failing.requests.length === 1 && passing.requests.length === 1;
  const [first = [], second = []] = [failing, passing].map(({ requests }) => requests.map(asValue));
  return isSingle ? compare(first[0], second[0], []) : compareLists(first, second, [], 1);
}

/** What is special about a request in other places than these. Of a sequence, nothing is named. */
export function besideOf({ requests: [request, ...more] }: Draw, difference: Differences): Differences {
  if (!request || more.length > 0) return [];
  const { model: _model, messages: _messages, ...fields } = request.body;
  const all = [
    ...Object.entries(fields).map(([name, failing]) => ({ pointer: pointerOf([name]), failing })),
    ...messagesIn(request).flatMap((message, place) =>
      Object.entries(message).map(([name, failing]) => ({
        pointer: pointerOf(['messages', `${place}`, name]),
        failing,
      })),
    ),
    ...request.spellings.map((spelling) => ({ pointer: pointerOf([SPELLING]), failing: spelling })),
  ];
  const usual: readonly Json[] = [USUAL_TOKENS, ...Object.values(USUAL_MESSAGE)];
  const isTold = (pointer: string): boolean => difference.some((own) => `${pointer}/`.startsWith(`${own.pointer}/`));
  return all.filter(({ pointer, failing }) => !usual.includes(failing) && !isTold(pointer));
}

/** `from`: the number of the first item. */
function compareLists(failing: readonly Json[], passing: readonly Json[], path: readonly string[], from: number) {
  const [first, second] = [aligned(failing, passing), aligned(passing, failing)];
  const all = first.length > second.length ? first : second;
  return all.flatMap((_, index) => compare(first[index], second[index], [...path, String(index + from)]));
}

/** What the shorter one of two lists lacks is where they begin to differ. */
function aligned(shorter: readonly Json[], longer: readonly Json[]): readonly (Json | undefined)[] {
  const start = longer.findIndex((value, place) => JSON.stringify(value) !== JSON.stringify(shorter[place]));
  const at = Math.min(start === -1 ? longer.length : start, shorter.length);
  const lacking = Array.from({ length: Math.max(0, longer.length - shorter.length) }, () => undefined);
  return [...shorter.slice(0, at), ...lacking, ...shorter.slice(at)];
}

/** Fewer places first, then values that are nearer to each other. */
export function distanceOf(places: Differences): number {
  const apart = ({ failing, passing }: DrawDifference): number => {
    if (typeof failing === 'number' && typeof passing === 'number') return Math.abs(failing - passing);
    if (typeof failing === 'string' && typeof passing === 'string') return editsBetween(failing, passing);
    return JSON.stringify([failing, passing]).length;
  };
  // Ever closer to 1, so that no distance of values outweighs a place.
  return places.map(apart).reduce((sum, far) => sum + 1 + far / (1 + far), 0);
}

/** Characters between what both begin and end with. If nothing is left of the text, the usual one says most. */
function editsBetween(failing: string, passing: string): number {
  const hasShared = Array.from(failing).some((character) => passing.includes(character));
  if (!hasShared && !isRun(passing)) return passing === USUAL_MESSAGE.content ? FAR : 2 * FAR;
  const least = Math.min(failing.length, passing.length);
  let [start, end] = [0, 0];
  while (start < least && failing[start] === passing[start]) start += 1;
  while (end < least - start && failing.at(-end - 1) === passing.at(-end - 1)) end += 1;
  return Math.max(failing.length, passing.length) - start - end;
}

const FAR = 100_000;

function asValue(request: DrawnRequest): Json {
  const { body, written, spellings, mistake } = request;
  if (mistake !== undefined) return mistakenText(request) ?? '';
  const numbers = Object.fromEntries(Object.entries(written).map(([name, text]) => [name, `${WRITTEN} ${text}`]));
  return { ...body, ...numbers, ...(spellings.length > 0 && { [SPELLING]: spellings.join(', ') }) };
}

function compare(failing: Json | undefined, passing: Json | undefined, path: readonly string[]): Differences {
  if (JSON.stringify(failing) === JSON.stringify(passing)) return [];
  if (Array.isArray(failing) && Array.isArray(passing)) {
    return compareLists(failing as readonly Json[], passing as readonly Json[], path, 0);
  }
  if (!isObject(failing) || !isObject(passing)) {
    return [{ pointer: pointerOf(path), ...withoutUndefined({ failing, passing }) }];
  }
  return [...new Set([...Object.keys(failing), ...Object.keys(passing)])].flatMap((name) =>
    compare(failing[name], passing[name], [...path, name]),
  );
}
