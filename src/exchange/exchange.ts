/** A request and its answers: limited, decoded, redacted, and plain data that can be stored and judged again. */
import type { Filler, RequestTemplate, SoughtAnswer } from '../plan/plan.ts';
import type { SentKey } from '../suite/case.ts';
import type { Count, Integer, PositiveInteger } from '../scalars.ts';
import type { Identity } from './identity.ts';

/** Limits that can stop an answer. All but `max-interim` and `edit-timeout` are settings. */
export type LimitName =
  | 'max-body'
  | 'max-stream'
  | 'max-total'
  | 'max-line'
  | 'max-headers'
  | 'max-events'
  | 'max-depth'
  | 'max-interim'
  | 'timeout'
  /** The limit of a plain request whose reply may have no end. */
  | 'edit-timeout'
  | 'connect-timeout'
  | 'first-byte-timeout'
  | 'idle-timeout'
  /** Before the run. */
  | 'wait-for'
  | 'max-time';

export type Header = readonly [name: string, value: string];

/** `name` in lower case. */
export function findHeader(headers: readonly Header[], name: string): string | undefined {
  return headers.find(([known]) => known.length === name.length && known.toLowerCase() === name)?.[1];
}

export interface SentRequest extends Pick<RequestTemplate, 'endpoint' | 'mode' | 'method' | 'idle'> {
  /** Path and query below the base URL. */
  readonly path: string;
  readonly headers: readonly Header[];
  readonly body?: string;
  /** The body is too large to be kept: it has the size of this text, and its beginning. */
  readonly filler?: Filler;
  /** Why the body of a request that arrived is not here. */
  readonly unread?: 'not-utf8' | 'too-large';
  readonly key: SentKey;
}

/** Milliseconds since the request was sent, with fractions. */
export interface NetworkRead {
  readonly at: number;
  readonly bytes: Count;
}

/** How a body ended. `limit` names the limit that stopped it. */
export type BodyEnd =
  | { readonly kind: 'complete' }
  | { readonly kind: 'cut'; readonly detail: string }
  | { readonly kind: 'limit'; readonly limit: LimitName }
  /** The bytes do not match the Content-Encoding of the answer. `raw`: it is not known, and they are as they came. */
  | { readonly kind: 'undecodable'; readonly detail: string; readonly raw?: true }
  /**
   * The checker stopped reading because everything was decided: `text` if the first text was enough. `client-left`:
   * the client of a foreign recording stopped. Of an answer that wirecheck sent: `left` if the other side went away first,
   * `open` if the run ended before it.
   */
  | { readonly kind: 'aborted'; readonly why: string };

// How a stream ended.
export type StreamEnd = 'done' | 'closed' | 'cut' | 'stalled' | 'held-open' | 'limit' | 'aborted';

export interface Body {
  /** Decoded and redacted. */
  readonly bytes: Uint8Array;
  /** Arrivals of decoded bytes, in order; their sizes add up to the length of `bytes`. */
  readonly reads: readonly NetworkRead[];
  readonly end: BodyEnd;
  /** `max-depth` of the run: JSON nested deeper is not parsed. */
  readonly maxDepth: number;
}

export interface Answer {
  readonly status: Integer;
  readonly httpVersion: string;
  readonly headers: readonly Header[];
  /** Number of interim 1xx answers. */
  readonly interim: Count;
  /** Of an answer that wirecheck itself sent to a client: its status line and headers as text, interim answers included. */
  readonly head?: string;
  readonly body: Body;
  /** Milliseconds from sending to the headers, and to the end of the body. */
  readonly headersAt: number;
  readonly endAt: number;
  /** The worst delay of the checker's own event loop while the body arrived, in milliseconds. */
  readonly lateness: number;
  /** The same when the first text of a stream arrived: for how long it may have waited to be read. */
  readonly textLateness?: number;
  /** More bytes came than Content-Length states. They are not part of the body. */
  readonly surplus?: true;
}

/** Why there is no answer. */
export const NO_ANSWER = ['refused', 'unresolved', 'tls', 'closed', 'timeout', 'not-http', 'limit', 'aborted'] as const;
export type NoAnswer = (typeof NO_ANSWER)[number];

export interface Failure {
  readonly kind: NoAnswer;
  /** The limit of a `timeout` or a `limit`. */
  readonly limit?: LimitName;
  /** The system's code, such as `ECONNREFUSED`. */
  readonly code: string;
  readonly detail: string;
  /** Milliseconds from sending to the failure. Absent in foreign recordings, and for a call that was never over. */
  readonly at?: number;
}

export const SECRET_FORMS = ['raw', 'url', 'base64', 'json', 'html', 'hex'] as const;
export const SECRET_PLACES = ['body', 'header', 'status'] as const;

export interface SecretSeen {
  /** A key role, or the name of a secret header. */
  readonly role: string;
  readonly form: (typeof SECRET_FORMS)[number];
  /** All or nearly all of it, not just a part such as the ends that a masked key shows. */
  readonly whole: boolean;
  readonly place: (typeof SECRET_PLACES)[number];
}

export interface Attempt {
  /** Milliseconds since the run began. */
  readonly sentAt: number;
  /** Pause before this attempt, in milliseconds. */
  readonly pause: number;
  readonly outcome:
    | { readonly kind: 'answer'; readonly answer: Answer }
    | { readonly kind: 'none'; readonly failure: Failure };
  readonly secretsSeen: readonly SecretSeen[];
  /** Number of the connection that carried it, from 1. */
  readonly connection?: PositiveInteger;
}

/** Whether the control was answered afterwards. */
export type ControlAfter = 'answered' | 'unanswered';

export interface Exchange extends Identity {
  readonly seeks: SoughtAnswer;
  readonly request: SentRequest;
  /** The attempts in order, at least one. The last one counts. */
  readonly attempts: readonly Attempt[];
  /** If the outcome was not a refusal of the edit: whether the control was answered afterwards. */
  readonly controlAfter?: ControlAfter;
}
