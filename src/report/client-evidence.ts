/** The part of a report that is about a client in one scenario. */
import type { Quote } from '../text/quote.ts';
import type { Duration, Integer } from '../scalars.ts';

/**
 * The result of a scenario. `pass`: the exact text, or a reported failure; `breaks`: an error in answer to a legal
 * answer; `wrong-text`: different text; `silent`: a failure shown as success; `hangs`: no result within the limit;
 * `retrying`: still retrying at the limit; `bad-request`: the request breaks a clause; `unsupported`: the client does
 * not make this kind of call; `not-started`: the command or driver did not run, or ended before
 * it made a call.
 */
export const CLIENT_RESULTS = [
  'pass',
  'breaks',
  'wrong-text',
  'silent',
  'hangs',
  'retrying',
  'bad-request',
  'unsupported',
  'not-started',
] as const;
export type ClientResult = (typeof CLIENT_RESULTS)[number];

/** What a client said and did in one scenario. */
export interface ClientEvidence {
  readonly result: ClientResult;
  /** The text that a client which understands returns; absent where a failure has to be reported. */
  readonly text?: string;
  /** What it returned: stdout, or the text of a driver. */
  readonly said: Quote;
  /** What it printed on stderr, or the error that a driver reported. */
  readonly complaint: Quote;
  /** Of a process that ended by itself. */
  readonly exit?: Integer;
  readonly signal?: string;
  /** Milliseconds until the result, or until the limit. */
  readonly time: Duration;
  /** In order of arrival. */
  readonly exchanges: readonly string[];
}
