// `vectors/clauses.json`: the clauses that the vectors name, so that nobody needs wirecheck to know what they ask.
import { CONTRACT_SUBJECTS } from '../../build/src/contract/contract.js';
import { loadContract } from '../../build/src/contract/read-contract.js';
/** @import { Vector } from './vector.mjs' */

/**
 * In the order of the contract.
 * @param {readonly Vector[]} vectors
 */
export function clauseTexts(vectors) {
  const named = new Set(vectors.flatMap(({ clause, breaks = [] }) => [...(clause ? [clause] : []), ...breaks]));
  const texts = [undefined, ...CONTRACT_SUBJECTS].flatMap((subject) => {
    const contract = loadContract(subject);
    return contract.clauses.flatMap(({ id, part, level, summary }) =>
      named.delete(id) ? [{ id, part, level, summary, ...contract.explain(id) }] : [],
    );
  });
  if (named.size > 0) throw new Error(`No text for ${[...named].join(', ')}.`);
  return texts;
}
