/** `wirecheck list editions` */
import type { EditionDigest, EditionPart } from '../contract/editions.ts';
import { changedParts, digestNow, type Edition, loadEditions, nameOfEdition } from '../contract/editions.ts';
import type { ListedItem } from './list.ts';

/** An edition as the command shows it. */
interface ShownEdition {
  readonly edition: string;
  /** Absent for a draft. */
  readonly date?: string;
  readonly digest: string;
  /** The parts that differ from the edition before; absent for the first one. */
  readonly changed?: readonly EditionPart[];
  readonly changes: readonly string[];
}

/** The newest first. */
export function listEditions(): readonly ListedItem[] {
  return describeEditions(loadEditions(), digestNow()).map((shown) => {
    const { edition, date, digest, changed, changes } = shown;
    const about = date === undefined ? 'not cut yet: it can still change' : `cut on ${date}`;
    return {
      id: edition,
      words: about,
      facts: { ...shown },
      lines: [
        ['Digest', digest],
        ['Changed', changed && (changed.length === 0 ? 'nothing that the digest covers' : changed.join(', '))],
        ['Changes', changes.join('\n')],
      ],
    };
  });
}

/** `now`: the digest of a draft. */
export function describeEditions(editions: readonly Edition[], now: EditionDigest): readonly ShownEdition[] {
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
