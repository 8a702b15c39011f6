/** Which calls of a client are those that it was asked to make. */
import type { PlayedScenario, ProcessEnd } from '../exchange/client-traffic.ts';
import type { Exchange, SentRequest } from '../exchange/exchange.ts';
import { type CallMode, endpointOf } from './scenario.ts';

export function askedCalls({ exchanges }: PlayedScenario, mode: CallMode): readonly Exchange[] {
  return exchanges.filter(({ request }) => isAsked(request, mode));
}

/** How a process ended that has made no call, and has not been told anything that it could have failed on. */
export function endedEarly({ answer, callCount }: PlayedScenario): ProcessEnd | undefined {
  if (answer.kind !== 'failed' || callCount > 0) return undefined;
  const { exit, signal } = answer;
  if (signal !== undefined) return { signal };
  return exit === undefined ? undefined : { exit };
}

export function isAsked({ endpoint, method, mode }: SentRequest, asked: CallMode): boolean {
  if (endpoint !== endpointOf(asked)) return false;
  return asked === 'models' ? method === 'GET' : method === 'POST' && mode === asked;
}
