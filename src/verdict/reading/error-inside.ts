/** An error dressed as success (part 7): a 200 whose body carries one. */
import { readChunks } from '../../exchange/reading/chunks.ts';
import type { Answer, Exchange } from '../../exchange/exchange.ts';
import { jsonOf, memberOf } from './body-reading.ts';

export function carriesError({ request }: Exchange, answer: Answer): boolean {
  if ((memberOf(jsonOf(answer), 'error') ?? null) !== null) return true;
  return request.mode === 'stream' && readChunks(answer).errors.length > 0;
}
