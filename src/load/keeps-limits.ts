/** Whether a recorded call still asks what it was sent for: a profile may have other limits than its run had (rule 39). */
import type { RequestRules } from '../contract/contract.ts';
import { isObject } from '../json.ts';
import type { LoadKind } from '../report/load-report.ts';

/** A value out of range has to be out of range, and all others within. What no key may do does not depend on values. */
export function isStillAsked(kind: LoadKind, body: string | undefined, rules: Pick<RequestRules, 'limits'>): boolean {
  if (body === undefined || kind === 'unknown-key') return true;
  return (kind === 'refusal') !== keepsLimits(body, rules);
}

function keepsLimits(body: string, { limits }: Pick<RequestRules, 'limits'>): boolean {
  const request: unknown = JSON.parse(body);
  if (!isObject(request)) return false;
  return Object.entries(limits).every(([field, { minimum = -Infinity, maximum = Infinity }]) => {
    const value = request[field];
    return typeof value !== 'number' || (value >= minimum && value <= maximum);
  });
}
