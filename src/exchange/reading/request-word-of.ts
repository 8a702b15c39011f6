/** The word that a request has and no other. */
import { makeRequestWord } from '../../plan/request-word.ts';
import type { Exchange } from '../exchange.ts';

/** Undefined for a request without one, such as a list, and for traffic that somebody else recorded. */
export function ownWord(
  { id, givenUp = id, request }: Pick<Exchange, 'id' | 'givenUp' | 'request'>,
  seed: number,
): string | undefined {
  const { body } = request;
  if (request.endpoint !== 'chat' || body === undefined) return undefined;
  const word = makeRequestWord(seed, givenUp);
  return body.includes(word) ? word : undefined;
}
