/**
 * Anchors made of names, so that a link leads to the same place in the page of the next run. They have letters, digits and
 * dashes only, whatever a name holds, and a prefix that keeps them apart from the page's own.
 */
import { createHash } from 'node:crypto';

/** A name, and what else tells it apart from others with the same name. */
export type Named = readonly [name: string, ...more: readonly string[]];

const MAX_LENGTH = 80;
const HASH_LENGTH = 8;

/** One for each name, all different. A place in the list is part of an anchor only if nothing else tells two apart. */
export function makeAnchors(prefix: string, all: readonly Named[]): readonly string[] {
  const slugs = countEach(all.map(([name]) => slugOf(name)));
  const identities = countEach(all.map((named) => JSON.stringify(named)));
  const seen = new Map<string, number>();
  return all.map((named) => {
    const slug = slugOf(named[0]);
    if (slug !== '' && slugs.get(slug) === 1) return `${prefix}-${slug}`;
    const identity = JSON.stringify(named);
    const number = (seen.get(identity) ?? 0) + 1;
    seen.set(identity, number);
    const hash = createHash('sha256').update(identity).digest('hex').slice(0, HASH_LENGTH);
    const parts = [prefix, slug, hash, identities.get(identity) === 1 ? '' : String(number)];
    return parts.filter((part) => part !== '').join('-');
  });
}

function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, MAX_LENGTH);
}

function countEach(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
