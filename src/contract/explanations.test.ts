import { describe, expect, it } from 'vitest';
import { CONTRACT_SUBJECTS } from './contract.ts';
import { loadExplanations } from './explanations.ts';
import { loadContract } from './read-contract.ts';
import { loadStockClients } from './stock-clients.ts';

describe.each(['v1', ...CONTRACT_SUBJECTS] as const)('loadExplanations(%s)', (subject) => {
  const explanations = loadExplanations(subject);
  const { clauses } = loadContract(subject === 'v1' ? 'gateway' : subject);

  it('explains every clause and nothing else, in the order of the clauses', () => {
    expect(Object.keys(explanations)).toEqual(clauses.map(({ id }) => id));
  });

  it.for(clauses.map((clause) => [clause.id, clause] as const))('explains %s in full', ([id, clause]) => {
    const explanation = explanations[id];
    const judged = clause.level === 'must' || clause.level === 'should';
    expect(Object.keys(explanation ?? {})).toEqual(judged ? ['reading', 'passes', 'fails', 'hurts'] : ['reading']);
    for (const text of Object.values(explanation ?? {})) {
      expect(typeof text).toBe('string');
      expect(text.trim()).not.toBe('');
    }
    expect(explanation?.reading).toMatch(/[.]$/);
    expect(explanation?.reading).not.toBe(clause.summary);
    if (judged) expect(explanation?.passes).not.toBe(explanation?.fails);
    if (judged) expect(explanation?.hurts).toMatch(/^[A-Z].*[.]$/);
  });
});

it('says of each clause who is hurt in words of its own', () => {
  const sentences = (['v1', ...CONTRACT_SUBJECTS] as const).flatMap((subject) =>
    Object.values(loadExplanations(subject)).flatMap(({ hurts }) => hurts ?? []),
  );
  expect(sentences.filter((sentence, index) => sentences.indexOf(sentence) !== index)).toEqual([]);
});

it('says no more of stock clients than was measured', () => {
  for (const [id, { hurts = '' }] of Object.entries(loadExplanations('v1'))) {
    const [claim, some] = /^(some )?(?:a )?(?:stock client|official SDK)/i.exec(hurts) ?? [];
    if (claim === undefined) continue;
    const measured = loadStockClients().mismatches.filter(({ clause }) => clause === id);
    const isTrue = ({ affected, unaffected }: (typeof measured)[number]): boolean =>
      some === undefined ? unaffected.length === 0 : Object.keys(affected).length > 0;
    expect(measured.length > 0 && measured.every(isTrue), hurts).toBe(true);
  }
});
