/** The lines of a recording. The schema `recording` is made from these types. */
import type { Answer, Body, Exchange, Failure, SecretSeen } from '../exchange/exchange.ts';
import type { AskedCase } from '../exchange/relay-traffic.ts';
import type { Count, PositiveInteger } from '../scalars.ts';
import type { CallEnds, EventWithoutExchange, ListAsked, LoadEnd } from '../exchange/load-traffic.ts';
import type {
  Amendment,
  ClientRecordingEnd,
  ClientRecordingStart,
  LoadRecordingStart,
  RecordedScenario,
  RecordingEnd,
  RecordingStart,
  RelayRecordingEnd,
  RelayRecordingStart,
} from './recording.ts';

/**
 * One line of a recording, as --record writes it: a start, then exchanges and amendments as they happen, then an end. A
 * recording without an end is incomplete.
 *
 * @title a line of a recording
 */
export type RecordingLine =
  | StartLine
  | ClientStartLine
  | RelayStartLine
  | LoadStartLine
  | ExchangeLine
  | LoadEventLine
  | AmendmentLine
  | PlayedLine
  | AskedLine
  | EndLine
  | ClientEndLine
  | RelayEndLine
  | LoadEndLine;

interface Format {
  readonly format: 'wirecheck-recording';
  readonly version: 2;
}

/** @title the first line */
export interface StartLine extends RecordingStart, Format {
  readonly kind: 'start';
}

/** @title the first line of a client */
export interface ClientStartLine extends ClientRecordingStart, Format {
  readonly kind: 'client-start';
}

/** @title the first line of a relay */
export interface RelayStartLine extends RelayRecordingStart, Format {
  readonly kind: 'relay-start';
}

/** @title the first line of a run under load */
export interface LoadStartLine extends LoadRecordingStart, Format {
  readonly kind: 'load-start';
}

/**
 * What happened under load, in this order.
 *
 * @title an event under load
 */
export interface LoadEventLine {
  readonly kind: 'load-event';
  readonly event: RecordedEvent;
}

type RecordedEvent = EventWithoutExchange | CallEndsLine | ListAskedLine;

interface CallEndsLine extends Omit<CallEnds, 'exchange'> {
  readonly exchange: ExchangeLine;
}

interface ListAskedLine extends Omit<ListAsked, 'exchange'> {
  readonly exchange: ExchangeLine;
}

/** @title the last line of a run under load */
export interface LoadEndLine extends Omit<LoadEnd, 'unrecovered'> {
  readonly kind: 'load-end';
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
export interface AmendmentLine extends Amendment {
  readonly kind: 'amendment';
}

/** @title a scenario that was played */
export interface PlayedLine extends RecordedScenario {
  readonly kind: 'played';
}

/** @title a case of a relay that was asked */
export interface AskedLine extends AskedCase {
  readonly kind: 'asked';
}

/** @title the last line */
export interface EndLine extends RecordingEnd {
  readonly kind: 'end';
}

/** @title the last line of a client */
export interface ClientEndLine extends ClientRecordingEnd {
  readonly kind: 'client-end';
}

/** @title the last line of a relay */
export interface RelayEndLine extends RelayRecordingEnd {
  readonly kind: 'relay-end';
}

/** @title an attempt */
export type AttemptLine = AttemptStart & ({ readonly answer: AnswerLine } | { readonly failure: Failure });

interface AttemptStart {
  /** Milliseconds since the start of the run. */
  readonly sentAt: number;
  readonly pause: number;
  /** Number of the connection that carried it. */
  readonly connection?: PositiveInteger;
  readonly secretsSeen: readonly SecretSeen[];
}

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
