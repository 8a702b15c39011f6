/** What was gathered about a client: plain data, so that it can be stored and judged again. */
import type { Ending } from '../exchange/ending.ts';
import type { Exchange, SentRequest } from '../exchange/exchange.ts';
import type { ClientAnswer } from './drive/client-answer.ts';
import { type CallMode, endpointOf } from './scenario.ts';

/** A scenario that has been played. */
export interface PlayedScenario {
  readonly scenario: string;
  readonly baseUrl: string;
  readonly answer: ClientAnswer;
  /** What a client that understands returns. */
  readonly text: string;
  /** All calls, kept or not. */
  readonly callCount: number;
  /** Milliseconds that the client had. */
  readonly limit: number;
  /** The calls that were kept, in order of arrival. */
  readonly exchanges: readonly Exchange[];
}

export interface ClientTraffic {
  /** By scenario, the controls first. */
  readonly played: ReadonlyMap<string, PlayedScenario>;
  readonly ending: Ending;
  /** Wall clock, milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/** The calls that the client was asked to make. */
export function askedCalls({ exchanges }: PlayedScenario, mode: CallMode): readonly Exchange[] {
  return exchanges.filter(({ request }) => isAsked(request, mode));
}

export function isAsked({ endpoint, method, mode }: SentRequest, asked: CallMode): boolean {
  if (endpoint !== endpointOf(asked)) return false;
  return asked === 'models' ? method === 'GET' : method === 'POST' && mode === asked;
}
