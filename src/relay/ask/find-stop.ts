/** The cases that were under way when the gateway closed its port: each of them may be what stopped it. */
import type { NoRecovery } from '../../exchange/ending-relay.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { requestNameOf } from '../../exchange/identity.ts';
import type { Asked } from '../judge/both-ends.ts';
import { readAsked } from '../judge/both-ends.ts';

/** Milliseconds. An answer that came before the end may have been read a little after it. */
const READ_LATE = 100;

/** A closed port: the gateway has stopped, so that a longer wait would not help. */
export function isPortClosed(asked: Asked | undefined): boolean {
  return asked?.reading.failure?.kind === 'refused';
}

/** `front`: in the order of sending. */
export function findStop(front: readonly Exchange[], cases: readonly string[]): Pick<NoRecovery, 'inFlight'> {
  const asked = front.filter(({ request }) => request.endpoint === 'chat').map((exchange) => readAsked(exchange, []));
  const whole = asked.filter(({ reading: { kind } }) => kind !== 'cut' && kind !== 'waiting');
  const aliveUntil = Math.max(0, ...whole.map(({ endedAt }) => endedAt));
  const cut = asked.filter(
    (each) => each.reading.kind === 'cut' && !isPortClosed(each) && each.endedAt >= aliveUntil - READ_LATE,
  );
  const last = whole.filter(({ endedAt }) => endedAt === aliveUntil);
  const nameAll = (some: readonly Asked[]): readonly string[] => {
    const names = new Set(some.map((each) => requestNameOf(each.front)));
    return cases.filter((id) => names.has(id));
  };
  const named = [nameAll(cut), nameAll(last)].find((names) => names.length > 0);
  return named ? { inFlight: named } : {};
}
