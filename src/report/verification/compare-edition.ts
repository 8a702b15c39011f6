/** The edition that a report of another version names, beside those that this wirecheck knows. */
import { loadEditions, nameOfEdition } from '../../contract/editions.ts';
import type { Report } from '../report.ts';
import { compareMembers } from './compare-members.ts';
import type { Difference } from './verification.ts';

const DRAFT = /-draft$/;

/** An edition that was cut never changes. A draft may be that of any day. Reports of 0.2.0 have none. */
export function compareEdition({ edition, editionDigest }: Report): readonly Difference[] {
  if (edition === undefined) return [];
  const editions = loadEditions();
  const own = editions.find((each) => each.edition === edition.replace(DRAFT, ''));
  const isDraft = DRAFT.test(edition);
  if (!own || (!isDraft && !own.cut)) return [{ kind: 'edition', edition, known: editions.map(nameOfEdition) }];
  return isDraft ? [] : [...compareMembers(editionDigest, own.cut?.digest, ['editionDigest'])];
}
