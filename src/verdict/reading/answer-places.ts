/** All answers of exchanges, and those of them that are errors or carry one. */

import { oncePer } from '../../once-per.ts';
import type { AnswerStatus } from '../../exchange/answer-status.ts';
import type { Answer, Exchange } from '../../exchange/exchange.ts';
import { hasReplyText } from '../../exchange/reading/choices.ts';
import { readChunks } from '../../exchange/reading/chunks.ts';
import { isPageOrEmpty } from '../../exchange/reading/page-or-empty.ts';
import { hasErrorMember } from '../../json.ts';
import { quoteText } from '../../text/quote.ts';
import { errorWord, jsonOf, mediaTypeOf, statusOf } from './answers.ts';

export interface AnswerPlace {
  readonly exchange: Exchange;
  /** Index of the attempt. */
  readonly attempt: number;
  readonly answer: Answer;
}

/** Includes the answers of retried attempts. */
export const allAnswers = oncePer((exchanges: readonly Exchange[]): readonly AnswerPlace[] => {
  const places: AnswerPlace[] = [];
  for (const exchange of exchanges) {
    exchange.attempts.forEach(({ outcome }, attempt) => {
      if (outcome.kind === 'answer') places.push({ exchange, attempt, answer: outcome.answer });
    });
  }
  return places;
});

/** Error answers of the two endpoints of the contract, with those of retried attempts. */
export const errorAnswers = oncePer((exchanges: readonly Exchange[]) =>
  allAnswers(exchanges).filter(({ exchange, answer }) => answer.status >= 400 && exchange.request.endpoint !== 'other'),
);

/** The same with the type of the error, which tells entries of one status apart. */
export function errorSaid(answer: Answer): AnswerStatus {
  const type = errorWord(answer, 'type');
  return { ...statusOf(answer), ...(type !== undefined && { type: quoteText(type) }) };
}

/** An error disguised as success (part 7): a 200 with an error in its body. */
export function carriesError({ request }: Exchange, answer: Answer): boolean {
  if (hasErrorMember(jsonOf(answer))) return true;
  return request.mode === 'stream' && readChunks(answer).errors.length > 0;
}

/** An error in place of a reply. A stream that carried text before its error was answered, and failed later. */
export function isOnlyError(exchange: Exchange, answer: Answer): boolean {
  if (!carriesError(exchange, answer)) return false;
  const choices = exchange.request.mode === 'stream' ? readChunks(answer).choices : [];
  return !hasReplyText(choices);
}

/**
 * An error in place of a reply, a web page, an empty object or list, or an event stream without any chunk of a reply.
 * Anything else may be a reply in a wrong form.
 */
export function isWithoutReply(exchange: Exchange, answer: Answer): boolean {
  if (isOnlyError(exchange, answer) || isPageOrEmpty(answer)) return true;
  const isEventStream = exchange.request.mode === 'stream' && mediaTypeOf(answer) === 'text/event-stream';
  return isEventStream && readChunks(answer).choices.length === 0 && jsonOf(answer) === undefined;
}
