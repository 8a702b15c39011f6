/** Relays that are unusual under load and keep the contract. */
import type { ClientCall } from '../../relays/relay-modifier.ts';
import { errorAnswer } from '../../relays/small-relay.ts';
import { above, oneIn } from '../condition.ts';
import { honestRelay, type RelayRow, SLOW_READERS } from '../load-row.ts';
import { Slots } from '../slots.ts';

const overloaded = (status: number) => ({
  shortcut: () => errorAnswer(status, 'overloaded', 'Too many calls at once.'),
});

async function takeSlot({ memory }: ClientCall): Promise<() => void> {
  const slots = (memory.get('slots') as Slots | undefined) ?? new Slots(6);
  memory.set('slots', slots);
  await slots.take();
  return () => slots.free();
}

export const HONEST_LOAD_RELAYS = {
  'load-relay-calm': honestRelay('The relay does everything as it should', {}),
  'load-relay-patient': honestRelay('The relay keeps what slow readers have not read yet', { load: SLOW_READERS }),
  'load-relay-queues': honestRelay('Six calls are relayed at a time, and the others wait', {
    always: { admit: takeSlot },
  }),
  'load-relay-rejects-429': honestRelay('Calls above 8 in flight are rejected with 429', {
    when: [above(8)],
    change: overloaded(429),
  }),
  'load-relay-rejects-503': honestRelay('Every third call above 8 in flight is rejected with 503', {
    when: [above(8), oneIn(3)],
    change: overloaded(503),
  }),
  'load-relay-slow': honestRelay('Every answer comes 200 ms later', { always: { delay: 200 } }),
  'load-relay-coalesces': honestRelay('Chunks are gathered for 200 ms', { always: { holdBack: 200 } }),
  'load-relay-works-on': honestRelay('The upstream call goes on after the client has left', {
    always: { ignoresLeaving: true },
  }),
  'load-relay-retries': honestRelay('A failed call is made twice more', { always: { attempts: 3, retryPause: 20 } }),
  'load-relay-asks-for-streams': honestRelay('The upstream is always asked for a stream', {
    always: { upstreamMode: 'stream' },
  }),
  'load-relay-closes-connections': honestRelay('Every connection is closed after its answer', {
    always: { answerHeaders: (usual) => ({ ...usual, Connection: 'close' }) },
  }),
} satisfies Record<string, RelayRow>;
