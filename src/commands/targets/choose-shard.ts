/**
 * Which targets belong to a shard. Every target belongs to exactly one, no two shards differ by more than one target, and
 * the choice depends on nothing but the names: machines that know the same file agree, and another target moves few.
 */
import { createHash } from 'node:crypto';

export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly parts: number;
}

/** `text`: as the setting allows it, `2/4`. */
export function readShard(text: string): Shard {
  const [index = 1, parts = 1] = text.split('/').map(Number);
  return { index, parts };
}

export function chooseShard<Of extends { readonly name: string }>(
  targets: readonly Of[],
  { index, parts }: Shard,
): readonly Of[] {
  const shards = shardsByName(
    targets.map(({ name }) => name),
    parts,
  );
  return targets.filter(({ name }) => shards.get(name) === index);
}

/** Rendezvous hashing with places: a target goes to the shard it ranks highest of those that still have one. */
function shardsByName(names: readonly string[], parts: number): ReadonlyMap<string, number> {
  const fewest = Math.floor(names.length / parts);
  let extras = names.length % parts;
  const sizes = Array.from({ length: parts }, () => 0);
  const chosen = new Map<string, number>();
  for (const { item: name } of rank(names, (each) => each)) {
    const ranked = rank([...sizes.entries()], ([at]) => `${at + 1} ${name}`);
    const free = ranked
      .map(({ item: [at, size] }) => ({ at, size }))
      .find(({ size }) => size < fewest || (size === fewest && extras > 0));
    if (!free) throw new Error(`no shard has a place for ${name}`);
    if (free.size === fewest) extras -= 1;
    sizes[free.at] = free.size + 1;
    chosen.set(name, free.at + 1);
  }
  return chosen;
}

/** In an order that looks random, and is always the same. */
function rank<Of>(items: readonly Of[], nameOf: (item: Of) => string): readonly { readonly item: Of }[] {
  return items
    .map((item) => ({ item, hash: createHash('sha256').update(nameOf(item)).digest('hex') }))
    .toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
}
