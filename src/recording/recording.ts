/** A recording: a run as it happened, one JSON value per line, so that it can be judged again offline and for free. */
import type { Exchange } from '../exchange/exchange.ts';
import type { Notice } from '../exchange/notice.ts';
import type { KeyFacts, Traffic } from '../exchange/traffic.ts';
import { type Settings, DEFAULT_SETTINGS } from '../settings.ts';

export const RECORDING_FORMAT = 'wirecheck-recording';
export const RECORDING_VERSION = 1;

/** The first line: everything needed to judge the rest. */
export interface RecordingStart {
  readonly tool: { readonly name: 'wirecheck'; readonly version: string };
  /** SHA-256 of clauses, schemas and built-in suites. */
  readonly contractHash: string;
  /** SHA-256 of each custom suite file, by its path in the settings. */
  readonly suiteHashes: Readonly<Record<string, string>>;
  /** Without secrets. */
  readonly settings: Settings;
  readonly keys: readonly KeyFacts[];
  /** Planned step id → hash of what it sends. */
  readonly steps: Readonly<Record<string, string>>;
  /** Wall clock, milliseconds since 1970. */
  readonly startedAt: number;
}

/** The last line: how the run ended, and what was known only at its end. */
export type RecordingEnd = Omit<Traffic, 'exchanges' | 'keys'>;

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
  notices(): readonly Notice[];
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
