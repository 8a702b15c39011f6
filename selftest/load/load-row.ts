/** A gateway or a relay for the self-test under load: what it always does, and what it does on a condition. */
import type { Call } from '../../src/gateway/call.ts';
import type { Modifier } from '../../src/gateway/index.ts';
import type { Settings } from '../../src/settings.ts';
import type { ClientCall, RelayModifier } from '../relays/relay-modifier.ts';
import { type Broken, faultyRows, rightRows, type Titled } from '../rows.ts';
import type { Condition, Pressure } from './pressure.ts';

interface AnyRow<Asked> extends Titled, Partial<Broken> {
  /** All of them have to hold. Each counts only the calls for which those before it hold. Without one, the change is always made. */
  readonly when?: readonly Condition<(call: Asked) => boolean>[];
  /** Settings of its run, for what few calls of the usual mix show. */
  readonly load?: Partial<Settings['load']>;
}

export interface GatewayRow extends AnyRow<Call> {
  readonly front: 'gateway';
  /** Pause before every answer, in milliseconds. Default: long enough for calls to overlap. */
  readonly latencyMs?: number;
  /** The answers that are given at a time; others wait. Default: all. */
  readonly slots?: number;
  readonly always?: GatewayChange;
  readonly change?: GatewayChange;
}

export interface RelayRow extends AnyRow<ClientCall> {
  readonly front: 'relay';
  /** What the user gives as `--upstream-model`. */
  readonly models?: readonly string[];
  /** Two upstreams are behind it, one of which fails in the last stage. */
  readonly two?: true;
  readonly always?: RelayModifier;
  /** A function, if more than the start of the call counts. */
  readonly change?: RelayModifier | ((pressure: Pressure) => RelayModifier);
}

export type LoadRow = GatewayRow | RelayRow;

type GatewayChange = Omit<Modifier, 'title'>;
/** Mostly calls of one kind, for long enough to see a rare fault twice. */
export const MANY_STREAMS: Partial<Settings['load']> = { mix: ['stream=9', 'plain=1'], duration: 12_000 };
export const MANY_PLAIN: Partial<Settings['load']> = { mix: ['plain=9', 'stream=1'], duration: 12_000 };
/** Many clients that leave. */
export const MANY_LEAVE: Partial<Settings['load']> = { disconnects: 25 };
/** Clients that do not read for a while. */
export const SLOW_READERS: Partial<Settings['load']> = { slowReaders: 2, duration: 10_000 };

export type FaultyRow = LoadRow & Broken;

const GATEWAY = { front: 'gateway' } as const;
const RELAY = { front: 'relay' } as const;

export const faultyGateway = faultyRows<GatewayRow & Broken, typeof GATEWAY>('load', GATEWAY);
export const honestGateway = rightRows<GatewayRow, typeof GATEWAY>(GATEWAY);
export const faultyRelay = faultyRows<RelayRow & Broken, typeof RELAY>('load', RELAY);
export const honestRelay = rightRows<RelayRow, typeof RELAY>(RELAY);
