/** Violations by kind. Each is drawn plain and streamed, since gateways check the two in different places. */
import type { Contract } from '../contract/contract.ts';
import { classify, violationsIn } from './classify.ts';
import { type DrawnRequest, isStreamed, withBody, without } from './drawn-request.ts';
import type { Feature } from './features.ts';

/** The clause, and which value or place breaks it. */
export function violationOf(clause: string, features: readonly Feature[]): Feature {
  const broken = features.filter(({ group, is }) => /^(no |mistake)/.test(group) || / (below|above)$/.test(is));
  return { group: 'violation', is: [clause, ...broken.map(({ is }) => is)].join(', ') };
}

/** The clause that a request breaks. Undefined if it keeps all, or is no JSON: then it does not say whether to stream. */
export function clauseBroken(request: DrawnRequest, contract: Contract): string | undefined {
  if (request.raw !== undefined) return undefined;
  const standing = classify(request, contract);
  return standing.kind === 'invalid' ? standing.clause : undefined;
}

/** The clause, and the side of a limit. */
export function kindOfViolation(request: DrawnRequest, contract: Contract): string | undefined {
  const clause = clauseBroken(request, contract);
  if (clause === undefined) return undefined;
  const [issue] = violationsIn(request.body, contract);
  const field = issue?.pointer.slice(1) ?? '';
  const value = request.body[field];
  const isBelow = typeof value === 'number' && value < (contract.rules.limits[field]?.minimum ?? -Infinity);
  return isBelow ? `${clause}, below` : clause;
}

/** Plain instead of streamed, or streamed instead of plain. */
export function inOtherMode(request: DrawnRequest): DrawnRequest {
  const rest = without(request.body, 'stream');
  return withBody(request, isStreamed(request) ? rest : { ...rest, stream: true });
}
