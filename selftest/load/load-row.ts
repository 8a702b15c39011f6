/** A gateway or a relay for the self-test under load: what it always does, and what it does on a condition. */
import type { Call } from '../../src/gateway/call.ts';
import type { Modifier } from '../../src/gateway/index.ts';
import type { Settings } from '../../src/settings.ts';
import type { ClientCall, RelayModifier } from '../relays/relay-modifier.ts';
import { type Broken, faultyRows, rightRows, type Titled } from '../rows.ts';
import type { Condition, Pressure } from './pressure.ts';

interface AnyRow {
  /** All of them have to hold. Without one, the change is always made. */
  readonly when?: readonly Condition[];
  /** Settings of its run, for what few calls of the usual mix show. */
  readonly load?: Partial<Settings['load']>;
}

interface GatewayParts extends AnyRow {
  /** The calls that the conditions are asked for; all by default. */
  readonly to?: (call: Call) => boolean;
  /** Pause before every answer, in milliseconds. Default: long enough for calls to overlap. */
  readonly latencyMs?: number;
  /** The answers that are given at a time; others wait. Default: all. */
  readonly slots?: number;
  readonly always?: GatewayChange;
  readonly change?: GatewayChange;
}

interface RelayParts extends AnyRow {
  readonly to?: (call: ClientCall) => boolean;
  readonly always?: RelayModifier;
  /** A function, if more than the start of the call counts. */
  readonly change?: RelayModifier | ((pressure: Pressure) => RelayModifier);
}

interface OfGateway {
  readonly front: 'gateway';
}

interface OfRelay {
  readonly front: 'relay';
}

export type GatewayRow = GatewayParts & OfGateway & Titled & Partial<Broken>;
export type RelayRow = RelayParts & OfRelay & Titled & Partial<Broken>;
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

export const faultyGateway = faultyRows<GatewayParts, OfGateway>('load', { front: 'gateway' });
export const honestGateway = rightRows<GatewayParts, OfGateway>({ front: 'gateway' });
export const faultyRelay = faultyRows<RelayParts, OfRelay>('load', { front: 'relay' });
export const honestRelay = rightRows<RelayParts, OfRelay>({ front: 'relay' });
