/** What a row may change in the small relay. Hooks that a row leaves out keep the correct behaviour. */
import type { IncomingHttpHeaders } from 'node:http';
import type { UpstreamName } from '../../src/exchange/identity.ts';
import { type Broken, faultyRows, rightRows, type Titled } from '../rows.ts';

export interface JsonMap {
  readonly [name: string]: unknown;
}

/** One call of a client. */
export interface ClientCall {
  readonly key: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonMap;
  readonly isStream: boolean;
  /** Its place on its connection, from 1. */
  readonly place: number;
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
  /** Which keys are valid. Default: the two of the self-test. */
  readonly accepts?: (key: string) => boolean;
  /** The status for others. Default: 401. */
  readonly keyStatus?: number;
  /** Waits for its turn; the function that it gives is called when the call is over. */
  readonly admit?: (call: ClientCall) => Promise<() => void>;
  /** The model list. */
  readonly list?: (list: JsonMap) => JsonMap;
  /** Answers the call without the upstream, or from what the relay remembers. */
  readonly shortcut?: (call: ClientCall) => FrontAnswer | undefined;
  readonly request?: (body: JsonMap, call: ClientCall) => JsonMap;
  /** How the upstream is called, whatever the client asked for. */
  readonly upstreamMode?: 'plain' | 'stream';
  readonly requestHeaders?: (headers: Readonly<Record<string, string>>, call: ClientCall) => Record<string, string>;
  /** Calls at most, as long as no output has begun. Default: 1. */
  readonly attempts?: number;
  /** The upstreams that are called in turn, as long as no output has begun. Default: the first, `attempts` times. */
  readonly turns?: (call: ClientCall) => readonly UpstreamName[];
  /** Whether the next turn is taken after a failure. Default: it is. */
  readonly takesNext?: (failure: UpstreamFailure, upstream: UpstreamName, call: ClientCall) => boolean;
  /** Milliseconds without a head after which the second turn is taken as well. */
  readonly hedge?: number;
  /** The upstream that is called again after output has begun. Default: the first. */
  readonly again?: UpstreamName;
  /** The text that it is then told to go on from, of what was already sent. */
  readonly continues?: (sent: string) => string;
  /** What is done with each reply: by the upstream that gave it. */
  readonly replyFrom?: (upstream: UpstreamName, reply: JsonMap) => JsonMap;
  /** Milliseconds before another call. */
  readonly retryPause?: number;
  /** Milliseconds of silence after which the upstream counts as failed. */
  readonly upstreamTimeout?: number;
  /** Calls again after output has begun, and passes the second reply on or not. */
  readonly retriesAfterOutput?: 'passed-on' | 'unused';
  /** Milliseconds before an answer begins. */
  readonly delay?: number;

  /** Unpacks compressed answers. Default: true. */
  readonly unpacks?: boolean;
  readonly reply?: (body: JsonMap, call: ClientCall) => JsonMap;
  /** The text of a plain reply. */
  readonly writeReply?: (body: JsonMap) => string;
  readonly answerHeaders?: (headers: Readonly<Record<string, string>>, call: ClientCall) => Record<string, string>;
  /** The answer to a failure before any output. `close`: the connection is closed; `hang`: there is none. */
  readonly failure?: (failure: UpstreamFailure, call: ClientCall, usual: FrontAnswer) => FrontAnswer | 'close' | 'hang';

  /** Reads the bytes of a stream, in place of a correct parser: the data of each event. */
  readonly readEvents?: (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<RelayEvent>;
  /** The event in place of one; undefined drops it. Throws if the relay does not like it. */
  readonly event?: (event: RelayEvent) => RelayEvent | undefined;
  /** The chunk or the chunks in place of one; none drops it. */
  readonly chunk?: (chunk: JsonMap, call: ClientCall) => JsonMap | readonly JsonMap[];
  /** The text that is written for some chunks. */
  readonly write?: (chunks: readonly JsonMap[]) => string;
  /** Milliseconds that chunks are gathered before they are written; Infinity holds them until the end. */
  readonly holdBack?: number;
  /** How a failure in mid-stream is shown. Default: an error event. */
  readonly midStream?: 'error-event' | 'cut' | 'close' | 'proper-end' | 'error-text' | 'error-finish' | 'hang';
  /** A stream with an end marker but without finish_reason counts as whole. */
  readonly trustsDone?: boolean;
  /** A stream that closes without finish_reason counts as whole. */
  readonly trustsClose?: boolean;
  /** An error in a stream is passed over. */
  readonly ignoresErrorEvents?: boolean;
  /** The end of a whole stream. Default: one end marker. */
  readonly endMarker?: string;
  /** Goes on with the upstream call after the client has left. */
  readonly ignoresLeaving?: boolean;
}

/** An event of a stream. */
export interface RelayEvent {
  readonly name: string;
  readonly data: string;
}

export interface LegalRelay extends RelayModifier, Titled {
  /** Cases that are asked; by default all for a legal relay, and for a faulty one all that do not take seconds. */
  readonly only?: readonly string[];
  /** What the user gives as `--upstream-model`. */
  readonly models?: readonly string[];
  /** Asked with `--patient`, with short pauses. */
  readonly patient?: true;
  /** Two upstreams are behind it. */
  readonly two?: true;
  /** What the user gives as `--fallback-model`. */
  readonly fallbackModel?: string;
}

export interface FaultyRelay extends LegalRelay, Broken {}

export const faultyRelay = faultyRows<FaultyRelay>('relay');
export const legalRelay = rightRows<LegalRelay>();
