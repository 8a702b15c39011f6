/** What a first answer leaves open: whether the case is asked once more, and when. */

import { retryAfter } from '../../exchange/attempts/retry.ts';
import { RELAY_CHECKS } from '../judge/judge-relay.ts';
import type { Asked, RelayCheck } from '../judge/relay-check.ts';
import type { RelayCase } from '../relay-case.ts';

/** Whether a check of the case needs another answer. */
export function needsConfirmation({ expect }: RelayCase, asked: readonly Asked[]): boolean {
  const checks: Readonly<Record<string, RelayCheck>> = RELAY_CHECKS;
  return expect.some(({ check }) => checks[check]?.needsAnother?.(asked));
}

/** The gateway refused by itself: the upstream never saw the call. */
export function needsAnotherTry({ calls, reading }: Asked): boolean {
  return calls.length === 0 && reading.kind !== 'reply';
}

/** Milliseconds that a gateway asks to wait. */
export function waitOf(refused: readonly Asked[]): number {
  return Math.max(1_000, ...refused.map(({ reading: { answer } }) => (answer && retryAfter(answer)) ?? 0));
}
