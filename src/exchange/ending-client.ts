/** The advice on a client that failed the plain control, from what it showed. */
import { inert } from '../text/inert.ts';
import { formatQuote, type Quote } from '../text/quote.ts';
import type { Advice } from './ending-unreachable.ts';

/** What a client made of the plain reply. */
const HOW_IT_FAILED = {
  failed: () => 'it reported a failed call',
  'wrong-text': () => 'it returned another text',
  'no-text': () => 'it returned no text',
  'no-result': (seconds: number) => `it gave no result within ${seconds} s`,
  'no-request': () => 'it sent no plain chat request to the base URL that it was given',
  ended: () => 'the driver ended before it answered',
  flooded: () => 'it printed too much (limits: 1 MiB on stdout, 16 MiB of other output)',
  unsupported: () => 'it says that it does not make plain calls',
} as const satisfies Record<string, (seconds: number) => string>;

export interface FailedControl {
  readonly how: keyof typeof HOW_IT_FAILED;
  /** How long it took. */
  readonly seconds: number;
  readonly said: Quote;
  readonly complaint: Quote;
  /** The requests that it made, such as `POST /responses`. */
  readonly calls: readonly string[];
}

const MAX_SIGN = 400;

export function adviseOnFailedControl({ how, seconds, said, complaint, calls }: FailedControl): Advice {
  const quote = (text: Quote): string => inert(formatQuote(text).trim(), MAX_SIGN);
  const signs = [
    ...(said.length === 0 ? [] : [` It printed: ${quote(said)}`]),
    ...(complaint.length === 0 ? [] : [` Its error: ${quote(complaint)}`]),
    ...(calls.length === 0 ? [' It sent no request at all.'] : [` It called ${inert(calls.join(', '), MAX_SIGN)}.`]),
  ];
  return {
    what: `The client failed the plain control: ${HOW_IT_FAILED[how](seconds)}.${signs.join('')}`,
    remedy: 'Make this call work first: see wirecheck explain client/plain',
  };
}
