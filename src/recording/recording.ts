/** A recording: a run as it happened, one JSON value per line, so that it can be judged again offline and for free. */
import type { CheckedClient, ClientTraffic, PlayedScenario } from '../exchange/client-traffic.ts';
import type { ControlAfter, Exchange } from '../exchange/exchange.ts';
import type { Notice } from '../exchange/notice.ts';
import type { LoadEnd, LoadEvent, LoadStart } from '../exchange/load-traffic.ts';
import type { AskedCase, CheckedRelay, RelayTraffic } from '../exchange/relay-traffic.ts';
import type { KeyFacts, Traffic } from '../exchange/traffic.ts';
import type { Sha256 } from '../scalars.ts';
import { type Settings, DEFAULT_SETTINGS } from '../settings.ts';

export const RECORDING_FORMAT = 'wirecheck-recording';
export const RECORDING_VERSION = 2;

/** What every first line has. */
interface AnyStart {
  readonly tool: { readonly name: 'wirecheck'; readonly version: string };
  /** SHA-256 of clauses, schemas and built-in suites. */
  readonly contractHash: Sha256;
  /** Wall clock, milliseconds since 1970. */
  readonly startedAt: number;
}

/** The first line: everything needed to judge the rest. */
export interface RecordingStart extends AnyStart {
  /** SHA-256 of each custom suite file, by its path in the settings. */
  readonly suiteHashes: Readonly<Record<string, string>>;
  /** Without secrets. */
  readonly settings: RecordedSettings;
  readonly keys: readonly KeyFacts[];
  /** Planned step id → hash of what it sends. */
  readonly steps: Readonly<Record<string, string>>;
}

export interface ClientRecordingStart extends AnyStart, Pick<CheckedClient, 'client' | 'settings'> {}

export interface RelayRecordingStart extends AnyStart, Omit<CheckedRelay, 'traffic' | 'settings'> {
  /** Without secrets. */
  readonly settings: RecordedSettings;
}

export interface LoadRecordingStart extends AnyStart, Omit<LoadStart, 'settings' | 'startedAt'> {
  /** Without secrets. */
  readonly settings: RecordedSettings;
}

/**
 * The settings of the run, without secrets. Other versions of wirecheck lack some of them, and have others.
 *
 * @title the settings
 * @additionalProperties true
 */
export interface RecordedSettings
  extends Pick<Settings, RequiredSetting>, Partial<Omit<Settings, RequiredSetting | 'timeouts' | 'limits' | 'relay'>> {
  /** @additionalProperties {"type": "number"} */
  readonly timeouts?: Partial<Settings['timeouts']>;
  /** @additionalProperties {"type": "number"} */
  readonly limits?: Partial<Settings['limits']>;
  /** @additionalProperties true */
  readonly relay?: Partial<Settings['relay']>;
}

type RequiredSetting = 'baseUrl' | 'strict' | 'levels' | 'seed';

/** The last line: how the run ended, and what was known only at its end. */
export type RecordingEnd = Omit<Traffic, 'exchanges' | 'keys'>;

/** A scenario, after its exchanges. */
export interface RecordedScenario extends Omit<PlayedScenario, 'exchanges'> {
  /** By their ids. */
  readonly exchanges: readonly string[];
}

export interface ClientRecordingEnd extends Omit<ClientTraffic, 'played' | 'startedAt'> {
  /** In early recordings, which have no line for each scenario. */
  readonly played?: readonly RecordedScenario[];
}

export interface RelayRecordingEnd extends Omit<RelayTraffic, 'front' | 'upstream' | 'startedAt' | 'cases'> {
  /** In early recordings, which have no line for each case. */
  readonly cases?: readonly AskedCase[];
}

/** Something learned about an exchange after it was written. */
export interface Amendment extends Pick<Exchange, 'id'> {
  readonly controlAfter: ControlAfter;
}

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
  notices(): readonly Notice[];
}

/** A recording of any subject. Those of clients and relays are small, and read whole. */
export type AnyRecording =
  | { readonly subject: 'gateway'; readonly run: RecordedRun }
  | ({ readonly subject: 'client'; readonly checked: CheckedClient; readonly start: ClientRecordingStart } & ReadWhole)
  | ({ readonly subject: 'relay'; readonly checked: CheckedRelay; readonly start: RelayRecordingStart } & ReadWhole)
  | { readonly subject: 'load'; readonly run: RecordedLoad; readonly start: LoadRecordingStart };

interface ReadWhole {
  /** What the user should know about the file. */
  readonly notices: readonly Notice[];
}

/** A recorded run under load. It may have many calls, so it is read as it is judged. */
export interface RecordedLoad {
  readonly start: LoadStart;
  readonly events: AsyncIterable<LoadEvent>;
  /** Throws if the recording is truncated. To be called when all events were read. */
  readonly end: () => LoadEnd;
}

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
  const { timeouts, limits, relay, ...rest } = settings;
  return {
    ...DEFAULT_SETTINGS,
    ...rest,
    timeouts: { ...DEFAULT_SETTINGS.timeouts, ...timeouts },
    limits: { ...DEFAULT_SETTINGS.limits, ...limits },
    relay: { ...DEFAULT_SETTINGS.relay, ...relay },
  };
}
