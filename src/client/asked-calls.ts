/** Which calls of a client are those that it was asked to make. */
import type { PlayedScenario } from '../exchange/client-traffic.ts';
import type { Exchange, SentRequest } from '../exchange/exchange.ts';
import { type CallMode, endpointOf } from './scenario.ts';

export function askedCalls({ exchanges }: PlayedScenario, mode: CallMode): readonly Exchange[] {
  return exchanges.filter(({ request }) => isAsked(request, mode));
}

export function isAsked({ endpoint, method, mode }: SentRequest, asked: CallMode): boolean {
  if (endpoint !== endpointOf(asked)) return false;
  return asked === 'models' ? method === 'GET' : method === 'POST' && mode === asked;
}
