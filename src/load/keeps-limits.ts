/** Whether a recorded call still asks what it was sent for: a profile may have other limits than its run had (rule 39). */
import type { RequestRules } from '../contract/contract.ts';
import { isObject, type JsonObject, parseJson } from '../json.ts';
import type { LoadKind } from '../report/load-report.ts';

/** A value out of range has to be out of range, and all others within. What no key may do does not depend on values. */
export function isStillAsked(kind: LoadKind, body: string | undefined, rules: Pick<RequestRules, 'limits'>): boolean {
  const request = kind === 'unknown-key' ? undefined : parseJson(body);
  return !isObject(request) || (kind === 'refusal') !== keepsLimits(request, rules);
}

function keepsLimits(request: JsonObject, { limits }: Pick<RequestRules, 'limits'>): boolean {
  return Object.entries(limits).every(([field, { minimum = -Infinity, maximum = Infinity }]) => {
    const value = request[field];
    return typeof value !== 'number' || (value >= minimum && value <= maximum);
  });
}
