/** How long an attempt took, in milliseconds. */
import type { Settings } from '../../settings.ts';
import type { Attempt, LimitName } from '../exchange.ts';

/** Where a recording does not say how long an attempt without an answer lasted: until its time limit, or hardly at all. */
export function durationOf({ outcome }: Attempt, { timeouts }: Pick<Settings, 'timeouts'>): number {
  if (outcome.kind === 'answer') return outcome.answer.endAt;
  if (outcome.failure.at !== undefined) return outcome.failure.at;
  const limits: Partial<Record<LimitName, number>> = {
    timeout: timeouts.attempt,
    'edit-timeout': timeouts.edit,
    'first-byte-timeout': timeouts.firstByte,
    'idle-timeout': timeouts.idle,
  };
  const { kind, limit } = outcome.failure;
  return kind === 'timeout' && limit !== undefined ? (limits[limit] ?? 0) : 0;
}
