/** The status of an answer with what it says of itself, as data and as text. */
import { formatQuote, type Quote, quoteText } from '../text/quote.ts';
import type { Answer } from './exchange.ts';
import { isWebPage, readOwnWords } from './reading/page-or-empty.ts';
import type { Integer } from '../scalars.ts';

export interface AnswerStatus {
  readonly status: Integer;
  /** `error.type` and `error.code`, if they are strings. */
  readonly type?: Quote;
  readonly code?: Quote;
  /** `error.message`, or the words of an error of another shape. */
  readonly message?: Quote;
  /** The words are those of a web page. */
  readonly isPage?: true;
  readonly isEmpty?: true;
}

/** Describes an answer, also one whose error does not have the shape of part 7. */
export function describeAnswer(answer: Answer): AnswerStatus {
  const { status, body } = answer;
  const words = readOwnWords(answer);
  return {
    status,
    ...(words !== undefined && { message: quoteText(words) }),
    ...(isWebPage(answer) && { isPage: true }),
    ...(body.bytes.length === 0 && body.end.kind === 'complete' && { isEmpty: true }),
  };
}

/** `503 (overloaded: Try again later)`, `502 (web page: Bad Gateway)` or `500 (empty body)` */
export function formatStatus({ status, code, message, isPage, isEmpty }: AnswerStatus): string {
  const what = [...(isEmpty ? ['empty body'] : []), ...(isPage ? ['web page'] : [])];
  const words = [
    ...(code === undefined ? [] : [formatQuote(code, 'code')]),
    ...(message === undefined ? [] : [formatQuote(message, 'message')]),
  ];
  // Lengths without their texts are a list.
  const said = message?.quote === null ? words.join(', ') : words.join(': ');
  const all = [...what, ...(said === '' ? [] : [said])];
  return all.length === 0 ? String(status) : `${status} (${all.join(': ')})`;
}

/** The error of a finding about its body: `400 of type BadRequestError: top_p must be above 0` */
export function formatErrorSaid({ type, message, ...answer }: AnswerStatus): string {
  const status = formatStatus({ status: answer.status, ...(answer.isEmpty && { isEmpty: true }) });
  const kind = type === undefined || type.quote === null ? '' : ` of type ${formatQuote(type)}`;
  const page = answer.isPage ? ', a web page' : '';
  const words = message && formatQuote(message);
  const said = message === undefined ? '' : message.quote === null ? ` with a ${words}` : `: ${words}`;
  return `${status}${kind}${page}${said}`;
}
