/** How two draws differ, place by place. */
import { isObject, type Json, pointerOf } from '../json.ts';
import type { Draw, DrawnRequest } from './drawn-request.ts';
import { USUAL_MESSAGE } from './smaller-messages.ts';

/** Absent on the side that lacks the place. */
export interface Difference {
  readonly pointer: string;
  readonly failing?: Json;
  readonly passing?: Json;
}

/** In place of a field: how the JSON is written. */
export const SPELLING = '(spelling)';

/** Of a sequence, pointers begin with the place of the request, from 1. */
export function differenceOf(failing: Draw, passing: Draw): readonly Difference[] {
  const isSingle = failing.requests.length === 1 && passing.requests.length === 1;
  const [first = [], second = []] = [failing, passing].map(({ requests }) => requests.map(asValue));
  return isSingle ? compare(first[0], second[0], []) : compare(asObject(first), asObject(aligned(second, first)), []);
}

/** What a shorter sequence lacks is where the two begin to differ. */
function aligned(shorter: readonly Json[], longer: readonly Json[]): readonly (Json | undefined)[] {
  const start = longer.findIndex((value, place) => JSON.stringify(value) !== JSON.stringify(shorter[place]));
  const at = Math.min(start === -1 ? longer.length : start, shorter.length);
  const lacking = Array.from({ length: Math.max(0, longer.length - shorter.length) }, () => undefined);
  return [...shorter.slice(0, at), ...lacking, ...shorter.slice(at)];
}

/** Fewer places first, then values that are nearer to each other. */
export function distanceOf(places: readonly Difference[]): number {
  const apart = ({ failing, passing }: Difference): number => {
    if (typeof failing === 'number' && typeof passing === 'number') return Math.abs(failing - passing);
    if (typeof failing === 'string' && typeof passing === 'string') return editsBetween(failing, passing);
    return JSON.stringify([failing, passing]).length;
  };
  // Ever closer to 1, so that no distance of values outweighs a place.
  return places.map(apart).reduce((sum, far) => sum + 1 + far / (1 + far), 0);
}

/** About as many characters as one has to change. If nothing is left of the text, the usual one says most. */
function editsBetween(failing: string, passing: string): number {
  const shared = Array.from(failing).filter((character) => passing.includes(character)).length;
  if (shared === 0) return passing === USUAL_MESSAGE.content ? FAR : 2 * FAR;
  return Math.abs(failing.length - passing.length) + failing.length - shared + 1;
}

const FAR = 100_000;

function asObject(values: readonly (Json | undefined)[]): Json {
  return Object.fromEntries(
    values.flatMap((value, index) => (value === undefined ? [] : [[String(index + 1), value] as const])),
  );
}

function asValue({ body, written, spellings, raw }: DrawnRequest): Json {
  if (raw !== undefined) return raw;
  const numbers = Object.fromEntries(Object.entries(written).map(([name, text]) => [name, `written as ${text}`]));
  return { ...body, ...numbers, ...(spellings.length > 0 && { [SPELLING]: spellings.join(', ') }) };
}

function compare(failing: Json | undefined, passing: Json | undefined, path: readonly string[]): readonly Difference[] {
  if (JSON.stringify(failing) === JSON.stringify(passing)) return [];
  const names = (value: Json | undefined): readonly string[] =>
    isObject(value) || Array.isArray(value) ? Object.keys(value) : [];
  const isAlike = (isObject(failing) && isObject(passing)) || (Array.isArray(failing) && Array.isArray(passing));
  if (!isAlike) {
    return [
      {
        pointer: pointerOf(path),
        ...(failing !== undefined && { failing }),
        ...(passing !== undefined && { passing }),
      },
    ];
  }
  const at = (value: Json | undefined, name: string): Json | undefined =>
    (value as Readonly<Record<string, Json>>)[name];
  return [...new Set([...names(failing), ...names(passing)])].flatMap((name) =>
    compare(at(failing, name), at(passing, name), [...path, name]),
  );
}
