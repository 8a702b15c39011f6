/** The lines of a recording, version 3. The schema `recording` is made from these types. */

import type { Ending } from '../exchange/ending.ts';
import type { Answer, Attempt, Body, ControlAfter, Exchange, Failure } from '../exchange/exchange.ts';
import type { LoadEnd, LoadEvent, LoadStart } from '../exchange/load-traffic.ts';
import type {
  AskedCase,
  CheckedClient,
  CheckedRelay,
  ClientTraffic,
  KeyFacts,
  PlayedScenario,
  RelayTraffic,
  Traffic,
} from '../exchange/traffic.ts';
import type { Count, Sha256 } from '../scalars.ts';
import type { Settings } from '../settings.ts';

export const RECORDING_FORMAT = 'wirecheck-recording';
export const RECORDING_VERSION = 3;

/**
 * One line of a recording, as --record writes it: a start, then exchanges and other items as they happen, then an end. A
 * recording without an end is incomplete.
 *
 * @title a line of a recording
 */
export type RecordingLine = StartLine | ItemLine | EndLine;

export type ItemLine = ExchangeLine | AmendmentLine | PlayedLine | AskedLine | LoadEventLine;

/** What the first line says of every run. */
export interface StartFacts {
  readonly tool: { readonly name: 'wirecheck'; readonly version: string };
  /** SHA-256 of clauses, schemas and built-in suites. */
  readonly contractHash: Sha256;
  /** Wall clock, milliseconds since 1970. */
  readonly startedAt: number;
}

/**
 * Everything needed to judge the rest.
 *
 * @title the first line
 */
export interface StartLine extends StartFacts {
  readonly kind: 'start';
  readonly format: typeof RECORDING_FORMAT;
  readonly version: typeof RECORDING_VERSION;
  readonly subject: GatewayStart | ClientStart | RelayStart | LoadStartOf;
}

/** @title a gateway */
export interface GatewayStart {
  readonly kind: 'gateway';
  /** SHA-256 of each custom suite file, by its path in the settings. */
  readonly suiteHashes: Readonly<Record<string, string>>;
  readonly settings: RecordedSettings;
  readonly keys: readonly KeyFacts[];
  /** Planned step id → hash of what it sends. */
  readonly steps: Readonly<Record<string, string>>;
}

/** @title a client */
export interface ClientStart extends Pick<CheckedClient, 'client' | 'settings'> {
  readonly kind: 'client';
}

/** @title a relay */
export interface RelayStart extends Omit<CheckedRelay, 'traffic' | 'settings'> {
  readonly kind: 'relay';
  readonly settings: RecordedSettings;
}

/** @title a gateway under load */
export interface LoadStartOf extends Omit<LoadStart, 'settings' | 'startedAt'> {
  readonly kind: 'load';
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

/** What the last line says of every run. */
export interface EndFacts {
  readonly ending: Ending;
  /** Wall clock, milliseconds since 1970. */
  readonly endedAt: number;
}

/**
 * How the run ended, and what was known only at its end.
 *
 * @title the last line
 */
export interface EndLine extends EndFacts {
  readonly kind: 'end';
  readonly subject: GatewayEnd | ClientEnd | RelayEnd | LoadEndOf;
}

/** @title the end of a gateway's run */
export interface GatewayEnd extends Omit<Traffic, 'exchanges' | 'keys' | 'startedAt' | keyof EndFacts> {
  readonly kind: 'gateway';
}

/** @title the end of a client's run */
export interface ClientEnd extends Omit<ClientTraffic, 'played' | 'startedAt' | keyof EndFacts> {
  readonly kind: 'client';
}

/** @title the end of a relay's run */
export interface RelayEnd extends Omit<RelayTraffic, 'front' | 'upstream' | 'cases' | 'startedAt' | keyof EndFacts> {
  readonly kind: 'relay';
}

/** @title the end of a run under load */
export interface LoadEndOf extends Omit<LoadEnd, 'unrecovered' | keyof EndFacts> {
  readonly kind: 'load';
  readonly unrecovered?: ExchangeLine;
}

/** @title an exchange */
export interface ExchangeLine extends Omit<Exchange, 'attempts'> {
  readonly kind: 'exchange';
  /** The step that has to be answered for a refusal to prove anything. */
  readonly control?: string;
  /** Replaces the earlier exchange with this id. */
  readonly again?: true;
  /** @minItems 1 */
  readonly attempts: readonly AttemptLine[];
}

/**
 * Something learned about an exchange after its line was written: whether the control was then answered.
 *
 * @title an amendment
 */
export interface AmendmentLine extends Pick<Exchange, 'id'> {
  readonly kind: 'amendment';
  readonly controlAfter: ControlAfter;
}

/** @title a scenario that was played */
export interface PlayedLine extends Omit<PlayedScenario, 'exchanges'> {
  readonly kind: 'played';
  /** By their ids. The line follows them. */
  readonly exchanges: readonly string[];
}

/** @title a case of a relay that was asked */
export interface AskedLine extends AskedCase {
  readonly kind: 'asked';
}

/**
 * What happened under load, in this order.
 *
 * @title an event under load
 */
export interface LoadEventLine {
  readonly kind: 'load-event';
  readonly event: LoadEvent<ExchangeLine>;
}

/** @title an attempt */
export type AttemptLine = Omit<Attempt, 'outcome'> & ({ readonly answer: AnswerLine } | { readonly failure: Failure });

/** @title an answer */
export interface AnswerLine extends Omit<Answer, 'body'> {
  readonly body: BodyLine;
  /**
   * For a stream: when each event was complete, its name, if any, and the size of its data. The data is in the body. For
   * people and other tools; wirecheck parses the bytes again.
   */
  readonly events?: readonly EventLine[];
}

export interface EventLine {
  readonly at: number;
  readonly event?: string;
  readonly bytes: Count;
  /** It has text of the reply, or reasoning. */
  readonly hasText?: boolean;
}

/** @title a body */
export type BodyLine = BodyArrival & (Utf8Bytes | OtherBytes);

interface BodyArrival {
  /** Each arrival: milliseconds since the request was sent, and the number of decoded bytes. */
  readonly reads: readonly (readonly [at: number, bytes: Count])[];
  readonly end: Body['end'];
}

interface Utf8Bytes {
  /** The decoded bytes, if they are UTF-8. Secrets are redacted byte for byte. */
  readonly text: string;
}

interface OtherBytes {
  /**
   * The decoded bytes, if they are not readable UTF-8.
   *
   * @pattern ^[A-Za-z0-9+/]*={0,2}$
   */
  readonly base64: string;
}
