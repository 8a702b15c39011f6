/** Ids of clauses that users write: in profiles and in suites. */
import { type Clause, CONTRACT_SUBJECTS } from '../contract.ts';
import { inert } from '../../text/inert.ts';
import { loadContract } from '../load-contract.ts';

const ID = /^[a-z]+\.[a-z0-9]+(-[a-z0-9]+)*$/;

/** Of v1, on every side of the wire. */
export function clausesOfV1(): readonly Clause[] {
  return [undefined, ...CONTRACT_SUBJECTS].flatMap((subject) => loadContract(subject).clauses);
}

/** Why an id cannot be that of a clause of the user's own; undefined if it can. */
export function findWrongId(id: string): string | undefined {
  if (!ID.test(id))
    return `the id "${inert(id, 100)}" must be two lower-case names joined by a dot, such as acme.request-id.`;
  const [area = ''] = id.split('.');
  if (!clausesOfV1().some((each) => each.id.startsWith(`${area}.`))) return undefined;
  return `ids that start with ${area}. belong to v1. Start yours with a name of your own.`;
}
