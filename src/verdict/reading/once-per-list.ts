/** Many checks look at the same list of exchanges: what they all need of it is found once. */
import type { Exchange } from '../../exchange/exchange.ts';

/** `find` must not keep parsed bodies: its result lives as long as the list, and a parsed body takes many times its size. */
export function oncePerList<Found>(
  find: (exchanges: readonly Exchange[]) => Found,
): (exchanges: readonly Exchange[]) => Found {
  const known = new WeakMap<readonly Exchange[], { readonly found: Found }>();
  return (exchanges) => {
    const entry = known.get(exchanges) ?? { found: find(exchanges) };
    known.set(exchanges, entry);
    return entry.found;
  };
}
