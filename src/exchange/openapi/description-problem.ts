/** Why there is no description to compare: the union, and its one table of sentences. */
import { formatQuote, type Quote } from '../../text/quote.ts';
import type { LimitName, NoAnswer } from '../exchange.ts';
import type { Integer } from '../../scalars.ts';

export type DescriptionProblem =
  | { readonly kind: 'no-answer'; readonly failure: NoAnswer }
  | { readonly kind: 'status'; readonly status: Integer }
  | { readonly kind: 'limit'; readonly limit: LimitName }
  | { readonly kind: 'not-json'; readonly detail: Quote }
  | { readonly kind: 'not-json-or-yaml'; readonly detail: Quote }
  | { readonly kind: 'too-deep'; readonly levels: Integer }
  /** A recording has the sentence only. */
  | { readonly kind: 'recorded'; readonly sentence: Quote }
  | { readonly kind: 'cut' | 'undecodable' | 'aborted' | 'too-costly-yaml' | 'long-aliases' }
  | { readonly kind: 'not-an-object' | 'empty' | 'not-utf8' | 'too-many-values' };

type ProblemOf<Kind extends DescriptionProblem['kind']> = Extract<DescriptionProblem, { readonly kind: Kind }>;

/** Each follows "the description". */
const PROBLEMS: { readonly [Kind in DescriptionProblem['kind']]: (problem: ProblemOf<Kind>) => string } = {
  'no-answer': ({ failure }) => NO_ANSWER[failure],
  status: ({ status }) =>
    status >= 300 && status < 400
      ? `was answered with a redirect (${status}), which is not followed: pass the final URL`
      : `was answered with status ${status}`,
  limit: ({ limit }) => `exceeds --${limit}`,
  'not-json': ({ detail }) => `is not valid JSON (${formatQuote(detail)})`,
  'not-json-or-yaml': ({ detail }) => `is neither valid JSON nor valid YAML (${formatQuote(detail)})`,
  'too-deep': ({ levels }) => `is nested deeper than ${levels} levels (--max-depth)`,
  recorded: ({ sentence }) => formatQuote(sentence),
  cut: () => 'was cut off',
  undecodable: () => 'could not be decompressed',
  aborted: () => 'was not fetched completely: the run had ended',
  'too-costly-yaml': () => 'needs too much memory or time to parse as YAML: publish it as JSON',
  'long-aliases': () => 'exceeds --max-body once its aliases are resolved',
  'not-an-object': () => 'is not an object',
  empty: () => 'is empty',
  'not-utf8': () => 'is not UTF-8 text',
  'too-many-values': () => 'has too many values',
};

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
  // The table is keyed by the kind itself, which the compiler cannot follow through an index.
  return (PROBLEMS[problem.kind] as (problem: DescriptionProblem) => string)(problem);
}
