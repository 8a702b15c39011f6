/** What checks read of a completion, plain or streamed: its token counts, as far as the answer reports them, its id and its texts. */

import { oncePer } from '../../once-per.ts';
import type { Answer, Exchange } from '../../exchange/exchange.ts';
import { lastAnswer } from '../../exchange/reading/answered.ts';
import { joinParts, REASONING_FIELDS, TEXT_FIELDS } from '../../exchange/reading/choices.ts';
import { chunkValue, readChunks } from '../../exchange/reading/chunks.ts';
import { type Json, memberOf, parseJson } from '../../json.ts';
import { mustBeRefused } from '../../plan/cost.ts';
import { itemsOf, jsonOf } from './answers.ts';
import { isControlAnswered } from './control.ts';

function isCount(value: unknown): value is number {
  // A number too large for a double parses as Infinity, but is still an integer.
  return typeof value === 'number' && (Number.isInteger(value) || value === Infinity);
}

/**
 * `completion`: `usage.completion_tokens`, where it is an integer. `reasoning`: 0 where no tokens are reported. Most gateways
 * report them in the details, some beside the counts.
 */
function usageCounts(usage: Json | undefined) {
  const completion = memberOf(usage, 'completion_tokens');
  const detailed = memberOf(memberOf(usage, 'completion_tokens_details'), 'reasoning_tokens');
  const reasoning = [detailed, memberOf(usage, 'reasoning_tokens')].find(isCount) ?? 0;
  return { completion: isCount(completion) ? completion : undefined, reasoning };
}

/** The content of each choice of a plain completion that has a text. */
export function contentsOf(completion: unknown): readonly string[] {
  const choices = itemsOf(memberOf(completion, 'choices'));
  const contents = choices.map((choice) => memberOf(memberOf(choice, 'message'), 'content'));
  return contents.filter((content) => typeof content === 'string');
}

/** `choices`: their number, at least one. `texts`: of each choice that has one. */
export function tokenCounts({ request }: Exchange, answer: Answer) {
  if (request.mode === 'plain') {
    const value = jsonOf(answer);
    const { length } = itemsOf(memberOf(value, 'choices'));
    return { choices: Math.max(1, length), texts: contentsOf(value), ...usageCounts(memberOf(value, 'usage')) };
  }
  const { chunks, choices } = readChunks(answer);
  // If every chunk has a running count, the last one is the total.
  const counted = chunks.filter(({ hasUsage }) => hasUsage).map((chunk) => memberOf(chunkValue(chunk), 'usage'));
  const usage = counted.findLast((value) => isCount(memberOf(value, 'completion_tokens')));
  const texts = choices.map(({ text }) => text.map((piece) => piece.text).join(''));
  return { choices: Math.max(1, choices.length), texts, ...usageCounts(usage) };
}

/** `max_tokens` of the request, if it is in range. Kept, since several clauses need it and have to parse the request for it. */
export const maxTokensOf = oncePer(({ body }: Exchange['request']) => {
  const max = memberOf(parseJson(body), 'max_tokens');
  // A limit below 1 breaks another rule.
  return isCount(max) && max >= 1 ? max : undefined;
});

/** The id of a completion. An empty one of a plain reply is one that others may have, too. */
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

const FIELDS = [...TEXT_FIELDS, ...REASONING_FIELDS];

/** Every text: what the model said, and its reasoning. Empty ones are left out. */
export function replyTexts({ request }: Exchange, answer: Answer): readonly string[] {
  const texts =
    request.mode === 'stream'
      ? readChunks(answer).choices.flatMap(({ text, reasoning }) =>
          [text, reasoning].map((pieces) => pieces.map((piece) => piece.text).join('')),
        )
      : itemsOf(memberOf(jsonOf(answer), 'choices')).flatMap((choice) =>
          FIELDS.map((field) => joinParts(memberOf(memberOf(choice, 'message'), field))),
        );
  return texts.filter((text) => text !== '');
}

/** How many replies there are, if all have the same text, whether they answer a request or should refuse it. */
export function countConstant(exchanges: readonly Exchange[]) {
  const replies = exchanges.flatMap((exchange) => {
    const answer = isControlAnswered(exchange) ? lastAnswer(exchange) : undefined;
    const text = answer && replyTexts(exchange, answer).join('\n');
    return text ? [{ text, isWrong: mustBeRefused(exchange) }] : [];
  });
  const wrong = replies.filter(({ isWrong }) => isWrong).length;
  const isConstant = new Set(replies.map(({ text }) => text)).size === 1 && wrong > 0 && wrong < replies.length;
  return isConstant ? { replies: replies.length, wrong } : undefined;
}
