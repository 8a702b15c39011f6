/**
 * Fills in the limits of the contract where a case names them: `${max.temperature}` instead of 2. So a case follows
 * whatever changes the limits. These are the names; F is a parameter, N a number:
 *
 *   ${min.F:N} ${max.F:N}            the edges, which are answered; N if there is none
 *   ${belowMin.F:N} ${aboveMax.F:N}  N beyond an edge, which is refused; at least 0.1 beyond one that a profile sets
 *   ${within.F:N}                    N, or the nearest edge if N is out of range
 *   ${outside.F} ${inside.F}         the limits in words, such as: below 0 or above 2
 *   ${required}                      the required fields in words
 */
import { formatInside, formatOutside, type Range, type RequestRules } from '../contract/contract.ts';
import { loadContract } from '../contract/read-contract.ts';
import { isObject, type Json } from '../json.ts';
import { listAll } from '../text/layout.ts';
import type { Pointless } from './case.ts';
import type { CaseEntry } from './suite-file.ts';

const NAMES = String.raw`(min|max|belowMin|aboveMax|within|outside|inside)\.([a-z_]+)(?::([^}]+))?`;
const LIMIT = new RegExp(String.raw`\$\{${NAMES}\}`, 'g');
const WHOLE = new RegExp(String.raw`^\$\{${NAMES}\}$`);
const REQUIRED = /\$\{required\}/g;

export function fillLimits(entry: CaseEntry, { limits, required }: RequestRules) {
  const usual = loadContract().rules.limits;
  // A request that is to be answered has to have every required field.
  const removed = (entry.remove ?? '').slice(1);
  let pointless: Pointless | undefined =
    entry.request !== undefined && required.includes(removed) ? { kind: 'field-required', field: removed } : undefined;
  const valueOf = (text: string, name: string, field: string, number: string | undefined): string => {
    const value = VALUES[name]?.(limits[field] ?? {}, number, usual[field] ?? {});
    if (value !== undefined) return value;
    const bound = /min/i.test(name) ? 'minimum' : /max/i.test(name) ? 'maximum' : 'any';
    pointless ??= { kind: 'limit-lifted', field, bound };
    return text;
  };
  const fillText = (text: string): string =>
    text.replaceAll(LIMIT, valueOf).replaceAll(REQUIRED, () => listAll(required));
  const fillValue = (value: Json): Json => {
    if (typeof value === 'string') {
      const filled = fillText(value);
      return WHOLE.test(value) && filled !== value ? Number(filled) : fitBrief(filled, limits);
    }
    if (Array.isArray(value)) return (value as readonly Json[]).map(fillValue);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fillValue(member)]));
  };
  const { title, set, add, rawNumber } = entry;
  // Before the title, whose words name both sides of a limit.
  const edits = {
    ...(set && { set: fillValue(set) as NonNullable<CaseEntry['set']> }),
    ...(add && { add: fillValue(add) as NonNullable<CaseEntry['add']> }),
    ...(rawNumber && {
      rawNumber: Object.fromEntries(Object.entries(rawNumber).map(([pointer, text]) => [pointer, fillText(text)])),
    }),
  };
  const filled: CaseEntry = { ...entry, ...edits, title: fillText(title) };
  return { entry: filled, ...(pointless && { pointless }) };
}

type ValueOf = (range: Range, number: string | undefined, usual: Range) => string | undefined;

/** Undefined if there is no such limit. */
const VALUES: Readonly<Record<string, ValueOf>> = {
  min: ({ minimum }, otherwise) => minimum?.toString() ?? otherwise,
  max: ({ maximum }, otherwise) => maximum?.toString() ?? otherwise,
  belowMin: ({ minimum }, number, usual) => beyond(minimum, usual.minimum, -1, number),
  aboveMax: ({ maximum }, number, usual) => beyond(maximum, usual.maximum, 1, number),
  within: (range, number = '1') => {
    const fitting = nearest(Number(number), range);
    // A text such as 1.0 stays as it is written.
    return fitting === Number(number) ? number : String(fitting);
  },
  outside: formatOutside,
  inside: formatInside,
};

/** Whoever states a limit may count in tenths. */
const LEAST_DISTANCE = 0.1;

/** A number too large for JavaScript, such as 1e400, is beyond every limit. `usual`: the edge of v1. */
function beyond(edge: number | undefined, usual: number | undefined, sign: 1 | -1, distance = '1'): string | undefined {
  if (edge === undefined) return undefined;
  const value = edge + sign * Math.max(Number(distance), edge === usual ? 0 : LEAST_DISTANCE);
  return Number.isFinite(value) ? String(Number(value.toFixed(10))) : distance;
}

// Values that the limits of a contract leave as they are, or move.

/** The usual requests ask for so few tokens that a larger minimum would refuse them. */
const BRIEF: ReadonlyMap<Json, number> = new Map([
  ['${briefTokens}', 1],
  ['${fewTokens}', 4],
]);

/** The value as it is, but for a brief reply that would be shorter than the least. */
export function fitBrief(value: Json, limits: RequestRules['limits']): Json {
  const least = limits['max_tokens']?.minimum ?? 1;
  return least > (BRIEF.get(value) ?? Infinity) ? least : value;
}

/** Within both limits. */
export function nearest(value: number, { minimum = -Infinity, maximum = Infinity }: Range = {}): number {
  return Math.min(Math.max(value, minimum), maximum);
}
