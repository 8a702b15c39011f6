/** The requests that show a finding of an exploration. */
import type { ExchangeReport } from './report.ts';
import type { ExploredFinding } from './explore-report.ts';

/** The requests of a finding in order, on one connection; the last one fails. */
export function requestsOfFinding(
  exchanges: readonly ExchangeReport[],
  { exchange }: Pick<ExploredFinding, 'exchange'>,
) {
  const failing = exchanges.find(({ id }) => id === exchange);
  const connection = failing?.idle?.connection;
  if (!failing || connection === undefined) return failing ? [failing] : [];
  const own = exchanges.filter(({ idle, side }) => side === undefined && idle?.connection === connection);
  return own.slice(0, own.indexOf(failing) + 1);
}
