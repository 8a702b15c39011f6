/** Why there is no description to compare: a sentence for each kind. */
import { formatQuote, type Quote } from '../../text/quote.ts';
import { type RowsOf, wordsFor } from '../../kinds.ts';
import type { LimitName, NoAnswer } from '../exchange.ts';
import type { Integer } from '../../scalars.ts';

/** Each follows "the description". */
const PROBLEMS = {
  'no-answer': ({ failure }: { readonly failure: NoAnswer }) => NO_ANSWER[failure],
  status: ({ status }: { readonly status: Integer }) =>
    status >= 300 && status < 400
      ? `was answered with a redirect (${status}), which is not followed: pass the final URL`
      : `was answered with status ${status}`,
  limit: ({ limit }: { readonly limit: LimitName }) => `exceeds --${limit}`,
  'not-json': ({ detail }: { readonly detail: Quote }) => `is not valid JSON (${formatQuote(detail)})`,
  'not-json-or-yaml': ({ detail }: { readonly detail: Quote }) =>
    `is neither valid JSON nor valid YAML (${formatQuote(detail)})`,
  'too-deep': ({ levels }: { readonly levels: Integer }) => `is nested deeper than ${levels} levels (--max-depth)`,
  /** A recording has the sentence only. */
  recorded: ({ sentence }: { readonly sentence: Quote }) => formatQuote(sentence),
  cut: 'was cut off',
  undecodable: 'could not be decompressed',
  aborted: 'was not fetched completely: the run had ended',
  'too-costly-yaml': 'needs too much memory or time to parse as YAML: publish it as JSON',
  'long-aliases': 'exceeds --max-body once its aliases are resolved',
  'not-an-object': 'is not an object',
  empty: 'is empty',
  'not-utf8': 'is not UTF-8 text',
  'too-many-values': 'has too many values',
};

export type DescriptionProblem = RowsOf<typeof PROBLEMS>;

const NO_ANSWER: Readonly<Record<NoAnswer, string>> = {
  refused: 'could not be fetched: cannot connect to its host',
  unresolved: 'could not be fetched: cannot resolve its host name',
  tls: 'could not be fetched: the TLS connection to its host failed',
  closed: 'could not be fetched: the connection was closed without an answer',
  timeout: 'was not received in time',
  'not-http': 'could not be fetched: the answer was not valid HTTP',
  limit: 'could not be fetched: the headers of the answer exceed the limits',
  aborted: 'was not fetched: the run had ended',
};

/** Follows "the description". */
export function formatProblem(problem: DescriptionProblem): string {
  return wordsFor(PROBLEMS, problem);
}
