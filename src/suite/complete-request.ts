/** Adds to a chat request what the contract requires of every one, and what is sent along. */
import type { RequestRules } from '../contract/contract.ts';
import { isObject, type Json, type JsonObject, pointerTokens } from '../json.ts';

/** The usual request asks for so few tokens that a larger minimum would refuse it. */
const BRIEF = '${briefTokens}';

export function completeRequest(body: JsonObject, { required, limits, added }: RequestRules): JsonObject {
  const missing = required.filter((field) => !Object.hasOwn(body, field));
  const whole: JsonObject = {
    ...body,
    ...Object.fromEntries(missing.map((field) => [field, usualValue(field, limits)])),
  };
  const least = limits['max_tokens']?.minimum ?? 1;
  const asked = whole['max_tokens'] === BRIEF && least > 1 ? { ...whole, max_tokens: least } : whole;
  return Object.entries(added).reduce(
    (made, [pointer, value]) => withValue(made, pointerTokens(pointer), value) as JsonObject,
    asked,
  );
}

function usualValue(field: string, limits: RequestRules['limits']): Json {
  if (field === 'max_tokens') return '${replyTokens}';
  if (field === 'stream') return false;
  const { minimum = -Infinity, maximum = Infinity } = limits[field] ?? {};
  return Math.min(Math.max(1, minimum), maximum);
}

/** Objects on the way are made. */
function withValue(document: Json | undefined, tokens: readonly string[], value: Json): Json {
  const [first, ...rest] = tokens;
  if (first === undefined) return value;
  const here = isObject(document) ? document : {};
  return { ...here, [first]: withValue(Object.hasOwn(here, first) ? here[first] : undefined, rest, value) };
}
