/** Why a gateway no longer answers the control, and the cases that were under way then: each may be what stopped it. */

import type { NoRecovery } from '../../exchange/ending-relay.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { requestNameOf } from '../../exchange/identity.ts';
import { asksForLonger } from '../judge/failures.ts';
import { type Asked, readAsked } from '../judge/relay-check.ts';

/** Milliseconds. An answer that came before the end may have been read a little after it. */
const READ_LATE = 100;

/** A closed port: the gateway has stopped, so that a longer wait would not help. */
export function isPortClosed(asked: Asked | undefined): boolean {
  return asked?.reading.failure?.kind === 'refused';
}

/** What the last control got. `limit`: milliseconds, of `--recovery`. */
export function describeStop(control: Asked | undefined, limit: number): Omit<NoRecovery, 'after'> {
  if (!control) return {};
  const { id } = control.front;
  if (isPortClosed(control)) return { isRefused: true, control: id };
  const { answer } = control.reading;
  if (!answer) return {};
  // A 429 may be a limit of the gateway.
  const isFinding = answer.status >= 500 && !asksForLonger(answer, limit);
  return { status: answer.status, ...(isFinding && { control: id }) };
}

/** `front`: in the order of sending. `status`: what the last control got; undefined if the port is closed. */
export function findStop(
  front: readonly Exchange[],
  cases: readonly string[],
  status?: number,
): Pick<NoRecovery, 'inFlight'> {
  const asked = front.filter(({ request }) => request.endpoint === 'chat').map((exchange) => readAsked(exchange, []));
  const nameAll = (some: readonly Asked[]): readonly string[] => {
    const names = new Set(some.map((each) => requestNameOf(each.front)));
    return cases.filter((id) => names.has(id));
  };
  const suspects = status === undefined ? suspectsOfClosing(asked) : suspectsOfLock(asked, status);
  const named = suspects.map(nameAll).find((names) => names.length > 0);
  return named ? { inFlight: named } : {};
}

/** The likeliest first. */
type Suspects = readonly (readonly Asked[])[];

function suspectsOfClosing(asked: readonly Asked[]): Suspects {
  const whole = asked.filter(({ reading: { kind } }) => kind !== 'cut' && kind !== 'waiting');
  const aliveUntil = Math.max(0, ...whole.map(({ endedAt }) => endedAt));
  const cut = asked.filter(
    (each) => each.reading.kind === 'cut' && !isPortClosed(each) && each.endedAt >= aliveUntil - READ_LATE,
  );
  return [cut, whole.filter(({ endedAt }) => endedAt === aliveUntil)];
}

/** A call that was let in shows that there was no lock yet. Then calls that our client left, or that failed, come first. */
function suspectsOfLock(asked: readonly Asked[], status: number): Suspects {
  const openUntil = Math.max(
    0,
    ...asked.filter(({ reading: { kind } }) => kind === 'reply').map((each) => each.sentAt),
  );
  const isLocked = ({ reading, sentAt }: Asked): boolean => reading.answer?.status === status && sentAt >= openUntil;
  const locked = asked.filter(isLocked);
  const lockedFrom = Math.min(...locked.map(({ sentAt }) => sentAt));
  const ended = asked.filter(
    (each) => !isLocked(each) && each.endedAt >= openUntil && each.endedAt <= lockedFrom + READ_LATE,
  );
  const first = locked.filter(({ sentAt }) => sentAt === lockedFrom);
  return [ended.filter(({ reading: { kind } }) => kind !== 'reply'), [...ended, ...first]];
}
