/** Starts the server of a row, which changes what it does while the conditions of the row hold. */
import { KEYS, startGateway } from '../../src/gateway/index.ts';
import type { Watcher } from '../../src/gateway/send.ts';
import type { Keys } from '../../src/settings.ts';
import { RELAY_KEYS, startSmallRelay } from '../relays/small-relay.ts';
import { type Holds, watchCondition } from './condition.ts';
import type { GatewayRow, LoadRow, RelayRow } from './load-row.ts';
import { Pressure } from './pressure.ts';
import { Slots } from './slots.ts';

/** Milliseconds before an answer. A server that answers at once never has many calls in flight. */
const LATENCY = 15;

export interface Front {
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** Those of a caller: with a second one, a list may be another key's. */
export function frontKeys({ front }: LoadRow): Keys {
  return front === 'gateway'
    ? { full: KEYS.full, restricted: KEYS.restricted }
    : { full: RELAY_KEYS.full, second: RELAY_KEYS.second };
}

/** `upstreamUrl`: for relays. */
export function startFront(row: LoadRow, upstreamUrl: string): Promise<Front> {
  return row.front === 'gateway' ? startGatewayFront(row) : startRelayFront(row, upstreamUrl);
}

async function startGatewayFront({ title, to, always, change, slots, latencyMs, when }: GatewayRow): Promise<Front> {
  const pressure = new Pressure();
  const holds = allOf(when, pressure);
  const places = slots === undefined ? undefined : new Slots(slots);
  const ends = new WeakMap<object, (left: boolean) => void>();
  const gateway = await startGateway({
    latencyMs: latencyMs ?? LATENCY,
    eventGapMs: 1,
    modifiers: always ? [{ title, ...always }] : [],
    route: (call) => {
      ends.set(call, pressure.begin());
      return change && (to?.(call) ?? true) && holds() ? [{ title, ...change }] : [];
    },
    watch: (call): Watcher => ({
      answers: () => undefined,
      wrote: () => undefined,
      ended(left) {
        ends.get(call)?.(left);
        places?.free();
      },
    }),
    hold: () => places?.take(),
  });
  return { baseUrl: gateway.baseUrl, close: () => gateway.close() };
}

function startRelayFront({ to, always, change, when }: RelayRow, upstreamUrl: string): Promise<Front> {
  const pressure = new Pressure();
  const holds = allOf(when, pressure);
  const changed = typeof change === 'function' ? change(pressure) : change;
  return startSmallRelay({
    upstreamUrl,
    modifiers: [{ delay: LATENCY }, ...(always ? [always] : [])],
    watch(response) {
      const end = pressure.begin(() => response.writableLength);
      response.on('close', () => end(!response.writableFinished));
    },
    route: (call) => (changed && (to?.(call) ?? true) && holds() ? changed : {}),
  });
}

/** Each condition counts only the calls for which those before it hold. */
function allOf(when: LoadRow['when'] = [], pressure: Pressure): Holds {
  const conditions = when.map((condition) => watchCondition(condition, pressure));
  return () => conditions.every((holds) => holds());
}
