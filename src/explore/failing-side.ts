/** Whether the values of other requests are on the failing side of a difference, beyond what passes. */
import { type Json, type JsonObject, pointerTokens, valueAt } from '../json.ts';
import type { Cause } from './cause.ts';
import { type Difference, SPELLING } from './difference.ts';
import { type DrawnRequest, messagesIn, textsIn } from './drawn-request.ts';
import { isUnknownName } from './unknown-fields.ts';

/** A place in a request. Of a sequence, its pointer begins with the place of the request. */
function tokensIn({ pointer }: Difference, { smallest }: Cause): readonly string[] {
  const tokens = pointerTokens(pointer);
  return smallest.requests.length > 1 ? tokens.slice(1) : tokens;
}

/** Whether one of these requests is on the failing side in every place. */
export function isOnFailingSide(cause: Cause, requests: readonly DrawnRequest[]): boolean {
  const { difference } = cause;
  return (
    difference.length > 0 &&
    difference.every((place) => requests.some((request) => hasFailing(place, tokensIn(place, cause), request, cause)))
  );
}

function hasFailing(
  { failing, passing }: Difference,
  tokens: readonly string[],
  request: DrawnRequest,
  { features, smallest }: Cause,
): boolean {
  const [name = '', index, ...inside] = tokens;
  // A request less.
  if (name === '') return true;
  if (isUnknownName(name)) return hasUnknown([request.body]);
  if (name !== 'messages' && index === undefined) return isFieldFailing(request.body[name], failing, passing);
  if (features.size > 0) return true;
  if (name !== 'messages') return valueAt(request.body, `/${name}`) !== undefined;
  if (inside.some(isUnknownName)) return hasUnknown(messagesIn(request));
  // A message less, or a shorter text.
  const last = smallest.requests.at(-1);
  if (inside.length === 0) return last !== undefined && messagesIn(request).length >= messagesIn(last).length;
  const least = lengthBeyond(failing, passing);
  return least !== undefined && textsIn(request).some((text) => text.length > least);
}

/** Another name stands for the one that was drawn. */
function hasUnknown(members: readonly JsonObject[]): boolean {
  return members.some((member) => Object.keys(member).some(isUnknownName));
}

function isFieldFailing(own: Json | undefined, failing: Json | undefined, passing: Json | undefined): boolean {
  if (typeof failing === 'number' && typeof passing === 'number') {
    return typeof own === 'number' && (failing > passing ? own > passing : own < passing);
  }
  if (JSON.stringify(own) === JSON.stringify(passing)) return false;
  return failing === undefined ? own === undefined : own !== undefined;
}

/** The length up to which a text passes, if it fails for its length. */
function lengthBeyond(failing: Json | undefined, passing: Json | undefined): number | undefined {
  if (typeof failing !== 'string' || typeof passing !== 'string') return undefined;
  return failing.length > passing.length ? passing.length : undefined;
}

/** Whether one edge can be the reason of both: from what passes to what fails, in the same direction. */
export function mayShareEdge(place: Difference, other: Difference): boolean {
  const [a, b] = [sizesOf(place), sizesOf(other)];
  if (!a || !b || a.isAbove !== b.isAbove) return false;
  return Math.max(a.low, b.low) < Math.min(a.high, b.high);
}

/** Numbers, and the lengths of texts. */
function sizesOf({ failing, passing }: Difference) {
  const [fails, passes] =
    typeof failing === 'string' && typeof passing === 'string' ? [failing.length, passing.length] : [failing, passing];
  if (typeof fails !== 'number' || typeof passes !== 'number' || fails === passes) return undefined;
  return { low: Math.min(fails, passes), high: Math.max(fails, passes), isAbove: fails > passes };
}

/** Whether a request lacks a field without which the cause cannot show. Before it, another one may do as well. */
export function lacksField(cause: Cause, requests: readonly DrawnRequest[]): boolean {
  if (cause.smallest.requests.length > 1) return false;
  return cause.difference.some((place) => {
    const [name = '', ...more] = tokensIn(place, cause);
    const isField = name !== '' && name !== SPELLING && name !== 'messages' && more.length === 0;
    if (!isField || place.failing === undefined) return false;
    const has = ({ body }: DrawnRequest): boolean =>
      isUnknownName(name) ? hasUnknown([body]) : body[name] !== undefined;
    return !requests.some(has);
  });
}
