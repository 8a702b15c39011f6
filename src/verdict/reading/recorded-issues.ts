/** What is wrong with a request that somebody else recorded, found once for all clauses that look at it. */
import type { Contract, SchemaIssue } from '../../contract/contract.ts';
import { requestIssues } from '../../contract/request-issues.ts';
import type { Exchange } from '../../exchange/exchange.ts';

const known = new WeakMap<Exchange, readonly SchemaIssue[]>();

export function recordedIssues(exchange: Exchange, contract: Contract): readonly SchemaIssue[] {
  if (exchange.request.endpoint !== 'chat') return [];
  const found = known.get(exchange) ?? requestIssues(contract, exchange.request.body ?? '');
  known.set(exchange, found);
  return found;
}
