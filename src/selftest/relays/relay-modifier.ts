/** What a row may change in the small relay. Hooks that a row leaves out keep the correct behaviour. */
import type { IncomingHttpHeaders } from 'node:http';

export interface JsonMap {
  readonly [name: string]: unknown;
}

/** One call of a client. */
export interface ClientCall {
  readonly key: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonMap;
  readonly isStream: boolean;
  /** Shared by all calls of a relay, for faults that remember. */
  readonly memory: Map<string, unknown>;
}

/** Why there is no reply: an error answer of the upstream, or none at all. */
export interface UpstreamFailure {
  /** Absent if the connection failed. */
  readonly status?: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface FrontAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RelayModifier {
  /** Answers the call without the upstream, or from what the relay remembers. */
  readonly shortcut?: (call: ClientCall) => FrontAnswer | undefined;
  readonly request?: (body: JsonMap, call: ClientCall) => JsonMap;
  readonly requestHeaders?: (headers: Readonly<Record<string, string>>, call: ClientCall) => Record<string, string>;
  /** Calls at most, as long as no output has begun. Default: 1. */
  readonly attempts?: number;
  /** Calls again after output has begun. */
  readonly retriesAfterOutput?: boolean;
  /** Milliseconds before an answer begins. */
  readonly delay?: number;

  readonly reply?: (body: JsonMap, call: ClientCall) => JsonMap;
  readonly answerHeaders?: (headers: Readonly<Record<string, string>>, call: ClientCall) => Record<string, string>;
  /** The answer to a failure before any output. */
  readonly failure?: (failure: UpstreamFailure, call: ClientCall, usual: FrontAnswer) => FrontAnswer;

  /** Reads the bytes of a stream, in place of a correct parser: the data of each event. */
  readonly readEvents?: (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<RelayEvent>;
  /** The chunks in place of one chunk; none drops it. */
  readonly chunk?: (chunk: JsonMap, call: ClientCall) => readonly JsonMap[];
  /** The text that is written for some chunks. */
  readonly write?: (chunks: readonly JsonMap[]) => string;
  /** Milliseconds that chunks are gathered before they are written; Infinity holds them until the end. */
  readonly holdBack?: number;
  /** How a failure in mid-stream is shown. Default: an error event. */
  readonly midStream?: 'error-event' | 'cut' | 'close' | 'proper-end';
  /** Sends the end marker. Default: true. */
  readonly done?: boolean;
  /** Goes on with the upstream call after the client has left. */
  readonly ignoresLeaving?: boolean;
}

/** An event of a stream. */
export interface RelayEvent {
  readonly name: string;
  readonly data: string;
}
