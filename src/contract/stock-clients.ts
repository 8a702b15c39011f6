/** What stock clients make of deviations, as measured by `npm run clients`. Read on first use: a run without findings never needs it. */
import { once } from '../once-per.ts';
import { readPackageFile } from './package-files.ts';

/** The three ordinary calls of a client. */
export const CLIENT_CALLS = ['plain', 'stream', 'models'] as const;
export type ClientCall = (typeof CLIENT_CALLS)[number];

/** What a client does in place of returning the exact reply. `part` and `other`: returned as if all were well. */
export const EFFECTS = ['throws', 'rejects', 'hangs', 'retries', 'empty', 'part', 'other'] as const;
export type Effect = (typeof EFFECTS)[number];

/** A kind of mismatch: a broken clause, how it is broken, and in which call. */
export interface MismatchKind {
  readonly clause: string;
  readonly call: ClientCall;
  readonly mismatch: string;
  /** Type of the value, or a word for what was there instead. */
  readonly actual: string;
  /** The place, with `*` for every index. */
  readonly pointer?: string;
}

export interface MeasuredMismatch extends MismatchKind {
  /** The faults of the reference gateway that were measured. */
  readonly faults: readonly string[];
  /** The effect on each client, by its id. */
  readonly affected: Readonly<Record<string, Effect>>;
  readonly unaffected: readonly string[];
  /** Those that some of these faults affect and others do not. */
  readonly depending?: readonly string[];
}

interface StockClients {
  /** The day of the measurement. */
  readonly measured: string;
  /** `label`: the name with the version. */
  readonly clients: Readonly<Record<string, Readonly<Record<'name' | 'label' | 'version', string>>>>;
  readonly mismatches: readonly MeasuredMismatch[];
}

export const loadStockClients = once(() => JSON.parse(readPackageFile('schemas/clients.json')) as StockClients);
