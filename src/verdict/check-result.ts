/** Constructors for what a check finds. */
import type { Exchange } from '../exchange/exchange.ts';
import type { Observation } from './observation.ts';
import type { Cause, OccasionName, Reason, ReasonPhrase } from './reason.ts';
import type { CheckResult, NotJudged } from './verdict.ts';

export const HOLDS: CheckResult = { kind: 'holds' };
/** It held, but only after a retry. */
export const HOLDS_FLAKY: CheckResult = { kind: 'holds', flaky: true };

/** It held in these answers. The others could not have broken it. */
export function holdsIn(kept: readonly Exchange[], flaky = false): CheckResult {
  return { kind: 'holds', ...(flaky && { flaky }), answers: { kept, broken: [] } };
}

/** A phrase is a reason that needs no data, which the compiler cannot follow through so many kinds. */
export function inconclusive(reason: Reason | ReasonPhrase): NotJudged {
  return { kind: 'inconclusive', reason: typeof reason === 'string' ? ({ kind: reason } as Reason) : reason };
}

export function skipped(reason: Reason | ReasonPhrase): NotJudged {
  return { ...inconclusive(reason), kind: 'skipped' };
}

/** The run gave the clause no occasion. */
export function noOccasion(of: OccasionName): NotJudged {
  return skipped({ kind: 'no-occasion', of });
}

/** Another clause has it, so that it is reported once. */
export function seeOtherClause(because: Cause, clause: string): NotJudged {
  return skipped({ kind: 'see-clause', because, clause });
}

/** The answer has no place that the clause is about, so that it could not have broken it. */
export const NO_FIELD = noOccasion('field');

export function observed(observations: readonly Observation[]): CheckResult {
  return { kind: 'observed', observations };
}
