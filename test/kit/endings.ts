/** Endings for tests. */
import type { DescribedSettings } from '../../src/settings/setting-flags.ts';
import type { Ending } from '../../src/exchange/ending.ts';
import type { Failure, NoAnswer } from '../../src/exchange/exchange.ts';

export function unreachable(
  kind: NoAnswer,
  more: Partial<Failure> = {},
  how: { most?: number; began?: true } = {},
): Ending {
  return { kind: 'unreachable', failure: { kind, code: 'CODE', detail: 'detail', ...more }, ...how };
}

/** What advice is made from. */
export function endedRun(ending: Ending, baseUrl = 'https://gateway.example/v1', settings: DescribedSettings = {}) {
  return { ending, target: { baseUrl }, provenance: { settings } };
}
