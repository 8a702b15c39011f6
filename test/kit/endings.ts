/** Endings for tests. */
import type { Ending } from '../../src/exchange/ending.ts';
import type { Failure, NoAnswer } from '../../src/exchange/exchange.ts';

export function unreachable(
  kind: NoAnswer,
  more: Partial<Failure> = {},
  how: { most?: number; began?: true } = {},
): Ending {
  return { kind: 'unreachable', failure: { kind, code: 'CODE', detail: 'detail', ...more }, ...how };
}
