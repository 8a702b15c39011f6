/** Values that were seen in answers, each once, sorted, and bounded: a target may send a new one every time. */
import { cutText } from '../finding.ts';

const MOST_VALUES = 100;

export function seenValues(values: Iterable<string>, most = MOST_VALUES): readonly string[] {
  const seen = new Set<string>();
  let left = 0;
  for (const value of values) {
    const short = cutText(value);
    if (seen.has(short)) continue;
    if (seen.size < most) seen.add(short);
    else left += 1;
  }
  const sorted = [...seen].toSorted();
  return left === 0 ? sorted : [...sorted, `and ${left} more`];
}
