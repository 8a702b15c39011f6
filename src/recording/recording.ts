/** A recording: a run as it happened, one JSON value per line, so that it can be judged again offline and for free. */
import type { CheckedClient, ClientTraffic, PlayedScenario } from '../exchange/client-traffic.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { CheckedRelay, RelayTraffic } from '../exchange/relay-traffic.ts';
import type { KeyFacts, Traffic } from '../exchange/traffic.ts';
import { type Settings, DEFAULT_SETTINGS } from '../settings.ts';

export const RECORDING_FORMAT = 'wirecheck-recording';
export const RECORDING_VERSION = 2;

/** What every first line has. */
interface AnyStart {
  readonly tool: { readonly name: 'wirecheck'; readonly version: string };
  /** SHA-256 of clauses, schemas and built-in suites. */
  readonly contractHash: string;
  /** Wall clock, milliseconds since 1970. */
  readonly startedAt: number;
}

/** The first line: everything needed to judge the rest. */
export interface RecordingStart extends AnyStart {
  readonly subject: 'gateway';
  /** SHA-256 of each custom suite file, by its path in the settings. */
  readonly suiteHashes: Readonly<Record<string, string>>;
  /** Without secrets. */
  readonly settings: Settings;
  readonly keys: readonly KeyFacts[];
  /** Planned step id → hash of what it sends. */
  readonly steps: Readonly<Record<string, string>>;
}

export interface ClientRecordingStart extends AnyStart, Pick<CheckedClient, 'client' | 'settings'> {
  readonly subject: 'client';
}

export interface RelayRecordingStart extends AnyStart, Omit<CheckedRelay, 'traffic'> {
  readonly subject: 'relay';
}

/** The last line: how the run ended, and what was known only at its end. */
export type RecordingEnd = Omit<Traffic, 'exchanges' | 'keys'>;

export interface ClientRecordingEnd extends Omit<ClientTraffic, 'played' | 'startedAt'> {
  readonly subject: 'client';
  /** The exchanges by their ids. */
  readonly played: readonly (Omit<PlayedScenario, 'exchanges'> & { readonly exchanges: readonly string[] })[];
}

export interface RelayRecordingEnd extends Omit<RelayTraffic, 'front' | 'upstream' | 'startedAt'> {
  readonly subject: 'relay';
}

/** Something learned about an exchange after it was written. */
export type Amendment = Pick<Exchange, 'id'> & Required<Pick<Exchange, 'controlAfter'>>;

export type RecordedItem =
  /** `again`: replaces the earlier exchange with the same id. */
  | { readonly kind: 'exchange'; readonly exchange: Exchange; readonly again: boolean }
  | { readonly kind: 'amendment'; readonly amendment: Amendment };

/** A recorded run. `end` and `notices` are complete once all items were read. */
export interface RecordedRun {
  readonly start: RecordingStart;
  items(): AsyncIterable<RecordedItem>;
  /** Undefined if the recording is truncated. */
  end(): RecordingEnd | undefined;
  /** What the user should know about the file. */
  notices(): readonly string[];
}

/** A recording of any subject. Those of clients and relays are small, and read whole. */
export type AnyRecording =
  | { readonly subject: 'gateway'; readonly run: RecordedRun }
  | { readonly subject: 'client'; readonly checked: CheckedClient; readonly start: ClientRecordingStart }
  | { readonly subject: 'relay'; readonly checked: CheckedRelay; readonly start: RelayRecordingStart };

/** Keeps everything that judging depends on, and nothing secret. */
export function stripSecrets(settings: Settings): Settings {
  const { proxy, headers, ...rest } = settings;
  return {
    ...rest,
    headers: headers.map((header) => (header.secret ? { ...header, value: '' } : header)),
    ...(proxy !== undefined && { proxy: removeUser(proxy) }),
  };
}

function removeUser(address: string): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href;
}

/** Settings that the recorded run did not have yet get their defaults. */
export function restoreSettings({ settings }: Pick<RecordingStart, 'settings'>): Settings {
  const { timeouts, limits, ...rest } = settings;
  return {
    ...DEFAULT_SETTINGS,
    ...rest,
    timeouts: { ...DEFAULT_SETTINGS.timeouts, ...timeouts },
    limits: { ...DEFAULT_SETTINGS.limits, ...limits },
  };
}
