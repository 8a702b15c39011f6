import type { Exchange } from '../../exchange/exchange.ts';
import type { RunView } from '../check.ts';
import { outcomeOf } from './outcome.ts';

/** The first exchange that shows the full key to be accepted: a 2xx to a request that carried it. */
export function acceptedKey(run: RunView): Exchange | undefined {
  return run.traffic.exchanges.find(acceptsKey);
}

export function acceptsKey(exchange: Exchange): boolean {
  if (exchange.request.key !== 'full' || exchange.request.endpoint === 'other') return false;
  const { kind } = outcomeOf(exchange);
  return kind === 'answered' || kind === 'success-other';
}
