import { describe, expect, it } from 'vitest';
import { POISONS } from '../../../test/kit/poisoned-reports.ts';
import { makeAnchors } from './view.ts';

describe('anchors', () => {
  it('are made of the name, wherever it stands in the list', () => {
    expect(makeAnchors('case', [['auth/unknown-key[models]'], ['a/b']])).toEqual([
      'case-auth-unknown-key-models',
      'case-a-b',
    ]);
    expect(makeAnchors('case', [['a/b']])).toEqual(['case-a-b']);
  });

  it('tell equal names apart by what else is known, in any order', () => {
    const [first, second] = [['prod', 'https://one'] as const, ['Prod', 'https://two'] as const];
    const there = makeAnchors('target', [first, second]);
    expect(new Set(there).size).toBe(2);
    for (const anchor of there) expect(anchor).toMatch(/^target-prod-[0-9a-f]{8}$/);
    expect(makeAnchors('target', [second, first])).toEqual(there.toReversed());
  });

  it('differ even for the same thing twice, and for names without a letter', () => {
    const all = makeAnchors('target', [['日本'], ['日本'], ['…'], ['']]);
    expect(new Set(all).size).toBe(4);
  });

  it.each(Object.entries(POISONS))('have letters, digits and dashes only: %s', (_what, poison) => {
    for (const anchor of makeAnchors('case', [[poison], [`${poison}x`.repeat(100)]])) {
      expect(anchor).toMatch(/^case-[a-z0-9-]+$/);
      expect(anchor.length).toBeLessThan(110);
    }
  });
});
