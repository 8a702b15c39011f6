/** How long an attempt took, in milliseconds. */
import type { Settings } from '../../settings.ts';
import type { Attempt, LimitName } from '../exchange.ts';

/** Where a recording does not say how long an attempt without an answer lasted: until its time limit, or hardly at all. */
export function durationOf({ outcome }: Attempt, { timeouts }: Pick<Settings, 'timeouts'>): number {
  if (outcome.kind === 'answer') return outcome.answer.endAt;
  if (outcome.failure.at !== undefined) return outcome.failure.at;
  const { kind, limit } = outcome.failure;
  // Where there was no connection, nobody knows how long it was tried.
  if (kind !== 'timeout' || limit === undefined || limit === 'connect-timeout') return 0;
  return timeOf(limit, timeouts) ?? 0;
}

/** The value of a time limit. Milliseconds; undefined for other limits. */
export function timeOf(limit: LimitName, timeouts: Settings['timeouts']): number | undefined {
  const times: Partial<Record<LimitName, number>> = {
    timeout: timeouts.attempt,
    'edit-timeout': timeouts.edit,
    'connect-timeout': timeouts.connect,
    'first-byte-timeout': timeouts.firstByte,
    'idle-timeout': timeouts.idle,
  };
  return times[limit];
}
