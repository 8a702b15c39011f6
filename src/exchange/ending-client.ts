/** The advice on a client that failed the plain control, from what it showed. */
import { inert } from '../text/inert.ts';
import { formatQuote, type Quote } from '../text/quote.ts';
import type { Advice } from './ending-unreachable.ts';

/** What a client made of the plain reply. */
const HOW_IT_FAILED = {
  failed: 'it reported a failed call',
  'wrong-text': 'it returned another text',
  'no-text': 'it returned no text',
  'no-result': 'it gave no result within --scenario-timeout',
  'no-request': 'it sent no plain chat request to the base URL that it was given',
  flooded: 'it printed more than 1 MiB',
  unsupported: 'it says that it does not make plain calls',
} as const;

export interface FailedControl {
  readonly how: keyof typeof HOW_IT_FAILED;
  readonly said: Quote;
  readonly complaint: Quote;
  /** The requests that it made, such as `POST /responses`. */
  readonly calls: readonly string[];
}

const MAX_SIGN = 400;

export function adviseOnFailedControl({ how, said, complaint, calls }: FailedControl): Advice {
  const quote = (text: Quote): string => inert(formatQuote(text).trim(), MAX_SIGN);
  const signs = [
    ...(said.length === 0 ? [] : [` It printed: ${quote(said)}`]),
    ...(complaint.length === 0 ? [] : [` Its error: ${quote(complaint)}`]),
    ...(calls.length === 0 ? [' It sent no request at all.'] : [` It called ${inert(calls.join(', '), MAX_SIGN)}.`]),
  ];
  return {
    what: `The client failed the plain control: ${HOW_IT_FAILED[how]}.${signs.join('')}`,
    remedy: 'Make this call work first: see wirecheck explain client/plain',
  };
}
