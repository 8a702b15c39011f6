/** The id of a completion, plain or streamed. */
import type { Exchange } from '../../exchange/exchange.ts';
import { lastAnswer } from '../../exchange/reading/answered.ts';
import { readChunks } from '../../exchange/reading/chunks.ts';
import { memberOf } from '../../json.ts';
import { jsonOf } from './answers.ts';
import { isControlAnswered } from './control.ts';

/** An empty id of a plain reply is one that others may have, too. */
export function replyId(exchange: Exchange): string | undefined {
  const answer = lastAnswer(exchange);
  if (!answer || exchange.request.endpoint !== 'chat' || !isControlAnswered(exchange)) return undefined;
  if (exchange.request.mode === 'stream') return idOfStream(readChunks(answer).chunks.map(({ id }) => id?.text));
  const id = memberOf(jsonOf(answer), 'id');
  return typeof id === 'string' ? id : undefined;
}

/** Other clauses have empty ids of streams, and ids that change within one. */
function idOfStream(ids: readonly (string | undefined)[]): string | undefined {
  const [only, another] = new Set(ids);
  return another === undefined && only !== '' ? only : undefined;
}
