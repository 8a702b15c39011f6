/** Adds to a comparison what other formats say of it: the result in a sentence, and its entries. */
import type { Comparison } from '../../report/comparison/comparison.ts';
import { inert } from '../../text/inert.ts';
import { formatTitle } from './change-titles.ts';
import { formatResult } from './comparison-text.ts';
import { sectionsOf } from './sections.ts';

export function tellEntries(comparison: Comparison): Comparison {
  const { format, version, tool, old, new: now, failOn, exit, changes, ...rest } = comparison;
  const entries = sectionsOf(comparison).flatMap(({ name, entries: own }) =>
    own.map((entry) => ({
      counted: name,
      title: inert(formatTitle(entry), 600),
      changes: [entry.change, ...entry.others].map((change) => changes.indexOf(change)),
    })),
  );
  const head = { format, version, tool, old, new: now, failOn, exit, line: inert(formatResult(comparison), 600) };
  return { ...head, ...rest, entries, changes };
}
