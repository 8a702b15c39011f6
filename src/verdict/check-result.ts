/** Constructors for what a check finds. */
import type { Exchange } from '../exchange/exchange.ts';
import { finding, type BriefParts } from './finding.ts';
import type { Observation } from './observation.ts';
import type { Reason } from './reason.ts';
import type { CheckResult, Finding, NotJudged } from './verdict.ts';

export const HOLDS: CheckResult = { kind: 'holds' };
/** It held, but only after a retry. */
export const HOLDS_FLAKY: CheckResult = { kind: 'holds', flaky: true };

/** It held in these answers. The others could not have broken it. */
export function holdsIn(kept: readonly Exchange[], flaky = false): CheckResult {
  return { kind: 'holds', ...(flaky && { flaky }), answers: { kept, broken: [] } };
}

export function broken(findings: readonly Finding[]): Extract<CheckResult, { readonly kind: 'broken' }> {
  return { kind: 'broken', findings };
}

/** Broken by one finding. */
export function brokenWith(exchange: Exchange, parts: BriefParts): CheckResult {
  return broken([finding(exchange, parts)]);
}

/** Broken where there are findings, holds where there are none. */
export function brokenIfAny(findings: readonly Finding[]): CheckResult {
  return findings.length === 0 ? HOLDS : broken(findings);
}

export function inconclusive(reason: Reason): NotJudged {
  return { kind: 'inconclusive', reason };
}

export function skipped(reason: Reason): NotJudged {
  return { kind: 'skipped', reason };
}

/** The answer has no place that the clause is about, so that it could not have broken it. */
export const NO_FIELD = skipped({ kind: 'no-occasion', of: 'field' });

export function observed(observations: readonly Observation[]): CheckResult {
  return { kind: 'observed', observations };
}
