import { describe, expect, it } from 'vitest';
import { chooseShard } from './check-targets.ts';

const fleet = (size: number) => Array.from({ length: size }, (_none, index) => ({ name: `gateway ${index}` }));
const shardsOf = (targets: readonly { readonly name: string }[], parts: number) =>
  Array.from({ length: parts }, (_none, at) => chooseShard(targets, `${at + 1}/${parts}`).map(({ name }) => name));

describe('the shards of a fleet', () => {
  it.each([
    [1, 4],
    [5, 4],
    [8, 4],
    [40, 4],
    [41, 7],
    [200, 16],
  ])('of %i targets in %i parts hold each target once, and differ by at most one', (size, parts) => {
    const shards = shardsOf(fleet(size), parts);
    expect(shards.flat().toSorted()).toEqual(
      fleet(size)
        .map(({ name }) => name)
        .toSorted(),
    );
    const sizes = shards.map(({ length }) => length);
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
  });

  it('do not depend on the order of the file', () => {
    const sorted = (shards: readonly (readonly string[])[]) => shards.map((names) => names.toSorted());
    expect(sorted(shardsOf(fleet(40).toReversed(), 4))).toEqual(sorted(shardsOf(fleet(40), 4)));
  });

  it('keep nearly all of their targets when one is added', () => {
    const moved = Array.from({ length: 20 }, (_none, more) => {
      const [before, after] = [shardsOf(fleet(40 + more), 4), shardsOf(fleet(41 + more), 4)];
      return before.flatMap((names, at) => names.filter((name) => !after[at]?.includes(name))).length;
    });
    expect(moved.reduce((sum, number) => sum + number) / moved.length).toBeLessThan(4);
  });

  it('are the same on every machine and in every version', () => {
    expect(shardsOf(fleet(8), 4)).toMatchInlineSnapshot(`
      [
        [
          "gateway 6",
          "gateway 7",
        ],
        [
          "gateway 0",
          "gateway 3",
        ],
        [
          "gateway 2",
          "gateway 4",
        ],
        [
          "gateway 1",
          "gateway 5",
        ],
      ]
    `);
  });
});
