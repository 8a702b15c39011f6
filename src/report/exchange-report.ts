/** A request and its answers, as a report keeps them. */
import type {
  BodyEnd,
  ControlAfter,
  Failure,
  Header,
  NetworkRead,
  SecretSeen,
  StreamEnd,
} from '../exchange/exchange.ts';
import type { Identity } from '../exchange/identity.ts';
import type { Endpoint, Filler, Idle, Mode } from '../plan/plan.ts';
import type { Edit, SentKey } from '../suite/case.ts';
import type { Count, Duration, Integer } from '../scalars.ts';

export interface StreamEvent {
  readonly at: number;
  readonly event?: string;
  readonly data: string;
}

export interface AttemptReport {
  readonly sentAt: number;
  readonly pause: number;
  readonly failure?: Failure;
  readonly answer?: {
    readonly status: Integer;
    readonly httpVersion: string;
    readonly headers: readonly Header[];
    readonly interim: Count;
    /** Of an answer that a client was sent: its status line and headers as text, interim answers included. */
    readonly head?: string;
    readonly headersAt: number;
    readonly endAt: number;
    /** Decoded, redacted, cut to the size that evidence keeps; `bytes` is the full length. */
    readonly body: { readonly text: string; readonly bytes: Count; readonly shown: Count; readonly end: BodyEnd };
    readonly stream?: {
      readonly end: StreamEnd;
      readonly events: readonly StreamEvent[];
      readonly eventCount: Count;
      readonly reads: readonly NetworkRead[];
      readonly comments: Count;
      /** Milliseconds by which the checker itself was late, so that events seem to have come later. */
      readonly lateness?: Duration;
    };
  };
  readonly secretsSeen: readonly SecretSeen[];
}

export interface ExchangeReport extends Identity {
  readonly endpoint: Endpoint;
  readonly mode: Mode;
  readonly method: string;
  readonly path: string;
  readonly key: SentKey;
  readonly headers: readonly Header[];
  readonly body?: string;
  /** The body was this much larger than what is shown of it. */
  readonly filler?: Filler;
  /** It was sent before or after a pause. */
  readonly idle?: Idle;
  /** @minItems 1 */
  readonly attempts: readonly AttemptReport[];
  readonly controlAfter?: ControlAfter;
  /** If a finding shows it and no case of the report sent it: how it differs from a base request, and how to repeat it. */
  readonly edits?: readonly Edit[];
  readonly repeat?: string;
}
