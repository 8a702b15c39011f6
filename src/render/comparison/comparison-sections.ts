/** The entries of a comparison as every format lists them: by kind, and waived ones apart. */
import {
  CHANGE_KINDS,
  type ChangeKind,
  type Comparison,
  countedAs,
  type FoldedChange,
  foldChanges,
} from '../../report/comparison/comparison.ts';
import { inert } from '../../text/layout.ts';
import type { Shade } from '../looks.ts';
import { formatResult, formatTitle } from './comparison-text.ts';

export type SectionName = ChangeKind | 'waived';

interface SectionLook {
  readonly title: string;
  /** Below the title, on a page. */
  readonly lead: string;
  /** The verdict that has the same colour. */
  readonly shade: Shade;
  readonly sign: string;
}

export const SECTION_LOOKS: Readonly<Record<SectionName, SectionLook>> = {
  breaking: {
    title: 'Breaking',
    lead: 'Clients that relied on it stop working. One entry per cause.',
    shade: 'fail',
    sign: '✗',
  },
  warning: { title: 'Warnings', lead: 'Clients may notice. One entry per cause.', shade: 'warn', sign: '!' },
  additive: { title: 'Additive', lead: 'Allowed at any time.', shade: 'pass', sign: '+' },
  drift: { title: 'Drift', lead: 'Times that moved beyond noise.', shade: 'inconclusive', sign: '~' },
  waived: {
    title: 'Waived',
    lead: 'Accepted by the waiver file, so they do not fail the comparison. One entry per cause.',
    shade: 'skipped',
    sign: '–',
  },
};

export interface Section {
  readonly name: SectionName;
  readonly look: SectionLook;
  readonly entries: readonly FoldedChange[];
}

/** One for each kind that occurs, the worst first. Waived entries come last: they do not fail the comparison. */
export function sectionsOf({ changes }: Comparison): readonly Section[] {
  return [...CHANGE_KINDS, 'waived' as const].flatMap((name) => {
    const entries = foldChanges(changes.filter((change) => countedAs(change) === name));
    return entries.length === 0 ? [] : [{ name, look: SECTION_LOOKS[name], entries }];
  });
}

/** Entries are in the order of their sections. */
export function entriesOf(comparison: Comparison): readonly FoldedChange[] {
  return sectionsOf(comparison).flatMap(({ entries }) => entries);
}

/** The comparison, with what other formats say of it: the result in a sentence, and its entries. */
export function tellEntries(comparison: Comparison): Comparison {
  const { format, version, tool, old, new: now, failOn, exit, changes, ...rest } = comparison;
  const entries = entriesOf(comparison).map((entry) => ({
    counted: countedAs(entry.change),
    title: inert(formatTitle(entry), 600),
    changes: [entry.change, ...entry.others].map((change) => changes.indexOf(change)),
  }));
  const head = { format, version, tool, old, new: now, failOn, exit, line: inert(formatResult(comparison), 600) };
  return { ...head, ...rest, entries, changes };
}
