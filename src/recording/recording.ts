/** What a recording holds: a run as it happened, one JSON value a line, so that it can be judged again offline and free. */
import type { Exchange } from '../exchange/exchange.ts';
import type { Ending } from '../exchange/ending.ts';
import type { Description, KeyFacts } from '../exchange/traffic.ts';
import type { Bindings, Cost } from '../plan/plan.ts';
import type { Settings } from '../settings.ts';

export const RECORDING_FORMAT = 'wirecheck-recording';
export const RECORDING_VERSION = 1;

/** The first line: what has to be known to judge the rest. */
export interface RecordingStart {
  readonly tool: { readonly name: 'wirecheck'; readonly version: string };
  /** SHA-256 over clauses, schemas and built-in suites. */
  readonly contractHash: string;
  /** SHA-256 of each suite file of the user's own, by its name in the settings. */
  readonly suiteHashes: Readonly<Record<string, string>>;
  /** Without anything secret. */
  readonly settings: Settings;
  readonly keys: readonly KeyFacts[];
  /** What was planned: step id → hash of what it sends. */
  readonly steps: Readonly<Record<string, string>>;
  /** Wall clock, milliseconds since 1970. */
  readonly startedAt: number;
}

/** The last line: how the run ended, and what was known only then. */
export interface RecordingEnd {
  readonly bindings: Bindings;
  readonly ending: Ending;
  readonly used: Cost;
  readonly notices: readonly string[];
  readonly startedAt: number;
  readonly endedAt: number;
  readonly clockSkew?: number;
  readonly description?: Description;
}

/** What was learned about an exchange after it had been written. */
export type Amendment = Pick<Exchange, 'id'> & Required<Pick<Exchange, 'controlAfter'>>;

export type RecordedItem =
  /** `again`: in place of the exchange of that id that came before. */
  | { readonly kind: 'exchange'; readonly exchange: Exchange; readonly again: boolean }
  | { readonly kind: 'amendment'; readonly amendment: Amendment };

/** Something that yields what was recorded, in order, and knows the end once everything was read. */
export interface RecordedRun {
  readonly start: RecordingStart;
  items(): AsyncIterable<RecordedItem>;
  /** After the last item; absent where the recording breaks off. */
  end(): RecordingEnd | undefined;
  /** What the user should know about the file itself; complete after the last item. */
  notices(): readonly string[];
}
