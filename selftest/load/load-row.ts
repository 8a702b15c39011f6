/** A gateway or a relay for the self-test under load: what it always does, and what it does on a condition. */
import type { Call } from '../../src/gateway/call.ts';
import type { Modifier } from '../../src/gateway/index.ts';
import type { Settings } from '../../src/settings.ts';
import type { ClientCall, RelayModifier } from '../relays/relay-modifier.ts';
import type { Condition, Pressure } from './pressure.ts';

interface AnyRow {
  readonly title: string;
  /** A real occurrence. */
  readonly source?: string;
  /** Exactly the must and should clauses that a correct checker finds broken. Absent if it keeps the contract. */
  readonly breaks?: readonly string[];
  /** All of them have to hold. Without one, the change is always made. */
  readonly when?: readonly Condition[];
  /** Settings of its run, for what few calls of the usual mix show. */
  readonly load?: Partial<Settings['load']>;
}

export interface GatewayRow extends AnyRow {
  readonly front: 'gateway';
  /** The calls that the conditions are asked for; all by default. */
  readonly to?: (call: Call) => boolean;
  /** Pause before every answer, in milliseconds. Default: long enough for calls to overlap. */
  readonly latencyMs?: number;
  /** The answers that are given at a time; others wait. Default: all. */
  readonly slots?: number;
  readonly always?: GatewayChange;
  readonly change?: GatewayChange;
}

export interface RelayRow extends AnyRow {
  readonly front: 'relay';
  readonly to?: (call: ClientCall) => boolean;
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

type GatewayParts = Omit<GatewayRow, 'front' | 'title' | 'breaks'>;
type RelayParts = Omit<RelayRow, 'front' | 'title' | 'breaks'>;
export type FaultyRow = LoadRow & { readonly breaks: readonly string[] };

const listOf = (breaks: string | readonly string[]): readonly string[] =>
  typeof breaks === 'string' ? [breaks] : breaks;

export function faultyGateway(title: string, breaks: string | readonly string[], parts: GatewayParts): FaultyRow {
  return { front: 'gateway', title, breaks: listOf(breaks), ...parts };
}

export function honestGateway(title: string, parts: GatewayParts): GatewayRow {
  return { front: 'gateway', title, ...parts };
}

export function faultyRelay(title: string, breaks: string | readonly string[], parts: RelayParts): FaultyRow {
  return { front: 'relay', title, breaks: listOf(breaks), ...parts };
}

export function honestRelay(title: string, parts: RelayParts): RelayRow {
  return { front: 'relay', title, ...parts };
}
