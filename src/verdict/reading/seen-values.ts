/** Values that were seen in answers, each once, sorted, and bounded: a target may send a new one every time. */
import { pointerOf } from '../../json.ts';
import { quoteText } from '../../text/quote.ts';
import type { ObservedItem } from '../observation.ts';

const MOST_VALUES = 100;

export function seenValues(items: Iterable<ObservedItem>, most = MOST_VALUES): readonly ObservedItem[] {
  const seen = new Map<string, ObservedItem>();
  let left = 0;
  for (const item of items) {
    const key = JSON.stringify(item);
    if (seen.has(key)) continue;
    if (seen.size < most) seen.set(key, item);
    else left += 1;
  }
  const sorted = [...seen].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
  return left === 0 ? sorted : [...sorted, { kind: 'more', count: left }];
}

/** A field that the contract does not have. `place`: the shape and the object that has it. */
export function fieldItem(place: string, name: string): ObservedItem {
  return { kind: 'field', place, name: quoteText(pointerOf([name]).slice(1)) };
}
