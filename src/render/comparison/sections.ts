/** The entries of a comparison as every format lists them: by kind, and waived ones apart. */

import {
  type Change,
  CHANGE_KINDS,
  type Comparison,
  foldChanges,
  type FoldedChange,
} from '../../report/comparison/comparison.ts';
import { SECTION_LOOKS, type SectionName } from './section-looks.ts';

interface Section {
  readonly name: SectionName;
  readonly title: string;
  readonly entries: readonly FoldedChange[];
}

/** One for each kind that occurs, the worst first. Waived entries come last: they do not fail the comparison. */
export function sectionsOf({ changes }: Comparison): readonly Section[] {
  return [...CHANGE_KINDS, 'waived' as const].flatMap((name) => {
    const entries = foldChanges(changes.filter((change) => sectionOf(change) === name));
    return entries.length === 0 ? [] : [{ name, title: SECTION_LOOKS[name].title, entries }];
  });
}

export function sectionOf({ kind, excused }: Change): SectionName {
  return excused ? 'waived' : kind;
}
