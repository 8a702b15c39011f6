/** `wirecheck list editions` */
import { changedParts, digestNow, type Edition, type EditionDigest } from '../contract/editions.ts';
import { loadEditions, nameOfEdition } from '../contract/editions.ts';
import type { ListedItem } from './list.ts';

/** The newest first. */
export function listEditions(): readonly ListedItem[] {
  return describeEditions(loadEditions(), digestNow()).map((shown) => {
    const { edition: id, date, digest, changed, changes } = shown;
    return {
      id,
      words: date === undefined ? 'not cut yet: it can still change' : `cut on ${date}`,
      facts: { ...shown },
      lines: [
        ['Digest', digest],
        ['Changed', changed && (changed.length === 0 ? 'nothing that the digest covers' : changed.join(', '))],
        ['Changes', changes.join('\n')],
      ],
    };
  });
}

/** `now`: the digest of a draft, which has no date. The first edition has no parts that changed since the one before. */
export function describeEditions(editions: readonly Edition[], now: EditionDigest) {
  return editions.map((edition, index) => {
    const { cut, changes } = edition;
    const before = editions[index + 1]?.cut;
    return {
      edition: nameOfEdition(edition),
      ...(cut && { date: cut.date }),
      digest: (cut ?? now).digest,
      ...(before && { changed: changedParts(before, cut ?? now) }),
      changes,
    };
  });
}
