/** Violations that fail alike, whichever rule they break. */
import type { Contract } from '../contract/contract.ts';
import type { Cause } from './cause.ts';
import { classify } from './classify.ts';
import type { DrawnRequest } from './drawn-request.ts';

/** The clause that a request breaks. */
export function violationIn(request: DrawnRequest | undefined, contract: Contract): string | undefined {
  const standing = request && classify(request, contract);
  return standing?.kind === 'invalid' ? standing.clause : undefined;
}

/** The clause that a cause breaks, if the same request without its violation passes. */
function violationOf({ smallest, neighbour }: Cause, contract: Contract): string | undefined {
  const clause = violationIn(smallest.requests.at(-1), contract);
  const isNeeded = neighbour !== undefined && violationIn(neighbour.draw.requests.at(-1), contract) === undefined;
  return isNeeded ? clause : undefined;
}

/** Whether a cause is a violation which this request does not have. */
export function lacksViolation(cause: Cause, request: DrawnRequest | undefined, contract: Contract): boolean {
  const own = violationIn(request, contract);
  if (cause.isAnyViolation) return own === undefined;
  const clause = violationOf(cause, contract);
  return clause !== undefined && own !== clause;
}

/** Whether two causes are different violations, so that neither is the reason. */
export function areAnyViolations(cause: Cause, other: Cause, contract: Contract): boolean {
  const [clause, another] = [cause, other].map((each) => violationOf(each, contract));
  return another !== undefined && (cause.isAnyViolation ?? (clause !== undefined && clause !== another));
}

export function asAnyViolation({ neighbour: _neighbour, ...cause }: Cause): Cause {
  return { ...cause, difference: [], features: new Set(), isAnyViolation: true };
}
