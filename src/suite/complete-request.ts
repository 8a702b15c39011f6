/** Adds to a chat request what the contract requires of every one, and what is sent along. */
import type { Range, RequestRules } from '../contract/contract.ts';
import { isObject, type Json, type JsonObject, parseJson, pointerTokens } from '../json.ts';

/** The usual request asks for so few tokens that a larger minimum would refuse it. */
const BRIEF = '${briefTokens}';

/** `tokens`: the usual max_tokens. */
export function completeRequest(
  body: JsonObject,
  { required, limits, added }: RequestRules,
  tokens: Json = '${replyTokens}',
): JsonObject {
  const missing = required.filter((field) => !Object.hasOwn(body, field));
  const whole: JsonObject = {
    ...body,
    ...Object.fromEntries(missing.map((field) => [field, field === 'max_tokens' ? tokens : usualValue(field, limits)])),
  };
  const { max_tokens: most } = whole;
  const asked = most === undefined ? whole : { ...whole, max_tokens: fitBrief(most, limits) };
  return Object.entries(added).reduce(
    (made, [pointer, value]) => withValue(made, pointerTokens(pointer), value) as JsonObject,
    asked,
  );
}

/** As it is, but for a brief reply that would be shorter than the least. */
export function fitBrief(value: Json, limits: RequestRules['limits']): Json {
  const least = limits['max_tokens']?.minimum ?? 1;
  return value === BRIEF && least > 1 ? least : value;
}

function usualValue(field: string, limits: RequestRules['limits']): Json {
  if (field === 'stream') return false;
  return nearest(1, limits[field]);
}

function nearest(value: number, { minimum = -Infinity, maximum = Infinity }: Range = {}): number {
  return Math.min(Math.max(value, minimum), maximum);
}

/** The text of a request that is to be answered: complete, and with every parameter within its limits. */
export function fitRequest(text: string, rules: RequestRules, tokens: number): string {
  const body = parseJson(text);
  if (!isObject(body)) return text;
  const fitting = Object.entries(body).map(([name, value]) => [
    name,
    typeof value === 'number' ? nearest(value, rules.limits[name]) : value,
  ]);
  return JSON.stringify(
    completeRequest(Object.fromEntries(fitting), rules, nearest(tokens, rules.limits['max_tokens'])),
  );
}

/** Objects on the way are made. */
function withValue(document: Json | undefined, tokens: readonly string[], value: Json): Json {
  const [first, ...rest] = tokens;
  if (first === undefined) return value;
  const here = isObject(document) ? document : {};
  return { ...here, [first]: withValue(Object.hasOwn(here, first) ? here[first] : undefined, rest, value) };
}
