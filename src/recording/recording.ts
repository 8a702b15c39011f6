/** A recording: a run as it happened, one JSON value per line, so that it can be judged again offline and for free. */
import type { ControlAfter, Exchange } from '../exchange/exchange.ts';
import type { KeyFacts, Traffic } from '../exchange/traffic.ts';
import type { Sha256 } from '../scalars.ts';
import { type Settings, DEFAULT_SETTINGS } from '../settings.ts';

export const RECORDING_FORMAT = 'wirecheck-recording';
export const RECORDING_VERSION = 1;

/** The first line: everything needed to judge the rest. */
export interface RecordingStart {
  readonly tool: { readonly name: 'wirecheck'; readonly version: string };
  /** SHA-256 of clauses, schemas and built-in suites. */
  readonly contractHash: Sha256;
  /** SHA-256 of each custom suite file, by its path in the settings. */
  readonly suiteHashes: Readonly<Record<string, string>>;
  /** Without secrets. */
  readonly settings: RecordedSettings;
  readonly keys: readonly KeyFacts[];
  /** Planned step id → hash of what it sends. */
  readonly steps: Readonly<Record<string, string>>;
  /** Wall clock, milliseconds since 1970. */
  readonly startedAt: number;
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
  readonly relay?: Settings['relay'];
}

type RequiredSetting = 'baseUrl' | 'strict' | 'levels' | 'seed';

/** The last line: how the run ended, and what was known only at its end. */
export type RecordingEnd = Omit<Traffic, 'exchanges' | 'keys'>;

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
  notices(): readonly string[];
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
  const { timeouts, limits, ...rest } = settings;
  return {
    ...DEFAULT_SETTINGS,
    ...rest,
    timeouts: { ...DEFAULT_SETTINGS.timeouts, ...timeouts },
    limits: { ...DEFAULT_SETTINGS.limits, ...limits },
  };
}
