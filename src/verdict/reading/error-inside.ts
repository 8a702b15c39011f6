/** An error dressed as success (part 7): a 200 whose body carries one. */
import { readChunks } from '../../exchange/reading/chunks.ts';
import type { Answer, Exchange } from '../../exchange/exchange.ts';
import { jsonOf, memberOf } from './body-reading.ts';
import type { RunView } from '../check.ts';

export function carriesError({ request }: Exchange, answer: Answer, run: RunView): boolean {
  if ((memberOf(jsonOf(answer, run), 'error') ?? null) !== null) return true;
  return request.mode === 'stream' && readChunks(answer, run.settings.limits.depth).errors.length > 0;
}
