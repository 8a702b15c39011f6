/** The advice on a client that failed the plain control, from what it showed. */
import { COMMAND } from '../contract/package-files.ts';
import { inert } from '../text/inert.ts';
import { formatValue, type Quote } from '../text/quote.ts';
import type { Advice } from './ending-unreachable.ts';
import type { Integer } from '../scalars.ts';

/** What a client made of the plain reply. */
export const HOW_IT_FAILED = {
  failed: () => 'it reported a failed call',
  'wrong-text': () => 'it returned text that is not the reply',
  'no-text': () => 'it returned no text',
  'no-result': (seconds: number) => `it gave no result within ${seconds} s`,
  'no-request': () => 'it sent no plain chat request to the base URL that it was given',
  ended: () => 'the driver exited before it answered',
  flooded: () => 'it printed too much (limits: 1 MiB on stdout, 16 MiB of other output)',
  unsupported: () => 'it says that it does not make plain calls',
} as const satisfies Record<string, (seconds: number) => string>;

export interface FailedControl {
  readonly how: keyof typeof HOW_IT_FAILED;
  /** How long it took. */
  readonly seconds: number;
  readonly said: Quote;
  /** The text of the reply, if the client returned another one. */
  readonly reply?: Quote;
  readonly complaint: Quote;
  /** How its process ended, if not with exit code 0. */
  readonly exit?: Integer;
  readonly signal?: string;
  /** The requests that it made, such as `POST /responses`. */
  readonly calls: readonly string[];
  /** It exited with 0, without a request or any text: so does a driver that was started without `--driver`. */
  readonly mayBeDriver?: true;
}

const MAX_SIGN = 400;
const DRIVER = 'If it is a driver, add --driver, or driver: true in a clients file. Otherwise make';

export function adviseOnFailedControl(failed: FailedControl): Advice {
  const { how, seconds, said, reply, complaint, exit, signal, calls, mayBeDriver } = failed;
  // In quotation marks, so that white space at the end shows.
  const quote = (text: Quote): string => inert(formatValue(text), MAX_SIGN);
  const signs = [
    ...(said.length === 0 ? [] : [` It printed ${quote(said)}.`]),
    ...(reply === undefined ? [] : [` The reply is ${quote(reply)}.`]),
    ...(complaint.length === 0 ? [] : [` Its error: ${quote(complaint)}.`]),
    ...(signal === undefined ? [] : [` It was terminated by ${signal}.`]),
    ...(exit === undefined || exit === 0 ? [] : [` It exited with ${exit}.`]),
    ...(calls.length === 0 ? [' It sent no request at all.'] : [` It called ${inert(calls.join(', '), MAX_SIGN)}.`]),
  ];
  return {
    what: `The client failed the plain control: ${HOW_IT_FAILED[how](seconds)}.${signs.join('')}`,
    remedy: `${mayBeDriver ? DRIVER : 'Make'} this call work first; \`${COMMAND} explain client/plain\` says what it has to do.`,
  };
}
