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
import { formatResult, titleOf } from './comparison-text.ts';

type SectionName = ChangeKind | 'waived';

/** `lead`: below the title, on a page. `shade`: the verdict that has the same colour. */
export const SECTION_LOOKS: Readonly<
  Record<SectionName, { readonly title: string; readonly lead: string; readonly shade: Shade; readonly sign: string }>
> = {
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

export type Section = ReturnType<typeof sectionsOf>[number];

/** One for each kind that occurs, the worst first. Waived entries come last: they do not fail the comparison. */
export function sectionsOf({ changes }: Comparison) {
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
    title: titleOf(entry),
    changes: [entry.change, ...entry.others].map((change) => changes.indexOf(change)),
  }));
  const head = { format, version, tool, old, new: now, failOn, exit, line: inert(formatResult(comparison), 600) };
  return { ...head, ...rest, entries, changes };
}
