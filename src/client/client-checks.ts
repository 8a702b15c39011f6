/** The checks that judge a client, by name: what each looks at, for `wirecheck list checks`. */
import type { CallCheckName } from './call-check-names.ts';
import type { Outlook, Scenario } from './scenario.ts';

/** The check of a scenario that judges what came out of its call. */
const CHECK_OF = { text: 'understands', failure: 'makes-known', either: 'records' } as const satisfies Record<
  Exclude<Outlook, 'calls'>,
  string
>;

type ClientCheckName = (typeof CHECK_OF)[keyof typeof CHECK_OF] | CallCheckName;

/** A scenario without a check of its own is judged by what came out of its call. */
export function checkOf({ check, expect }: Scenario): ClientCheckName {
  return check ?? (expect === 'calls' ? 'records' : CHECK_OF[expect]);
}

export const CLIENT_CHECKS: Readonly<Record<ClientCheckName, { readonly summary: string }>> = {
  understands: { summary: 'The exact text of a legal answer comes out.' },
  'makes-known': { summary: 'A failed call is reported as one.' },
  records: { summary: 'What came out of an answer that the contract leaves open.' },
  bearer: { summary: 'Every request has the key as a bearer token.' },
  'content-type': { summary: 'Every request with a body has the content type application/json.' },
  'json-body': { summary: 'The body of every chat request is a JSON object.' },
  fields: { summary: 'Every chat request has the fields of the contract, with their types.' },
  limits: { summary: 'The parameters of every chat request are within their limits.' },
  'unknown-fields': { summary: 'Fields of requests that the contract does not have.' },
  headers: { summary: 'Headers of requests.' },
  'other-endpoints': { summary: 'Calls that the client was not asked to make.' },
  retries: { summary: 'How often a client calls again after a failure.' },
  'retry-after': { summary: 'How long a client waits if it is asked to.' },
};
