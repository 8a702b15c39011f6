/** Finds token counts that moved: what every call carries, and the letters of each script. They show another prompt or tokenizer. */
import { formatObservationName, nameOnly } from '../../verdict/observation.ts';
import type { Report } from '../report.ts';
import { type Change, changeOf } from './comparison.ts';

/** Tokens that may be noise. */
const NOISE = 2;

/** Empty if the older or the newer run counted the same request in different ways. */
export function compareCounts(older: Report, newer: Report): readonly Change[] {
  const [before, now] = [countsOf(older), countsOf(newer)];
  return [...before].flatMap(([measure, old]) => {
    const fresh = now.get(measure);
    if (fresh === undefined || Math.abs(fresh - old) <= NOISE) return [];
    const [was, is] = [old, fresh].map((value) => ({ value: String(value), exchanges: [] }));
    return was && is ? [changeOf({ kind: 'drift', what: 'token-count', place: { measure }, old: was, new: is })] : [];
  });
}

function countsOf({ observations }: Report): ReadonlyMap<string, number> {
  const isUnsteady = observations.some(
    ({ name, value }) => name === 'count-notes' && Array.isArray(value) && value.includes('counts-vary'),
  );
  const counts = isUnsteady
    ? []
    : observations.filter(({ name }) => name === 'prompt-constant' || name === 'letter-tokens');
  return new Map(
    counts.flatMap((each) =>
      typeof each.value === 'number' ? [[formatObservationName(nameOnly(each)), each.value] as const] : [],
    ),
  );
}
