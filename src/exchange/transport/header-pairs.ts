/** The headers of an answer as they came, bounded. */
import type { Header } from '../exchange.ts';

/** Of one answer. A thousand short headers take up far more than their bytes. */
const MOST_HEADERS = 500;

export function headerPairs(raw: readonly Buffer[]): Header[] {
  const pairs: Header[] = [];
  for (let at = 0; at + 1 < raw.length && pairs.length < MOST_HEADERS; at += 2) {
    pairs.push([raw[at]!.toString('latin1'), raw[at + 1]!.toString('latin1')]);
  }
  const left = (raw.length >> 1) - pairs.length;
  return left === 0 ? pairs : [...pairs, ['…', `${left} more headers`]];
}
